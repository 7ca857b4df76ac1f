"""Two ways to ask the service: the application over a real Redis, for volume, and the whole service over HTTP."""

import socket
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec
import requests

from referee.service.desk import Desk
from referee.settings import Settings
from referee.wiring import connect, make_desk
from tests.api.world import World
from tests.service import Service

JSON = "application/json"
QUIET_S = 0.4
EVEN = {
    **dict.fromkeys(("RATE_KEY", "RATE_ADDRESS", "RATE_REGISTRATIONS", "OPEN_GAMES", "BOT_GAMES"), "0"),
    "HEARTBEAT_SECONDS": "3600",
}
"""Settings without what differs from call to call: what is left of a quota, and signs of life."""


class Ask(NamedTuple):
    """A request; `{game}` in its path stands for the game."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None

    def __str__(self) -> str:
        return " ".join((self.method, self.path, *map(": ".join, self.headers), (self.body or b"").decode()))


class Answer(NamedTuple):
    """What came back, byte for byte."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


class Person(NamedTuple):
    """Somebody who calls: without a key, nobody in particular."""

    id: str
    key: str | None


NOBODY = Person("", None)


class Carrier(Protocol):
    """Carries requests to the service; its desk looks at the games behind everybody's back."""

    desk: Desk
    has_workers: bool

    def admin(self) -> Person: ...

    def person(self, name: str) -> Person: ...

    def ask(self, ask: Ask, game: str, person: Person) -> Answer: ...


def headers_of(ask: Ask, person: Person) -> dict[str, str]:
    content = {} if ask.body is None else {"Content-Type": JSON}
    key = {} if person.key is None else {"Authorization": f"Bearer {person.key}"}
    return {"X-Request-Id": "same", **content, **key, **dict(ask.headers)}


class InProcess:
    """The application, called without a server; no worker does anything."""

    has_workers = False

    def __init__(self, world: World) -> None:
        self._world = world
        self.desk = world.desk

    def admin(self) -> Person:
        return Person("", self._world.admin)

    def person(self, name: str) -> Person:
        key = self._world.player(name)
        return Person(self._world.get("/v1/me", key).get_json()["player"]["id"], key)

    def ask(self, ask: Ask, game: str, person: Person) -> Answer:
        path = ask.path.replace("{game}", game)
        answer = self._world.call(ask.method, path, headers=headers_of(ask, person), data=ask.body)
        return Answer(answer.status_code, tuple(answer.headers.items()), answer.data)


class OverHttp:
    """The service as `make run` starts it."""

    has_workers = True

    def __init__(self, service: Service) -> None:
        self._service = service
        self._session = requests.Session()
        self.desk = make_desk(Settings(), connect(service.redis_url), nudge=lambda game: None)

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

    def _listen(self, ask: Ask, game: str, person: Person) -> Answer:
        """A stream as far as it comes until it falls silent."""
        address = urlsplit(self._service.url)
        lines = (
            f"{ask.method} {ask.path.replace('{game}', game)} HTTP/1.1",
            "Host: localhost",
            *map(": ".join, headers_of(ask, person).items()),
        )
        with socket.create_connection((address.hostname, address.port), timeout=QUIET_S) as connection:
            connection.sendall("\r\n".join((*lines, "", "")).encode())
            data = b""
            try:
                while more := connection.recv(65536):
                    data += more
            except TimeoutError:
                pass
        head, _, body = data.partition(b"\r\n\r\n")
        status, *fields = head.decode("latin-1").split("\r\n")
        headers = tuple((name, value) for name, _, value in (field.partition(": ") for field in fields))
        return Answer(int(status.split()[1]), headers, body)
