"""Behaviour of the real server: chunked bodies, connections that go on after a refusal, documented streams."""

import socket
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.schemas.document import validate_message, validator
from tests.service import Client, Service
from tests.waiting import eventually

BODY_BYTES_MAX = 262144


class Connection:
    """A connection that sends raw bytes."""

    def __init__(self, service: Service, key: str | None) -> None:
        address = urlsplit(service.url)
        self._socket = socket.create_connection((address.hostname, address.port), timeout=20)
        self._file = self._socket.makefile("rb")
        self._key = key

    def send(self, request_line: str, *headers: str, body: bytes = b"") -> tuple[int, dict[str, str], Any]:
        """Send a request, and return the status, headers and JSON of the answer."""
        authorization = (f"Authorization: Bearer {self._key}",) if self._key else ()
        lines = (f"{request_line} HTTP/1.1", "Host: localhost", *authorization, *headers, "", "")
        self._socket.sendall("\r\n".join(lines).encode("latin-1") + body)
        return self.receive()

    def receive(self) -> tuple[int, dict[str, str], Any]:
        """Return the next answer."""
        status = int(self._file.readline().split()[1])
        headers: dict[str, str] = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, msgspec.json.decode(self._file.read(int(headers["content-length"])))

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()
        self._socket.close()


def chunks(*parts: bytes) -> bytes:
    """Return a chunked body."""
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"


@pytest.fixture
def moves(ada: Client) -> str:
    return f"POST /v1/games/{ada.started('me', 'me')['id']}/moves"


def refused(answer: tuple[int, dict[str, str], Any], status: int, code: str) -> None:
    assert (answer[0], answer[1]["content-type"]) == (status, "application/problem+json")
    validator("Problem").validate(answer[2])
    assert answer[2]["code"] == code


def test_a_chunked_body_is_read_completely(service: Service, ada: Client, moves: str) -> None:
    with Connection(service, ada.key) as connection:
        refused(
            connection.send(moves, JSON, CHUNKED, body=chunks(b'{"ty', b'pe": "cas', b'tle"}')), 422, "move-refused"
        )
        refused(connection.send(moves, JSON, CHUNKED, body=chunks(b'{"ty', b"pe")), 400, "bad-json")
        refused(connection.send(moves, JSON, CHUNKED, body=chunks()), 400, "body-missing")
        body = chunks(b'{"name": ', b'"bea"}')
        assert connection.send("POST /v1/players", JSON, CHUNKED, body=body)[2]["player"]["name"] == "bea"


def test_a_chunked_body_is_read_up_to_the_limit(service: Service, ada: Client, moves: str) -> None:
    with Connection(service, ada.key) as connection:
        body = chunks(*[b" " * 65536] * (1 + BODY_BYTES_MAX // 65536))
        refused(connection.send(moves, JSON, CHUNKED, body=body), 413, "body-too-large")
    assert ada.call("GET", "/healthz").status_code == 200


@pytest.mark.parametrize("path", ["POST /v1/players", "POST /v1/games"])
def test_a_connection_can_be_used_after_a_body_that_was_not_read(service: Service, ada: Client, path: str) -> None:
    with Connection(service, ada.key) as connection:
        for length in (2, 1000):
            answer = connection.send(path, f"Content-Length: {length}", "Content-Type: text/plain", body=b"x" * length)
            refused(answer, 415, "content-type")
        assert connection.send("GET /healthz")[2] == {"status": "alive"}


@pytest.mark.parametrize("path", ["/v1/games/%FF", "/v1/games/%00", "/v1/games/%ED%A0%80"])
def test_a_path_that_is_not_utf_8_is_not_found(service: Service, ada: Client, path: str) -> None:
    with Connection(service, ada.key) as connection:
        refused(connection.send(f"GET {path}"), 404, "unknown-game")


def test_the_messages_of_streams_are_as_documented(service: Service, ada: Client) -> None:
    mine = ada.stream("/me/events")
    id = ada.started("me", "me")["id"]
    commits = ada.stream(f"/games/{id}/events")
    seat = ada.game(id)["awaited"][0]["seat"]
    assert ada.move(id, ada.legal(id, seat)["default"], seat).status_code == 201
    eventually(lambda: len(commits.messages) >= 2 and len(mine.messages) >= 2)
    for message in commits.messages:
        validate_message("Commit", message)
    for message in mine.messages:
        validate_message("My", message)
    commits.close()
    mine.close()


def test_the_documentation_page_is_served(service: Service) -> None:
    answer = service.nobody().call("GET", "/docs")
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["/v1/me/events", "/v1/games/{game}/events"])
def test_the_head_of_a_stream_has_no_body(service: Service, ada: Client, path: str) -> None:
    """A proxy would take a body for the answer to another request."""
    game = ada.started("me", "me")["id"]
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as connection:
        head = f"HEAD {path.format(game=game)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ada.key}"
        connection.sendall(f"{head}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while not answer.partition(b"\r\n\r\n")[2] and (part := connection.recv(65536)):
            answer += part
    lines, _, body = answer.partition(b"\r\n\r\n")
    assert (lines.split()[1], b"text/event-stream" in lines, body) == (b"200", True, b"")
