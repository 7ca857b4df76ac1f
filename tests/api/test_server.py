"""The HTTP server: no header changes the path of a request, and gunicorn logs nothing that a client sent."""

import json
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.problems import PROBLEMS
from tests.api.gunicorn import Gunicorn, request, status_of
from tests.schemas.document import validator
from tests.waiting import eventually

TRUSTING: tuple[tuple[str, bool, tuple[str, ...], dict[str, str]], ...] = (
    ("as it is", False, (), {}),
    ("trusts everybody", False, ("--forwarded-allow-ips", "*"), {}),
    ("trusts by the environment", False, (), {"FORWARDED_ALLOW_IPS": "*"}),
    ("on a unix socket", True, (), {}),
    ("takes all names", False, ("--forwarder-headers", "*", "--header-map", "dangerous"), {}),
    ("has it in the environment", False, (), {"SCRIPT_NAME": "/inside"}),
)


@pytest.fixture(scope="module", params=TRUSTING, ids=[name for name, *_ in TRUSTING])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    _, on_socket, options, environment = request.param
    with Gunicorn(tmp_path_factory.mktemp("web"), *options, on_socket=on_socket, **environment) as running:
        yield running


SPELLINGS = ("SCRIPT_NAME", "Script_Name", "script_name", "SCRIPT-NAME", "HTTP_SCRIPT_NAME", "X-Script-Name")


@pytest.mark.parametrize("name", SPELLINGS)
def test_no_header_changes_the_path(server: Gunicorn, name: str) -> None:
    """Otherwise a client could evade a proxy that refuses `/metrics`."""
    for prefix in ("/inside", "/v1", "/v1/games", "/", ""):
        for path in ("/metrics", "/healthz", "/v1/rulesets"):
            plain = server.send(request(f"GET {path}", f"{name}: {prefix}"))
            assert status_of(plain) == 200, plain
            if prefix.strip("/"):
                assert status_of(server.send(request(f"GET {prefix}{path}", f"{name}: {prefix}"))) == 404


def test_a_move_can_be_posted_to_its_own_path_only(server: Gunicorn) -> None:
    headers = ("SCRIPT_NAME: /inside", "Content-Type: application/json", "Content-Length: 2")
    moved = server.send(request("POST /inside/v1/games/g_x/moves", *headers, body=b"{}"))
    assert (status_of(moved), problem_of(moved)["code"]) == (404, "not-found")
    plain = server.send(request("POST /v1/games/g_x/moves", *headers, body=b"{}"))
    assert (status_of(plain), problem_of(plain)["code"]) == (401, "key-required")


@pytest.mark.parametrize("header", ["PATH_INFO: /metrics", "Path-Info: /metrics", "X-Original-URL: /metrics"])
def test_a_script_name_header_is_ignored(server: Gunicorn, header: str) -> None:
    assert status_of(server.send(request("GET /v1/nothing", header))) == 404
    assert b"alive" in server.send(request("GET /healthz", header))


@pytest.mark.parametrize("path", ["//metrics", "/metrics/", "/v1/../metrics", "/v1/%2e%2e/metrics", "/./metrics"])
def test_only_one_path_reaches_a_call(server: Gunicorn, path: str) -> None:
    assert status_of(server.send(request(f"GET {path}"))) == 404


def test_a_forwarded_scheme_is_ignored(server: Gunicorn) -> None:
    """gunicorn would refuse contradictory headers if it used them."""
    claims = ("X-Forwarded-Proto: https", "X-Forwarded-Ssl: off", "X-Forwarded-Protocol: ssl")
    assert status_of(server.send(request("GET /healthz", *claims))) == 200


def test_a_key_in_an_ambiguous_header_is_ignored(server: Gunicorn) -> None:
    answer = server.send(
        request("POST /v1/players", "Content-Type: application/json", "Content-Length: 14", body=b'{"name":"ada"}')
    )
    key = problem_of(answer)["key"]
    for name in ("AUTHORIZATION_", "HTTP_AUTHORIZATION", "Authorization_"):
        assert status_of(server.send(request("GET /v1/me", f"{name}: Bearer {key}"))) == 401
    assert status_of(server.send(request("GET /v1/me", f"Authorization: Bearer {key}"))) == 200


