"""A disposable Redis for tests: the server that `make run` starts, in its own directory."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from redis import BusyLoadingError, ConnectionError, Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from referee.ops.aof import DIRECTORY, MANIFEST
from referee.ops.embedded import socket_path, start_redis

PATIENCE = Retry(ConstantBackoff(0.02), 500)
"""A server that starts has ten seconds to answer."""


def growing_file(directory: Path) -> Path:
    """The append-only file that a server appends to: the last one in its manifest."""
    files = directory / DIRECTORY
    return files / (files / MANIFEST).read_text().splitlines()[-1].split()[1]


class RedisServer:
    """A Redis with append-only files; what it has answered survives `kill`."""

    def __init__(self, directory: Path, binary: str = os.environ.get("REDIS_SERVER", "")) -> None:
        self.directory = directory
        self.binary = binary
        self.url = f"unix://{socket_path(directory)}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> "RedisServer":
        """Start the server and wait until it answers.

        It syncs always, as in `make run`: with `everysec` Redis may answer before it writes, while a sync is running.
        """
        self._process, self.url = start_redis(self.directory, "always", server=self.binary)
        waiting = Redis.from_url(self.url, retry=PATIENCE, retry_on_error=[ConnectionError, BusyLoadingError])
        with waiting:
            waiting.ping()
        return self

    def client(self) -> Redis:
        """A new client with its own connections."""
        return Redis.from_url(self.url)

    def stop(self) -> None:
        """Stop the server cleanly; does nothing if it is not running."""
        self._end(subprocess.Popen.terminate)

    def kill(self) -> None:
        """Stop the server as a power cut would, without writing anything more."""
        self._end(subprocess.Popen.kill)

    def _end(self, how: Callable[["subprocess.Popen[bytes]"], None]) -> None:
        if self._process is not None:
            how(self._process)
            self._process.wait(timeout=10)
            self._process = None
