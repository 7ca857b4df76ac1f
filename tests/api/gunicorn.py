"""Starts gunicorn with other options than `make run`, as an operator may."""

import contextlib
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from tests.redis_server import RedisServer
from tests.service import ROOT, free_port
from tests.waiting import eventually


class Gunicorn:
    """One web process with a Redis of its own, on a port or a unix socket."""

    def __init__(self, directory: Path, *options: str, on_socket: bool = False, **environment: str) -> None:
        self.port = free_port()
        self.path = directory / "web.sock" if on_socket else None
        self.log_path = directory / "web.log"
        self.redis = RedisServer(directory / "redis")
        self._options = options
        self._environment = environment

    def __enter__(self) -> "Gunicorn":
        self.redis.start()
        bind = f"127.0.0.1:{self.port}" if self.path is None else f"unix:{self.path}"
        command = [sys.executable, "-m", "gunicorn", "wsgi:app", "--worker-class", "referee.ops.server.Worker"]
        environment = {**os.environ, "REDIS_URL": self.redis.url, "OPEN_REGISTRATION": "true", **self._environment}
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--bind", bind, *self._options], cwd=ROOT, env=environment, stdout=log, stderr=log
            )
        eventually(self._answers, 60, 0.05)
        self._started = len(self.log())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(30)
        self.redis.stop()

    def _answers(self) -> bool:
        assert self._process.poll() is None, self.log()
        try:
            return self.send(request("GET /healthz")).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def send(self, data: bytes, source: str = "127.0.0.1") -> bytes:
        """Send bytes from an address of this machine, and return everything that comes back."""
        with self._connect(source) as connection:
            received = b""
            # A server that is sent more than it reads answers and resets the connection.
            with contextlib.suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                while more := connection.recv(65536):
                    received += more
            return received

    def _connect(self, source: str) -> socket.socket:
        if self.path is not None:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(20)
            connection.connect(str(self.path))
            return connection
        return socket.create_connection(("127.0.0.1", self.port), timeout=20, source_address=(source, 0))

    def log(self) -> str:
        return self.log_path.read_text(errors="replace")

    def log_since_start(self) -> str:
        """Return what the server has logged since its start, without the settings that it logs at first."""
        return self.log()[self._started :]


def request(line: str, *headers: str, body: bytes = b"") -> bytes:
    """Return the bytes of a request that closes the connection."""
    lines = (f"{line} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", "")
    return "\r\n".join(lines).encode("latin-1") + body


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])
