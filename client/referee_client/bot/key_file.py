"""The file that holds the key. It belongs to its owner alone, and one runner at a time uses it."""

import fcntl
import os
import stat
from pathlib import Path

from referee_client.bot.faults import AnotherRunner, Usage

BYTES_MAX = 4096


def open_key(path: Path) -> tuple[str, int]:
    """Return the key and the open file, which is locked until it is closed; raises Usage or AnotherRunner."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise Usage(f"The key file {path} cannot be read: {error.strerror}.") from None
    try:
        return _read(path, descriptor), descriptor
    except BaseException:
        os.close(descriptor)
        raise


def _read(path: Path, descriptor: int) -> str:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise Usage(f"The key file {path} is not a file.")
    if status.st_mode & 0o077 or status.st_uid != os.geteuid():
        raise Usage(f"Others can read or change the key file {path}. Make it yours alone: chmod 600 {path}")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise AnotherRunner(f"Another referee-bot already plays with the key file {path}. Stop it first.") from None
    try:
        key = os.read(descriptor, BYTES_MAX).decode("ascii").strip()
    except UnicodeDecodeError:
        key = ""
    if not key or not key.isprintable() or " " in key:
        raise Usage(f"The key file {path} must hold the key and nothing else, such as rk_k_…")
    return key