def problem_of(answer: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(answer.partition(b"\r\n\r\n")[2])
    return found


MARK = "marked-by-the-client"
ADDRESS = "127.0.0.77"

MALFORMED: dict[str, tuple[bytes, int]] = {
    "no version": (f"GET /{MARK}?q={MARK}\r\n\r\n".encode(), 400),
    "another version": (f"GET /{MARK}?q={MARK} HTTP/9.9\r\nHost: x\r\n\r\n".encode(), 400),
    "another protocol": (f"{MARK}\r\n\r\n".encode(), 400),
    "a method in small letters": (f"get{MARK} /?q={MARK} HTTP/1.1\r\n\r\n".encode(), 400),
    "a control character in the path": (f"GET /{MARK}\x01 HTTP/1.1\r\n\r\n".encode(), 400),
    "a byte that is not ASCII": (f"GET /{MARK}?q={MARK}".encode() + b"\xff HTTP/1.1\r\n\r\n", 400),
    "a long line": (f"GET /{MARK}?q={'x' * 9000} HTTP/1.1\r\n\r\n".encode(), 414),
    "a bad header": (request(f"GET /?q={MARK}", f"{MARK}"), 400),
    "a bad name": (request(f"GET /?q={MARK}", f"{MARK}(): {MARK}"), 400),
    "a control character in a header": (request(f"GET /?q={MARK}", f"X: {MARK}\x00"), 400),
    "a folded header": (request(f"GET /?q={MARK}", f"X: {MARK}", f" {MARK}"), 400),
    "a long header": (request(f"GET /?q={MARK}", f"X: {MARK}{'x' * 9000}"), 431),
    "many headers": (request(f"GET /?q={MARK}", *(f"X-{n}: {MARK}" for n in range(200))), 431),
    "two hosts": (request(f"GET /?q={MARK}", f"Host: {MARK}"), 400),
    "an expectation": (request(f"GET /?q={MARK}", f"Expect: {MARK}"), 417),
    "another coding": (request(f"GET /?q={MARK}", f"Transfer-Encoding: {MARK}"), 501),
    "a bad length": (request(f"POST /?q={MARK}", f"Content-Length: {MARK}"), 400),
    "two lengths": (request(f"POST /?q={MARK}", "Content-Length: 1", "Content-Length: 2"), 400),
    "length and chunks": (request(f"POST /?q={MARK}", "Content-Length: 1", "Transfer-Encoding: chunked"), 400),
}
"""Malformed requests with the status of the answer."""

UNFINISHED = (
    b"",
    b"GET",
    f"GET /{MARK}?q={MARK} HTTP/1.1\r\n".encode(),
    request(f"POST /v1/players?q={MARK}", "Content-Type: application/json", "Content-Length: 99", body=MARK.encode()),
    request(
        f"POST /v1/players?q={MARK}", "Content-Type: application/json", "Transfer-Encoding: chunked", body=MARK.encode()
    ),
)


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gunicorn]:
    """A server that logs as much as possible."""
    directory: Path = tmp_path_factory.mktemp("web")
    options = ("--log-level", "debug", "--access-logfile", "-", "--access-logformat", '%(h)s "%(r)s" %(q)s %(a)s')
    with Gunicorn(directory, *options, LOG_LEVEL="DEBUG") as running:
        yield running


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_request_is_answered_with_a_problem_and_not_logged(talkative: Gunicorn, kind: str) -> None:
    data, status = MALFORMED[kind]
    answer = talkative.send(data, ADDRESS)
    assert status_of(answer) == status, answer
    assert b"\r\nContent-Type: application/problem+json\r\n" in answer
    assert MARK.encode() not in answer
    problem = problem_of(answer)
    validator("Problem").validate(problem)
    assert (problem["status"], PROBLEMS[problem["code"]].status) == (status, status)
    eventually(lambda: f"request={problem['request_id']}" in talkative.log())
    assert_discreet(talkative)


def test_the_log_has_no_client_address_and_no_query(talkative: Gunicorn) -> None:
    for data in (*UNFINISHED, request(f"GET /healthz?q={MARK}", f"User-Agent: {MARK}", f"Referer: http://{MARK}/")):
        talkative.send(data, ADDRESS)
    for data in UNFINISHED:
        reset(talkative, data)
    stream = request(f"GET /v1/games/g_none/events?q={MARK}", "Accept: text/event-stream")
    talkative.send(stream, ADDRESS)
    answer = talkative.send(request("GET /healthz", "X-Request-Id: the-last-one"), ADDRESS)
    assert status_of(answer) == 200
    eventually(lambda: "request=the-last-one" in talkative.log())
    assert_discreet(talkative)


def reset(server: Gunicorn, data: bytes) -> None:
    """Send bytes and reset the connection."""
    with socket.create_connection(("127.0.0.1", server.port), source_address=(ADDRESS, 0)) as connection:
        connection.sendall(data)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def assert_discreet(server: Gunicorn) -> None:
    log = server.log_since_start()
    assert "request=" in log
    assert [line for line in log.splitlines() if MARK in line or "127.0.0." in line] == []


def test_readiness_writes_at_most_once_per_second(talkative: Gunicorn) -> None:
    redis = talkative.redis.client()
    redis.config_resetstat()
    began = float(redis.time()[0])
    callers = [threading.Thread(target=ask_for_readiness, args=(talkative, 25)) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
    seconds = float(redis.time()[0]) - began
    writes = int(redis.info("commandstats").get("cmdstat_set", {"calls": 0})["calls"])
    assert 1 <= writes <= seconds + 2


def ask_for_readiness(server: Gunicorn, times: int) -> None:
    for _ in range(times):
        assert status_of(server.send(request("GET /readyz"))) == 200


def test_readiness_reports_a_lost_log_and_its_return(tmp_path: Path) -> None:
    with Gunicorn(tmp_path) as server:
        assert status_of(server.send(request("GET /readyz"))) == 200
        server.redis.kill()
        eventually(lambda: status_of(server.send(request("GET /readyz"))) == 503)
        server.redis.start()
        eventually(lambda: status_of(server.send(request("GET /readyz"))) == 200)
