"""A small load generator that sends prepared requests over several connections, one at a time on each."""

import selectors
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass
class Result:
    """The measurements of a run."""

    requests: int
    seconds: float
    latencies_ms: list[float]
    statuses: dict[str, int]

    @property
    def per_second(self) -> float:
        return self.requests / self.seconds

    def percentile(self, share: float) -> float:
        ordered = sorted(self.latencies_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def request(method: str, path: str, key: str | None = None, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: keep-alive"]
    if key:
        lines.append(f"Authorization: Bearer {key}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _is_complete(data: bytearray) -> bool:
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return False
    head = bytes(data[:end]).lower()
    at = head.find(b"content-length:")
    length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    return len(data) >= end + 4 + length


def run(port: int, sequences: Iterable[Iterator[bytes]], seconds: float) -> Result:
    """Send each sequence of requests over its own connection, until the time is over or all requests are sent."""
    selector = selectors.DefaultSelector()
    latencies: list[float] = []
    statuses: dict[str, int] = {}
    for sequence in sequences:
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        state = [connection, iter(sequence), bytearray(), 0.0]
        selector.register(connection, selectors.EVENT_READ, state)
    began = time.perf_counter()
    for key in list(selector.get_map().values()):
        _send_next(selector, key.data)
    deadline = began + seconds
    while selector.get_map() and time.perf_counter() < deadline:
        for key, _ in selector.select(0.5):
            state = key.data
            data = state[0].recv(65536)
            if not data:
                raise ConnectionError("the server closed a connection")
            state[2] += data
            if _is_complete(state[2]):
                latencies.append((time.perf_counter() - state[3]) * 1000)
                status = bytes(state[2][9:12]).decode()
                statuses[status] = statuses.get(status, 0) + 1
                state[2].clear()
                _send_next(selector, state)
    duration = time.perf_counter() - began
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return Result(len(latencies), duration, latencies, statuses)


def _send_next(selector, state) -> None:
    following = next(state[1], None)
    if following is None:
        selector.unregister(state[0])
        state[0].close()
        return
    state[3] = time.perf_counter()
    state[0].sendall(following)
