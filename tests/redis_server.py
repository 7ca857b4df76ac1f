"""A throw-away Redis for tests: the server that `make run` starts, in a directory of its own."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from redis import BusyLoadingError, ConnectionError, Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from referee.aof import DIRECTORY, MANIFEST
from referee.embedded import socket_path, start_redis

PATIENCE = Retry(ConstantBackoff(0.02), 500)
"""A server that does not answer within ten seconds will not answer at all."""


def growing_file(directory: Path) -> Path:
    """The append-only file at whose end a server writes: the last that its manifest names."""
    files = directory / DIRECTORY
    return files / (files / MANIFEST).read_text().splitlines()[-1].split()[1]


class RedisServer:
    """A Redis with append-only files; what it has answered survives `kill`."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.url = f"unix://{socket_path(directory)}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "RedisServer":
        """Start the server and wait until it answers.

        Synced always, as in `make run`: with `everysec` Redis may answer before it writes, while a sync is under way.
        """
        self._process, self.url = start_redis(self.directory, "always")
        waiting = Redis.from_url(self.url, retry=PATIENCE, retry_on_error=[ConnectionError, BusyLoadingError])
        with waiting:
            waiting.ping()
        return self

    def client(self) -> Redis:
        """A new client with connections of its own."""
        return Redis.from_url(self.url)

    def stop(self) -> None:
        """Stop the server in order; harmless if it does not run."""
        self._end(subprocess.Popen.terminate)

    def kill(self) -> None:
        """Stop the server as a power cut would: no goodbye, nothing written that was not written before."""
        self._end(subprocess.Popen.kill)

    def _end(self, how: Callable[["subprocess.Popen[bytes]"], None]) -> None:
        if self._process is not None:
            how(self._process)
            self._process.wait(timeout=10)
            self._process = None
