"""Directories and files that only their owner can read, because they hold the seeds of running games."""

import os
import stat
import tempfile
from hashlib import sha256
from pathlib import Path

UMASK = 0o077
"""The umask of every process of the service."""

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600


class Unusable(Exception):
    """The service cannot use this directory for its data."""


def make_private(directory: Path) -> None:
    """Create a directory that only this user can read, or close an existing one and its content; raises Unusable.

    It works from the top down: nobody else can replace anything inside a directory that is closed.
    """
    _create(directory)
    if directory.lstat().st_uid not in (0, os.geteuid()) or directory.stat().st_uid != os.geteuid():
        raise Unusable(f"{directory} belongs to another user: remove it, or choose another directory.")
    directory.chmod(DIRECTORY_MODE)
    for folder, folders, files in os.walk(directory):
        for names, mode in ((folders, DIRECTORY_MODE), (files, FILE_MODE)):
            for name in names:
                _close(Path(folder, name), mode)


def _close(path: Path, mode: int) -> None:
    try:
        if not path.is_symlink():
            path.chmod(mode)
    except FileNotFoundError:
        return  # a running server has just removed it
    except PermissionError:
        raise Unusable(f"{path} belongs to another user.") from None


def close_to_others(directory: Path) -> None:
    """Create the parent directory of the servers' directories, or close it to others; raises Unusable.

    Its other content is not changed, and neither is a directory that belongs to root or is shared, like `/tmp`.
    """
    _create(directory)
    found = directory.stat()
    is_shared = bool(found.st_mode & stat.S_ISVTX)
    if found.st_uid == os.geteuid() and not is_shared:
        directory.chmod(DIRECTORY_MODE)
    elif found.st_uid not in (0, os.geteuid()) or (found.st_mode & 0o022 and not is_shared):
        raise Unusable(f"Other users can change {directory}: choose another directory.")


def _create(directory: Path) -> None:
    try:
        directory.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{directory} cannot be created: {error.strerror}.") from None


def is_private(directory: Path) -> bool:
    """Whether this is a directory, not a link, that belongs to this user and that others cannot read."""
    try:
        found = directory.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & UMASK


def short_directory(directory: Path, link: str) -> Path:
    """Return a private directory with a short path and an unpredictable name, which a link in the long one points to.

    The name also depends on the path of the long directory, so that a copy of it gets a short directory of its own.
    """
    pointer = directory / link
    prefix = f"referee-{sha256(os.fsencode(directory.resolve())).hexdigest()[:12]}-"
    if pointer.is_symlink():
        short = pointer.readlink()
        if is_private(short) and short.name.startswith(prefix):
            return short
        pointer.unlink()
    short = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))
    pointer.symlink_to(short)
    return short
