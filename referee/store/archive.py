"""The archive: packed games as files under one directory, which can be a mounted bucket or a network disk.

The files contain the seeds of finished games, and texts that players wrote, but no names and no ids of players.
"""

import contextlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import unquote, urlsplit

from referee.store.packed_game import ArchiveUnavailable

FILE_BYTES_MAX = 40 << 20
"""A longer file is not ours, and is not read."""

WRITING = ".writing"
"""The directory of files that are just being written."""

_GAME = re.compile(r"g_[0-9a-f]{24}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)

T = TypeVar("T")


class Aside(Protocol):
    """Runs work elsewhere, so that other requests are served meanwhile, and waits for it."""

    def __call__(self, work: Callable[[], T], /) -> T:
        """The result of the work."""


class InvalidArchive(ValueError):
    """The URL of the archive cannot be used."""


def root_of(url: str) -> Path:
    """The directory of an archive's URL; raises InvalidArchive."""
    parts = urlsplit(url)
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc or parts.query or parts.fragment or not path.startswith("/"):
        raise InvalidArchive("expected the URL of a directory with an absolute path, such as file:///srv/referee")
    return Path(path)


class Archive:
    """Packed games in a directory. Nothing outside it is ever read or written, whatever a head says.

    The name of a file follows from the game and from the hash of its bytes, so no file is ever changed.
    """

    def __init__(self, root: Path, aside: Aside) -> None:
        self._root = root
        self._aside = aside

    def keep(self, game: str, hash: str, blob: bytes) -> None:
        """Write a file with these bytes, which have this hash, and read it back; raises ArchiveUnavailable."""
        file = self._file(game, hash)
        with _as_unavailable():
            self._aside(lambda: _write(self._root, file, blob))
        if self.read(game, hash) != blob:
            raise ArchiveUnavailable("the archive does not return what was written")

    def read(self, game: str, hash: str) -> bytes:
        """The bytes of a game's file; raises ArchiveUnavailable."""
        file = self._file(game, hash)
        with _as_unavailable():
            return self._aside(lambda: _read(file))

    def keep_only(self, game: str, hash: str) -> None:
        """Remove every file of a game but that with this hash; raises ArchiveUnavailable."""
        file = self._file(game, hash)
        with _as_unavailable():
            self._aside(lambda: _keep_only(self._root, game, file))

    def _file(self, game: str, hash: str) -> Path:
        """The file of a game; raises ArchiveUnavailable for names that this service does not give."""
        if _GAME.fullmatch(game) is None or _HASH.fullmatch(hash) is None:
            raise ArchiveUnavailable("the archive has no file of this name")
        return self._root / game[2:4] / f"{game}-{hash[:16]}.jsonl.xz"


def _write(root: Path, file: Path, blob: bytes) -> None:
    """Write under a temporary name, and give the file its name when the disk has it."""
    if not root.is_dir():
        raise FileNotFoundError(f"{root} is not there")
    for folder in (root / WRITING, file.parent):
        folder.mkdir(mode=0o700, exist_ok=True)
    temporary = root / WRITING / f"{file.name}.{secrets.token_hex(8)}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(blob)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.rename(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    for folder in (file.parent, root):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _read(file: Path) -> bytes:
    with open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW), "rb") as stream:
        blob = stream.read(FILE_BYTES_MAX + 1)
    if len(blob) > FILE_BYTES_MAX:
        raise OSError("the file is too long")
    return blob


def _keep_only(root: Path, game: str, kept: Path) -> None:
    """Remove the other files of a game, those included that a process had begun to write when it died."""
    if not root.is_dir():
        raise FileNotFoundError(f"{root} is not there")
    for folder in (kept.parent, root / WRITING):
        for file in folder.glob(f"{game}-*"):
            if not file.name.startswith(kept.name):
                file.unlink(missing_ok=True)


@contextlib.contextmanager
def _as_unavailable() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ArchiveUnavailable(f"the archive cannot be used: {error}") from None
