"""What a hostile client can do over real connections. Each attack returns its figures and its faults."""

import contextlib
import random
import resource
import select
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import msgspec

from referee.kernel.judge import legal_moves
from referee.rulesets import LATEST
from referee.service.limits import WINDOW_S
from tests.campaigns.hostile.fuzz import Findings, Fuzzer
from tests.campaigns.leaks.positions import some_positions
from tests.service import Client, Service
from tests.waiting import eventually

Report = tuple[str, list[str]]
"""The figures of an attack, and its faults."""

MEGABYTE = 1 << 20
FLOOD_MINUTES_MAX = 3
"""The most minutes until a flood meets its limit; a slow machine starts again with each new minute."""
NONSENSE_OF_ONE = 50
"""The calls after which the attacker takes another name, to stay within the limit."""
STREAMS_OF_ONE = 100
"""The streams that are opened with one key, to stay within the limit of calls."""


def raise_file_limit() -> None:
    """Let this process hold as many connections as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def connect(service: Service, receive_bytes: int | None = None) -> socket.socket:
    """A connection, with a small receive buffer if the client is to read little."""
    connection = socket.socket()
    if receive_bytes is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    connection.settimeout(20)
    address = urlsplit(service.url)
    connection.connect((address.hostname, address.port))
    return connection


def head(line: str, key: str | None, *headers: str) -> bytes:
    """The head of a request."""
    authorization = (f"Authorization: Bearer {key}",) if key else ()
    lines = (f"{line} HTTP/1.1", "Host: localhost", *authorization, *headers, "", "")
    return "\r\n".join(lines).encode("latin-1")


def slow_clients(service: Service, attacker: Client, count: int, patience_s: float) -> Report:
    """Connections that are silent, or send a byte of a head or body now and then: all are closed in time."""
    body = head("POST /v1/games", attacker.key, "Content-Type: application/json", "Content-Length: 9000")
    beginnings = (b"", b"GET / HTTP/1.1\r\nX-Slow: ", body)
    opened = [connect(service) for _ in range(count)]
    for number, connection in enumerate(opened):
        connection.sendall(beginnings[number % len(beginnings)])
    began, waiting = time.monotonic(), {each.fileno(): (at, each) for at, each in enumerate(opened)}
    while waiting and time.monotonic() < began + patience_s:
        ready, _, _ = select.select(list(waiting), [], [], 0.5)
        for fd in ready:
            with contextlib.suppress(OSError):
                if waiting[fd][1].recv(65536):
                    continue
            waiting.pop(fd)[1].close()
        for at, connection in waiting.values():
            with contextlib.suppress(OSError):
                connection.sendall(b"" if at % len(beginnings) == 0 else b"a")
    for _, connection in waiting.values():
        connection.close()
    faults = [f"{len(waiting)} slow connections were still open after {patience_s:g} s"] if waiting else []
    return f"{count} slow connections, all ended within {time.monotonic() - began:.1f} s", faults


def big_requests(service: Service, attacker: Client, rounds: int) -> Report:
    """Bodies that are too long or nested too deeply, and heads that are too long: each is refused."""
    json = "Content-Type: application/json"
    moves, chunked = "POST /v1/games", "Transfer-Encoding: chunked"
    shapes = (
        head(moves, attacker.key, json, f"Content-Length: {10 * MEGABYTE}"),
        head(moves, attacker.key, json, chunked)
        + b"40000\r\n"
        + b" " * 0x40000
        + b"\r\n"
        + b"40000\r\n"
        + b" " * 0x40000,
        *(_whole(attacker, body) for body in (b"[" * 200_000, b'{"a":' * 40_000, b"9" * 200_000, b'"\\ud800"' * 9)),
        head(f"GET /v1/games?{'a' * 9000}", attacker.key),
        head("GET /v1/me", attacker.key, *(f"X-{number}: {'a' * 100}" for number in range(300))),
        head("GET /v1/me", attacker.key, f"X-Long: {'a' * 70_000}"),
        head("GET /v1/games/" + "%00" * 2000, attacker.key),
        b"\x00" * 5000,
    )
    statuses: Counter[str] = Counter()
    for _ in range(rounds):
        for shape in shapes:
            with connect(service) as connection, contextlib.suppress(OSError):
                connection.sendall(shape)
                statuses[connection.recv(4096)[9:12].decode("latin-1") or "ended"] += 1
    faults = [f"{count} big requests were answered {status}" for status, count in statuses.items() if status[0] in "25"]
    return f"{rounds * len(shapes)} big requests: {dict(statuses)}", faults


def _whole(attacker: Client, body: bytes) -> bytes:
    content = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    return head("POST /v1/games", attacker.key, *content) + body


def nonsense(service: Service, attacker: Client, count: int, rng: random.Random) -> Report:
    """Mutated moves and positions of every title: none is answered with a 5xx."""
    statuses: Counter[int] = Counter()
    faults: list[str] = []
    for ruleset in LATEST.values():
        fuzzer, source = Fuzzer(ruleset, rng, Findings()), some_positions(ruleset.slug, rng)
        for number in range(count):
            if number % NONSENSE_OF_ONE == 0:
                attacker = service.player("attacker")
            position = next(source)
            seat = next((decision.seat for decision in ruleset.awaited(position)), 0)
            legal = [msgspec.to_builtins(move) for move in legal_moves(ruleset, position, seat)[:50]] or [{}]
            game = {"ruleset": ruleset.slug, "seats": ["me"] * len(position.seats)}
            question = {"position": position, "actor": seat, "move": fuzzer.grown(legal, position)}
            asked = (
                ("/games", {**game, "position": fuzzer.changed(position)}),
                (f"/rulesets/{ruleset.slug}/judge", question),
            )
            for path, body in asked:
                data = msgspec.json.encode(body)
                answer = attacker.post(path, data=data, headers={"Content-Type": "application/json"})
                statuses[answer.status_code] += 1
                if answer.status_code >= 500:
                    faults.append(f"{path} {answer.status_code}: {data.decode()}")
                elif path == "/games" and answer.status_code == 201:
                    statuses[attacker.get(f"/games/{answer.json()['id']}/legal-moves").status_code] += 1
    faults += [f"{statuses[status]} answers {status} to nonsense" for status in statuses if status >= 500]
    return f"{sum(statuses.values())} requests of nonsense: {dict(statuses)}", faults


def resident_bytes(service: Service, part: str = "gunicorn") -> int:
    """The resident memory of all processes with this text in their command line; by default the web processes."""
    pids = ",".join(map(str, service.pids(part)))
    rows = subprocess.run(["ps", "-o", "rss=", "-p", pids], capture_output=True, text=True, check=True).stdout
    return sum(int(row) * 1024 for row in rows.split())


@contextlib.contextmanager
def listening(service: Service, game: str, count: int, receive_bytes: int | None = None) -> Iterator[None]:
    """Event streams of a game that are not read beyond their headers."""
    streams = []
    for number in range(count):
        if number % STREAMS_OF_ONE == 0:
            key = service.player("listener").key
            request = head(f"GET /v1/games/{game}/events", key, "Accept: text/event-stream")
        stream = connect(service, receive_bytes)
        stream.sendall(request)
        assert stream.recv(12) == b"HTTP/1.1 200"
        streams.append(stream)
    try:
        yield
    finally:
        for stream in streams:
            stream.close()


def idle_streams(service: Service, attacker: Client, count: int, bytes_max: int) -> Report:
    """Thousands of idle streams: each takes little memory, which is freed afterwards."""
    raise_file_limit()
    game = attacker.started("me", "me")["id"]
    before = resident_bytes(service)
    with listening(service, game, count):
        each = (resident_bytes(service) - before) / count
    eventually(lambda: _streams(service) == 0, 30, 0.2)
    faults = [f"an idle stream takes {each:.0f} bytes"] if each > bytes_max else []
    return f"{count} idle streams, {each:.0f} bytes of memory each", faults


def _streams(service: Service) -> float:
    """The number of open event streams according to the metrics."""
    rows = service.nobody().call("GET", "/metrics").text.splitlines()
    return sum(float(row.rpartition(" ")[2]) for row in rows if row.startswith("referee_streams"))


def unread_streams(service: Service, attacker: Client, count: int) -> Report:
    """Unread streams of a game of bots: the data that waits for them is bounded, and the game continues."""
    bots = attacker.create({"bot": "random"}, {"bot": "random"}, ruleset="explorers-and-pirates")["id"]
    before = resident_bytes(service)
    with listening(service, bots, count, 4096):
        eventually(lambda: attacker.game(bots)["version"] > 100 or attacker.game(bots)["status"] == "finished", 60, 0.2)
        each = (resident_bytes(service) - before) / count
        version = attacker.game(bots)["version"]
    faults = [f"an unread stream takes {each:.0f} bytes"] if each > MEGABYTE else []
    return f"{count} unread streams over {version} commits, {each:.0f} bytes of memory each", faults


FLOOD = """
import sys, itertools
from bench.load import request, run
port, key, game, seconds = int(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
asked = [request("GET", f"/v1/games/{game}", key), request("POST", f"/v1/games/{game}/moves", key, b'{"type": "x"}')]
result = run(port, [itertools.cycle(asked) for _ in range(16)], seconds)
print(*(f"{status}:{count}" for status, count in sorted(result.statuses.items())))
"""


def flood(service: Service, attacker: Client, seconds: float, quota: int) -> Report:
    """One key calls as often as possible over 16 connections, from another process, until it meets its limit."""
    game = attacker.started("me", "me")["id"]
    statuses: Counter[str] = Counter()
    first, last, rounds = _minute(), _minute(), 0
    while not statuses["429"] and last - first < FLOOD_MINUTES_MAX:
        output = subprocess.run(
            [sys.executable, "-c", FLOOD, str(service.port), str(attacker.key), game, str(seconds)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        statuses.update({status: int(count) for status, count in (pair.split(":") for pair in output)})
        last, rounds = _minute(), rounds + 1
    answered = statuses.total() - statuses["429"]
    faults = [f"{statuses[status]} calls of the flood were answered {status}" for status in statuses if status >= "5"]
    if not statuses["429"]:
        faults.append(f"the flood met no limit: {dict(statuses)}")
    if answered > quota * (last - first + 1):
        faults.append(f"{answered} calls were answered, and {quota} are allowed in a minute")
    return f"{statuses.total()} calls with one key in {rounds * seconds:g} s: {dict(statuses)}", faults


def _minute() -> int:
    return int(time.time() // WINDOW_S)
