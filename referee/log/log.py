"""The contract of a log: one stream of entries per game, whose next version is the lock."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
from redis.exceptions import RedisError

from referee.kernel.record import Entry

Unavailable = RedisError
"""The log cannot be reached, or takes no writes."""

_REASONS = {
    "used memory > 'maxmemory'": "The memory of the log is full",
    "MISCONF": "The log cannot be written to its disk",
    "read only replica": "The log is a replica that takes no writes",
    "loading the dataset": "The log is being read from its disk",
}
"""What Redis says, wherever in its message, and what that means."""


def reason(error: Unavailable) -> str:
    """Why the log cannot be used, in words for whoever waits for it."""
    said = str(error)
    return next((meaning for mark, meaning in _REASONS.items() if mark in said), "The log cannot be reached")


class Head(msgspec.Struct, frozen=True):
    """What is kept of a game beside its log: who sits where, and its secret. Changes until the game starts."""

    game: str
    revision: int
    body: bytes


class Conflict(Exception):
    """Somebody else was first."""


class GameExists(Exception):
    """A game of this id is kept already."""


class Written(msgspec.Struct, frozen=True):
    """The entry is in the log."""


class Behind(msgspec.Struct, frozen=True):
    """The log had gone on: these entries are newer. None at all: the log is shorter than the caller believes."""

    entries: tuple[Entry, ...]


class Repeated(msgspec.Struct, frozen=True):
    """The idempotency key was used before: for this version, with this fingerprint and this note."""

    version: int
    fingerprint: str
    note: bytes = b""


class Once(msgspec.Struct, frozen=True):
    """An idempotency key, with the fingerprint of the request that it stands for."""

    key: str
    fingerprint: str
    note: bytes = b""
    """What is needed to give the same answer again, beside the entry."""


Appended = Written | Behind | Repeated

ENTRIES_MAX = 200
"""At most this number of entries is read at once. Between the pieces of a longer log others are served."""


class Log(Protocol):
    """Keeps games. An append is one atomic step."""

    def create(self, head: Head, wake_at: int | None = None) -> None:
        """Keep a new game, and note when somebody must look at it, in one step; raises GameExists."""

    def head(self, game: str) -> Head | None:
        """What is kept of a game beside its log."""

    def change_head(self, head: Head, wake_at: int | None = None) -> None:
        """Exchange the head if its revision is the next one, and note a time to wake as well; raises Conflict."""

    def append(self, game: str, entry: Entry, once: Once | None, wake_at: int | None) -> Appended:
        """Write the entry if its version is the next one and the key is new.

        `wake_at`: when somebody must look at the game again, in milliseconds; None: when the next entry comes.
        """

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Note when somebody must look at the game again; with a version, only if the log has not gone on since.

        Whoever has looked at an old version must not take back what a newer entry noted.
        """

    def wakeful(self, until: int, limit: int) -> list[tuple[str, int]]:
        """The games to look at until then, earliest first, with their times."""

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Keep what a bot will do, for a while; it may be lost without harm."""

    def thought(self, game: str) -> bytes | None:
        """What a bot will do."""

    def remove(self, game: str) -> None:
        """Keep nothing of a game any more."""

    def audit(self, game: str) -> bytes | None:
        """The audit of a game, if it was made."""

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin to make the audit, in one step; gives which attempt this is.

        0: there is nothing to do, since it was made, or since another attempt began and has not passed its `until`.
        """

    def go_on_with_audit(self, game: str, until: int) -> None:
        """The attempt goes on, until then at least."""

    def end_audit(self, game: str, body: bytes | None) -> None:
        """Keep an audit for good, or let the next attempt begin."""
