"""Measures how soon thousands of subscribers of one game receive a commit as a server-sent event."""

import os
import re
import resource
import selectors
import socket
import subprocess
import time

from bench.games import Pair, ScriptedGame, open_repository
from bench.load import request
from bench.stack import redis, web

COMMITS = 20


def raise_limit() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def resident_bytes(port: int) -> int:
    """Return the memory of the only web worker that listens on the port."""
    rows = subprocess.run(["ps", "-ww", "-eo", "pid,ppid,rss,args"], capture_output=True, text=True, check=True).stdout
    found = [row.split(None, 3) for row in rows.splitlines() if f"127.0.0.1:{port}" in row and "gunicorn" in row]
    pids = {row[0] for row in found}
    return max(int(row[2]) * 1024 for row in found if row[1] in pids)


def subscribe(port: int, game: str, count: int) -> tuple[selectors.BaseSelector, list[socket.socket]]:
    selector = selectors.DefaultSelector()
    connections = []
    head = request("GET", f"/v1/games/{game}/events?after=1").replace(
        b"Connection: keep-alive", b"Accept: text/event-stream"
    )
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(head)
        connections.append(connection)
        data = b""
        while b"\r\n\r\n" not in data:
            data += connection.recv(4096)
        assert b" 200 " in data.split(b"\r\n", 1)[0] + b" ", data
        connection.setblocking(False)
        selector.register(connection, selectors.EVENT_READ)
    return selector, connections


def measure(count: int) -> dict[str, float]:
    """Return the milliseconds from an append to its arrival at each subscriber, and the bytes per subscriber."""
    raise_limit()
    with redis() as url, web(url, "wsgi:app", processes=1, HEARTBEAT_SECONDS="60", LOG_LEVEL="WARNING") as port:
        repository = open_repository(url)
        game = ScriptedGame(repository, Pair(repository), 1)
        _, few = subscribe(port, game.game.id, 10)
        before = resident_bytes(port)
        selector, connections = subscribe(port, game.game.id, count)
        per_subscriber = (resident_bytes(port) - before) / count
        delays: list[float] = []
        for number in range(COMMITS):
            pattern = re.compile(b"^id: %d$" % (number + 2), re.M)
            waiting = set(connections)
            began = time.perf_counter()
            game.commit(1)
            while waiting:
                for key, _ in selector.select(5):
                    data = key.fileobj.recv(65536)
                    if key.fileobj in waiting and (pattern.search(data)):
                        delays.append((time.perf_counter() - began) * 1000)
                        waiting.discard(key.fileobj)
        for connection in (*connections, *few):
            connection.close()
        delays.sort()
        return {
            "p50_ms": delays[len(delays) // 2],
            "p99_ms": delays[int(len(delays) * 0.99)],
            "bytes_per_subscriber": per_subscriber,
            "cores": os.cpu_count() or 0,
        }


if __name__ == "__main__":
    for count in (50, 1000, 5000):
        print(count, measure(count))
