"""A proxy to Redis that can kill a process at the worst moment: its append is written, its answer not read."""

import contextlib
import os
import signal
import socket
import struct
import threading
from collections import Counter
from pathlib import Path

from referee.store.scripts import APPEND_SHA

CHUNK = 1 << 20


class Crossing:
    """A proxy between the processes of a service and Redis that kills one of them on request."""

    def __init__(self, path: Path, target: str) -> None:
        self.url = f"unix://{path}"
        self.struck: list[int] = []
        """The processes that were killed here."""
        self.appends: Counter[int] = Counter()
        """The number of appends of each process."""
        self._target = target
        self._victims: set[int] = set()
        self._lock = threading.Lock()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen(100)
        threading.Thread(target=self._accept, daemon=True).start()

    def strike(self, *pids: int) -> None:
        """Kill the first of these processes whose next append has been written."""
        with self._lock:
            self._victims = set(pids)

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
                pid, _, _ = struct.unpack("3i", credentials)
                threading.Thread(target=self._serve, args=(client, pid), daemon=True).start()

    def _serve(self, client: socket.socket, pid: int) -> None:
        redis = socket.socket(socket.AF_UNIX)
        appends = threading.Event()
        with client, redis, contextlib.suppress(OSError):
            redis.connect(self._target)
            threading.Thread(target=self._answer, args=(client, redis, pid, appends), daemon=True).start()
            while data := client.recv(CHUNK):
                if APPEND_SHA.encode() in data:
                    appends.set()
                redis.sendall(data)

    def _answer(self, client: socket.socket, redis: socket.socket, pid: int, appends: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := redis.recv(CHUNK):
                if appends.is_set() and b"written" in data[:32]:
                    self._written(pid)
                appends.clear()
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)

    def _written(self, pid: int) -> None:
        with self._lock:
            self.appends[pid] += 1
            if pid in self._victims:
                self._victims = set()
                os.kill(pid, signal.SIGKILL)
                self.struck.append(pid)
