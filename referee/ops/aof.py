"""Copies the append-only files in which the embedded server stores everything.

A manifest in their directory lists the files in the order in which to read them. The server appends to the last file
only, and a server that rewrites the files changes the manifest first.
"""

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from referee.ops.private import DIRECTORY_MODE, FILE_MODE, Unusable

DIRECTORY = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
OUT_OF_USE = "type h"
"""How the manifest marks a file that the server is about to remove."""

FORMER_FILE = "appendonly.aof"
"""The single file of Redis 6.2. The server moves it into its directory, where Redis 6.2 can no longer read it."""

COPIES_MAX = 10
"""The number of attempts to copy while the server rewrites its files."""


def copy_files(source: Path, target: Path) -> None:
    """Copy the append-only files of a directory, even while a server writes to it; raises Unusable."""
    for _ in range(COPIES_MAX):
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(mode=DIRECTORY_MODE)
        manifest = (source / MANIFEST).read_text()
        lines = [line for line in manifest.splitlines() if OUT_OF_USE not in line]
        try:
            for _, name, *_ in map(str.split, lines):
                _copy(source / name, target / name)
        except FileNotFoundError:
            continue
        if (source / MANIFEST).read_text() == manifest:
            with _create(target / MANIFEST) as copy:
                copy.writelines(f"{line}\n".encode() for line in lines)
                _sync(copy)
            _sync_names(target)
            return
    raise Unusable(f"The server rewrote {source} during {COPIES_MAX} attempts to copy it: try again.")


def keep_former_file(directory: Path) -> Path | None:
    """Copy the file of Redis 6.2 once, before the server converts it, and return the copy; raises Unusable."""
    file = directory / FORMER_FILE
    if not file.exists():
        return None
    written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    copy = directory / f"redis-6.2-{written:%Y%m%dT%H%M%S.%fZ}.aof"
    if copy.exists():
        return None
    unfinished = copy.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    try:
        _copy(file, unfinished)
    except OSError as error:
        raise Unusable(f"{file} cannot be copied before the server converts it: {error.strerror}.") from None
    unfinished.rename(copy)
    _sync_names(directory)
    return copy


def _copy(source: Path, target: Path) -> None:
    """Copy a file so that only its owner can read it, and sync it to disk."""
    with source.open("rb") as original, _create(target) as copy:
        shutil.copyfileobj(original, copy)
        _sync(copy)


def _create(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb")


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_names(directory: Path) -> None:
    """Sync the directory, so that the names of new files survive a crash."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
