"""The end of an append-only file: what a power cut left of the last transaction is taken off before Redis reads it.

Redis drops a torn command, but keeps the whole ones before it in the same transaction. At the start after the next one
it takes whatever was written since for a part of that transaction: the torn move is back, and an answered one is lost.
"""

import os
from pathlib import Path

MULTI = b"*1\r\n$5\r\nMULTI\r\n"
EXEC = (b"EXEC",)

TAIL_BYTES = (1 << 16, 1 << 26)
"""So much of the end is searched for the last transaction: enough for nearly all, and more than any can be long."""


class _Torn(Exception):
    """The bytes end within a command."""


def mend(file: Path) -> int:
    """Take an unfinished transaction off the end of a file; gives the number of its bytes."""
    size = file.stat().st_size if file.exists() else 0
    start = _unfinished(file, size)
    if start is None:
        return 0
    with file.open("r+b") as opened:
        opened.truncate(start)
        os.fsync(opened.fileno())
    return size - start


def _unfinished(file: Path, size: int) -> int | None:
    """Where the last transaction begins, if it has no end."""
    for length in TAIL_BYTES:
        begin = max(0, size - length)
        tail = _read_from(file, begin) if size else b""
        at = tail.rfind(MULTI)
        while at >= 0:
            try:
                if _is_finished(tail, at):
                    return None
            except _Torn:
                return begin + at
            except ValueError:
                at = tail.rfind(MULTI, 0, at)
        if begin == 0:
            break
    return None


def _read_from(file: Path, begin: int) -> bytes:
    with file.open("rb") as opened:
        opened.seek(begin)
        return opened.read()


def _is_finished(data: bytes, at: int) -> bool:
    """Whether a transaction that begins here has its end; raises _Torn if not, ValueError if none begins here."""
    while True:
        command, at = _command(data, at)
        if command == EXEC:
            return True


def _command(data: bytes, at: int) -> tuple[tuple[bytes, ...], int]:
    """The command that begins at a place, and the place after it."""
    count, at = _number(data, at, b"*")
    words = []
    for _ in range(count):
        length, at = _number(data, at, b"$")
        if at + length + 2 > len(data):
            raise _Torn
        words.append(data[at : at + length])
        at += length + 2
    return tuple(words), at


def _number(data: bytes, at: int, mark: bytes) -> tuple[int, int]:
    """The number after a mark, and the place after its line."""
    end = data.find(b"\r\n", at)
    if end < 0:
        raise _Torn
    if data[at : at + 1] != mark:
        raise ValueError(f"no {mark!r} at {at}")
    return int(data[at + 1 : end]), end + 2
