"""Entries for tests of the log: any bytes, with their hash."""

from referee.kernel.canon import digest
from referee.table.record import Entry

GAME = "g_one"


def entry(version: int, text: str = "move") -> Entry:
    """An entry whose body is not JSON, so that a log which reads it fails."""
    body = f'{{"version":{version},"text":"{text} zoë \\n'.encode() + bytes(range(256))
    return Entry(version, body, digest(body))


def entries(count: int) -> tuple[Entry, ...]:
    """The first entries of a game."""
    return tuple(entry(version) for version in range(1, count + 1))
