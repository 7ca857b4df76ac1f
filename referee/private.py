"""Directories and files that only their owner can read: the seeds of running games are in them."""

import os
import stat
import tempfile
from hashlib import sha256
from pathlib import Path

UMASK = 0o077
"""What every process of the service withholds from others when it creates a file."""

DIRECTORY_MODE = 0o700
FILE_MODE = 0o600


class Unusable(Exception):
    """The service cannot keep its data here."""


def make_private(directory: Path) -> None:
    """Create a directory for this user alone, or close an existing one to others, with all it holds; raises Unusable.

    From the top down: once a directory is closed, nobody can exchange what is in it.
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
        return  # a server that runs here has removed it meanwhile
    except PermissionError:
        raise Unusable(f"{path} belongs to another user.") from None


def close_to_others(directory: Path) -> None:
    """Create the directory around those of the servers, or close it to others; raises Unusable.

    The rest of what it holds stays as it is; so does a directory of root's, or one that users share, like `/tmp`.
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
    """Whether this is a directory, not a link to one, that belongs to this user and is closed to others."""
    try:
        found = directory.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & UMASK


def short_directory(directory: Path, link: str) -> Path:
    """A private directory with a short path and a name that nobody can foresee; a link in the other remembers it.

    The name also depends on the other's path: a copy of that directory, link included, gets one of its own.
    """
    remembered = directory / link
    prefix = f"referee-{sha256(os.fsencode(directory.resolve())).hexdigest()[:12]}-"
    if remembered.is_symlink():
        short = remembered.readlink()
        if is_private(short) and short.name.startswith(prefix):
            return short
        remembered.unlink()
    short = Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp"))
    remembered.symlink_to(short)
    return short
