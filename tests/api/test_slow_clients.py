"""Clients cannot hold connections by sending slowly or not at all, or by not reading answers."""

import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.service import Client, Service
from tests.waiting import eventually

SECONDS = 2
SLACK = 8.0
"""Additional seconds for a busy machine."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with short time limits."""
    running = Service(tmp_path_factory.mktemp("hasty"), CLIENT_SECONDS=str(SECONDS)).start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def connection(hasty: Service) -> Iterator[socket.socket]:
    address = urlsplit(hasty.url)
    with socket.create_connection((address.hostname, address.port), timeout=SECONDS + SLACK) as connection:
        yield connection


def head(hasty: Service, *more: str) -> bytes:
    key = f"Authorization: Bearer {hasty.player().key}"
    lines = ("POST /v1/games HTTP/1.1", "Host: localhost", "Content-Type: application/json", key, *more, "", "")
    return "\r\n".join(lines).encode()


def drip(connection: socket.socket, byte: bytes) -> bytes:
    """Send a byte now and then until the connection ends, and return what came back."""
    connection.settimeout(0.2)
    received, began = b"", time.monotonic()
    while time.monotonic() < began + SECONDS + SLACK:
        try:
            connection.sendall(byte)
            more = connection.recv(65536)
        except TimeoutError:
            continue
        except OSError:
            return received
        if not more:
            return received
        received += more
    raise AssertionError("the connection is still open")


def test_a_silent_connection_is_closed(connection: socket.socket) -> None:
    assert connection.recv(1) == b""


def test_a_request_head_that_never_ends_is_cut_off(connection: socket.socket) -> None:
    connection.sendall(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
    assert drip(connection, b"a") == b""


@pytest.mark.parametrize("how", ["Content-Length: 1000", "Transfer-Encoding: chunked"])
def test_a_body_that_never_ends_is_refused_in_time(hasty: Service, connection: socket.socket, how: str) -> None:
    connection.sendall(head(hasty, how))
    answer = drip(connection, b" " if "Length" in how else b"1\r\n \r\n")
    assert answer.startswith(b"HTTP/1.1 408 ")
    head_bytes, _, body = answer.partition(b"\r\n\r\n")
    assert b"connection: close" in head_bytes.lower()
    problem = msgspec.json.decode(body)
    assert (problem["code"], problem["status"]) == ("body-too-slow", 408)


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"-1\r\n\r\n", b"3\r\nabcdef\r\n0\r\n\r\n"])
def test_malformed_chunks_are_a_problem_of_the_request(hasty: Service, connection: socket.socket, chunk: bytes) -> None:
    connection.sendall(head(hasty, "Transfer-Encoding: chunked") + chunk)
    answer = connection.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"connection: close" in answer.lower()
    assert b'"code":"body-broken"' in answer


def test_a_client_that_disconnects_in_a_body_causes_no_error(hasty: Service, connection: socket.socket) -> None:
    connection.sendall(head(hasty, "Content-Length: 1000") + b'{"ruleset"')
    connection.close()
    metrics = hasty.nobody()
    eventually(lambda: 'create_game",status="400"' in metrics.call("GET", "/metrics").text)
    assert 'status="500"' not in metrics.call("GET", "/metrics").text
    assert "Traceback" not in hasty.log()


def test_an_answer_that_is_not_read_is_given_up(hasty: Service) -> None:
    """Ten documentation pages do not fit into the buffers of the connection."""
    address = urlsplit(hasty.url)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(SECONDS + SLACK)
    connection.connect((address.hostname, address.port))
    requests_bytes = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40
    connection.sendall(requests_bytes)
    eventually(lambda: _is_closed(hasty, connection.getsockname()[1]), SECONDS + SLACK, 0.1)
    connection.close()
    assert "Traceback" not in hasty.log()


def _is_closed(hasty: Service, port: int) -> bool:
    """Whether the web processes have closed the connection from this port."""
    ours, theirs = f":{hasty.port:04X}", f":{port:04X}"
    with open("/proc/net/tcp", encoding="ascii") as rows:
        states = [row.split()[3] for row in rows if row.split()[1].endswith(ours) and row.split()[2].endswith(theirs)]
    return "01" not in states


def test_a_slightly_slow_client_is_served(hasty: Service, connection: socket.socket) -> None:
    body = b'{"ruleset": "catham-city", "seats": ["me", "open"]}'
    connection.sendall(head(hasty, f"Content-Length: {len(body)}"))
    for at in range(0, len(body), 20):
        connection.sendall(body[at : at + 20])
    assert connection.recv(65536).startswith(b"HTTP/1.1 201 ")


def test_slow_clients_do_not_delay_others(hasty: Service) -> None:
    address = urlsplit(hasty.url)
    slow = [socket.create_connection((address.hostname, address.port)) for _ in range(300)]
    for number, each in enumerate(slow):
        each.sendall((b"GET / HTTP/1.1\r\nX-", head(hasty, "Content-Length: 9"))[number % 2] if number < 20 else b"G")
    ada: Client = hasty.player()
    id = ada.started("me", "me")["id"]
    seat = ada.game(id)["awaited"][0]["seat"]
    assert ada.move(id, ada.legal(id, seat)["moves"][0], seat).status_code == 201
    for each in slow:
        each.settimeout(SECONDS + SLACK)
        while each.recv(65536):
            pass
        each.close()
