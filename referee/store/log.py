"""The contract of a log: one stream of entries per game, whose next version is the lock."""

from collections.abc import Hashable, Sequence
from typing import Protocol

import msgspec
from redis.exceptions import RedisError

from referee.table.record import Entry

Unavailable = RedisError
"""The log cannot be reached, or refuses writes."""

_REASONS = {
    "used memory > 'maxmemory'": "The memory of the log is full",
    "MISCONF": "The log cannot write to its disk",
    "read only replica": "The log is a read-only replica",
    "replicas have confirmed": "Too few replicas have confirmed the change",
    "NOREPLICAS": "The log has too few replicas",
    "CLUSTERDOWN": "The part of the log that has this game cannot be reached",
    "loading the dataset": "The log is still loading from its disk",
}
"""Parts of Redis's error messages, and what they mean."""


def reason(error: Unavailable) -> str:
    """Why the log cannot be used, in words for the client."""
    text = str(error)
    return next((meaning for part, meaning in _REASONS.items() if part in text), "The log cannot be reached")


class Head(msgspec.Struct, frozen=True):
    """What is stored of a game beside its log: its seats, terms and secret. It changes until the game starts."""

    game: str
    revision: int
    body: bytes


class Leaf(msgspec.Struct, frozen=True):
    """What the transparency log gets of a game that has no commits yet."""

    kind: str
    hash: str


class Conflict(Exception):
    """Another process changed the game first."""


class GameExists(Exception):
    """A game with this id exists already."""


class Written(msgspec.Struct, frozen=True):
    """The entry is in the log."""


class Behind(msgspec.Struct, frozen=True):
    """The log has these newer entries. If there are none, the log is shorter than the caller believes."""

    entries: tuple[Entry, ...]


class Repeated(msgspec.Struct, frozen=True):
    """The idempotency key was used before: for this version, with this fingerprint and this note."""

    version: int
    fingerprint: str
    note: bytes = b""


class IdempotencyKey(msgspec.Struct, frozen=True):
    """An idempotency key, with the fingerprint of the request that it was sent with."""

    key: str
    fingerprint: str
    note: bytes = b""
    """What is needed, beside the entry, to send the same answer again."""


Appended = Written | Behind | Repeated


class Race(msgspec.Struct, frozen=True):
    """Moves of a game that wait until a time and are then made together."""

    closes: int
    moves: tuple[bytes, ...]


RACE_LASTS_MS = 600_000
"""A race that nobody has ended after this time is forgotten."""

ENTRIES_MAX = 200
"""At most this number of entries is read at once, so that a long log does not keep other requests waiting."""


class Log(Protocol):
    """Stores games. An append is one atomic step."""

    def create(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Store a new game, and set when to wake it, in one atomic step; raises GameExists."""

    def head(self, game: str) -> Head | None:
        """What is stored of a game beside its log."""

    def heads(self, games: Sequence[str]) -> list[tuple[Head, int]]:
        """What is stored of games beside their logs, each with its length, if they can be read now."""

    def change_head(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Replace the head if its revision is the next one, and set when to wake the game; raises Conflict."""

    def append(
        self,
        game: str,
        entry: Entry,
        key: IdempotencyKey | None,
        wake_at: int | None,
        follows: str | None = None,
        leaf: str = "head",
    ) -> Appended:
        """Write the entry if its version is the next one and the key is new.

        `follows`: the hash of the entry before it. If the last entry has another hash, the log is not the one that the
        caller believes, and the answer is `Behind` without entries.

        `wake_at`: when to wake the game, in milliseconds; None: not before the next entry.

        `leaf`: the kind of leaf that the transparency log gets: `head`, or how the game has ended.
        """

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""

    def is_kept(self, game: str, entry: Entry) -> bool:
        """Whether the log has an entry that a feed delivered, on as many replicas as must confirm it.

        What `read` and `head` return has been confirmed already. Raises Unconfirmed.
        """

    def epoch(self, game: str) -> Hashable:
        """A value that changes whenever entries that were read of a game may have been lost since."""

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Set when to wake the game; None: never. With a version, only if that is still the newest.

        A worker that has seen an old version must not overwrite the time that a newer entry has set.
        """

    def due_games(self, until: int, limit: int, tags: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """The games to wake until then, earliest first, with their times; with tags, only games that have these."""

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Store a bot's choice for a while; it may be lost without harm."""

    def thought(self, game: str) -> bytes | None:
        """The stored choice of a bot."""

    def enter_race(self, game: str, seat: int, move: bytes, now: int, closes: int, until: int) -> tuple[bool, int]:
        """Add a seat's move to the race of a game, in one atomic step; without a race, begin one with these times.

        Returns whether the race takes moves now (it does so `until` a time), and when it closes. A seat's first move
        counts. The game is woken when the race closes.
        """

    def race(self, game: str) -> Race | None:
        """The race of a game, if there is one."""

    def end_race(self, game: str, closes: int) -> None:
        """Forget the race of a game that closes then."""

    def keep_text(self, game: str, hash: str, body: bytes) -> None:
        """Store a text that the log shows by its hash only."""

    def texts(self, game: str) -> dict[str, bytes]:
        """The stored texts of a game by their hashes."""

    def erase(self, game: str, texts: Sequence[str], actors: Sequence[str]) -> None:
        """Delete these texts of a game, and what the idempotency keys of these actors were used for."""

    def remove(self, game: str) -> None:
        """Delete everything of a game."""

    def audit(self, game: str) -> bytes | None:
        """The stored audit of a game, if there is one."""

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin an attempt at the audit and claim it until then, in one atomic step; returns the attempt's number.

        0: there is nothing to do, because the audit exists or another attempt's claim has not run out.
        """

    def go_on_with_audit(self, game: str, until: int) -> None:
        """Extend the claim of the current attempt until then."""

    def end_audit(self, game: str, body: bytes | None, luck: bytes = b"") -> None:
        """Store an audit for good, with the luck of the game; or, without an audit, let the next attempt begin."""

    def luck(self, game: str) -> bytes | None:
        """The luck that is stored with the audit of a game."""
