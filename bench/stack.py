"""Starts the processes of the service on free ports, as `make run` does."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

from redis import Redis

from referee.ops.embedded import start_redis
from referee.ops.run import await_redis

READY_SECONDS_MAX = 30
WARMING_REQUESTS = 20
LIMITS = (
    *("RATE_PLAYER", "RATE_ADDRESS", "RATE_REGISTRATIONS", "STREAMS_PLAYER", "STREAMS_ADDRESS"),
    *("OPEN_GAMES", "BOT_GAMES"),
)
LIMIT = "1000000000"
"""Calls are counted as usual, but no limit is ever reached."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_web(port: int) -> None:
    """Wait until every web process answers, with any status."""
    deadline = time.monotonic() + READY_SECONDS_MAX
    for _ in range(WARMING_REQUESTS):
        while True:
            connection = HTTPConnection("127.0.0.1", port, timeout=READY_SECONDS_MAX)
            try:
                connection.request("GET", "/")
                connection.getresponse().read()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            finally:
                connection.close()


@contextlib.contextmanager
def redis(fsync: str = "always") -> Iterator[str]:
    """Run the two Redis servers of `make run`; yields the URL of the log's, and sets that of the queues."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as directory:
        log, url = start_redis(Path(directory) / "redis", fsync)
        queue, os.environ["QUEUE_REDIS_URL"] = start_redis(Path(directory) / "queue", None)
        try:
            await_redis(url)
            await_redis(os.environ["QUEUE_REDIS_URL"])
            yield url
        finally:
            del os.environ["QUEUE_REDIS_URL"]
            for process in (log, queue):
                process.terminate()
                process.wait()


@contextlib.contextmanager
def web(url: str, application: str, processes: int = 2, **settings: str) -> Iterator[int]:
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as metrics:
        environment = {**os.environ, "REDIS_URL": url, "PROMETHEUS_MULTIPROC_DIR": metrics, **settings}
        environment.setdefault("LOG_LEVEL", "INFO")
        environment |= {name: LIMIT for name in LIMITS if name not in settings}
        command = [sys.executable, "-m", "gunicorn", application, "--worker-class", "referee.ops.server.Worker"]
        command += [
            "--name",
            f"127.0.0.1:{port}",
            "--bind",
            f"127.0.0.1:{port}",
            "--workers",
            str(processes),
            "--keep-alive",
            "30",
        ]
        command += ["--worker-connections", "10000", "--log-level", "error", "--backlog", "4096"]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        try:
            await_web(port)
            yield port
        finally:
            process.terminate()
            process.wait()


@contextlib.contextmanager
def sweep(url: str) -> Iterator[None]:
    environment = {**os.environ, "REDIS_URL": url}
    process = subprocess.Popen([sys.executable, "-m", "workers.sweep"], env=environment, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def worker(url: str, *queues: str) -> Iterator[None]:
    environment = {**os.environ, "REDIS_URL": url}
    command = [sys.executable, "-m", "workers.worker", *queues]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    redis_client = Redis.from_url(os.environ["QUEUE_REDIS_URL"])
    deadline = time.monotonic() + READY_SECONDS_MAX
    while not redis_client.smembers("rq:workers"):
        if time.monotonic() > deadline:
            raise TimeoutError(f"the worker did not start within {READY_SECONDS_MAX} seconds")
        time.sleep(0.05)
    try:
        yield
    finally:
        process.terminate()
        process.wait()
