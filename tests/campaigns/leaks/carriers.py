"""Two ways to call the service: the application over a real Redis, for volume, and the whole service over HTTP."""

from __future__ import annotations

import contextlib
import gzip
import socket
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec
import requests

from referee.service.repository import Repository
from referee.settings import Settings
from referee.wiring import connect, make_repository
from tests.api.world import World
from tests.service import Service

JSON = "application/json"
GZIP = b"\x1f\x8b"
QUIET_S = 0.4
LATE_S = 3.0
"""How long to wait for an answer that has arrived from one game of a pair and not from the other."""

EVEN = {
    **dict.fromkeys(("RATE_PLAYER", "RATE_ADDRESS", "RATE_REGISTRATIONS", "OPEN_GAMES", "BOT_GAMES"), "0"),
    "HEARTBEAT_SECONDS": "3600",
}
"""Settings without quotas and heartbeats, which differ from call to call."""


class Ask(NamedTuple):
    """A request; `{game}` in its path is replaced by the game's id."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None

    def __str__(self) -> str:
        return " ".join((self.method, self.path, *map(": ".join, self.headers), (self.body or b"").decode()))


class Answer(NamedTuple):
    """An answer, byte for byte."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def text(self) -> str:
        return (gzip.decompress(self.body) if self.body[:2] == GZIP else self.body).decode()

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.text)


class Person(NamedTuple):
    """A caller; without a key, an anonymous one."""

    id: str
    key: str | None


NOBODY = Person("", None)


class Carrier(Protocol):
    """Sends requests to the service; its repository reads the games directly."""

    repository: Repository
    has_workers: bool

    def admin(self) -> Person: ...

    def person(self, name: str) -> Person: ...

    def ask(self, ask: Ask, game: str, person: Person) -> Answer: ...

    def listen(self, ask: Ask, game: str, person: Person) -> Listening: ...

    def long_polls(self) -> int:
        """The number of long polls that ever began to wait."""

    def spare(self, person: Person) -> tuple[Person, str]:
        """The same person with a second key, which may only watch, and the id of that key."""
        new_key = Ask("POST", "/v1/keys", body=b'{"scopes": ["watch"]}')
        key = self.ask(new_key, "", person).json
        return Person(person.id, key["key"]), key["id"]


class Listening:
    """A connection that is left open and can be read again and again."""

    def __init__(self, url: str, ask: Ask, game: str, person: Person) -> None:
        address = urlsplit(url)
        lines = (
            f"{ask.method} {ask.path.replace('{game}', game)} HTTP/1.1",
            "Host: localhost",
            *map(": ".join, headers_of(ask, person).items()),
        )
        self._connection = socket.create_connection((address.hostname, address.port))
        self._connection.sendall("\r\n".join((*lines, "", "")).encode())
        self._is_stream = dict(ask.headers).get("Accept") == "text/event-stream"
        self._head = b""
        self._data = b""

    def await_head(self) -> int:
        """Wait for the head of the answer; returns its status."""
        self._connection.settimeout(10)
        while b"\r\n\r\n" not in self._data:
            more = self._connection.recv(65536)
            assert more, "the service closed the connection"
            self._data += more
        return self.take().status

    def heard(self) -> Answer:
        """What has arrived, on a stream since the last call; status 0: nothing so far."""
        self.listen(QUIET_S)
        return self.take()

    def listen(self, quiet_s: float) -> int:
        """Read until nothing arrives for a time; returns the number of bytes that the next answer will have."""
        self._connection.settimeout(quiet_s)
        with contextlib.suppress(TimeoutError, ConnectionError):
            while more := self._connection.recv(65536):
                self._data += more
        return len(self._head) + len(self._data)

    def take(self) -> Answer:
        """The answer as far as it has arrived."""
        if not self._head:
            self._head, _, self._data = self._data.partition(b"\r\n\r\n")
        data = self._data
        if self._is_stream:
            self._data = b""
        status, *fields = self._head.decode("latin-1").split("\r\n")
        headers = tuple((name, value) for name, _, value in (field.partition(": ") for field in fields))
        return Answer(int(status.split()[1]) if status else 0, headers, data)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def headers_of(ask: Ask, person: Person) -> dict[str, str]:
    content = {} if ask.body is None else {"Content-Type": JSON}
    key = {} if person.key is None else {"Authorization": f"Bearer {person.key}"}
    return {"X-Request-Id": "same", **content, **key, **dict(ask.headers)}


class InProcess(Carrier):
    """The application, called without a server and without workers."""

    has_workers = False

    def __init__(self, world: World) -> None:
        self._world = world
        self.repository = world.repository

    def admin(self) -> Person:
        return Person("", self._world.admin)

    def person(self, name: str) -> Person:
        key = self._world.player(name)
        return Person(self._world.get("/v1/me", key).get_json()["player"]["id"], key)

    def ask(self, ask: Ask, game: str, person: Person) -> Answer:
        path = ask.path.replace("{game}", game)
        answer = self._world.call(ask.method, path, headers=headers_of(ask, person), data=ask.body)
        return Answer(answer.status_code, tuple(answer.headers.items()), answer.data)

    def listen(self, ask: Ask, game: str, person: Person) -> Listening:
        raise AssertionError("only a server can be listened to")

    def long_polls(self) -> int:
        raise AssertionError("only a server has long polls")


class OverHttp(Carrier):
    """The service as `make run` starts it."""

    has_workers = True

    def __init__(self, service: Service) -> None:
        self._service = service
        self._session = requests.Session()
        self.repository = make_repository(Settings(), connect(service.redis_url), nudge=lambda game: None)

    def admin(self) -> Person:
        return Person("", self._service.admin_key)

    def person(self, name: str) -> Person:
        client = self._service.player(name)
        return Person(client.player["id"], client.key)

    def ask(self, ask: Ask, game: str, person: Person) -> Answer:
        if dict(ask.headers).get("Accept") == "text/event-stream":
            return self._listen(ask, game, person)
        answer = self._session.request(
            ask.method,
            self._service.url + ask.path.replace("{game}", game),
            headers=headers_of(ask, person),
            data=ask.body,
            timeout=30,
        )
        return Answer(answer.status_code, tuple(answer.headers.items()), answer.content)

    def listen(self, ask: Ask, game: str, person: Person) -> Listening:
        return Listening(self._service.url, ask, game, person)

    def long_polls(self) -> int:
        return self._service.long_polls()

    def _listen(self, ask: Ask, game: str, person: Person) -> Answer:
        """A stream, read until nothing more arrives."""
        listening = self.listen(ask, game, person)
        listening.await_head()
        answer = listening.heard()
        listening.close()
        return answer
