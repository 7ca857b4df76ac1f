"""The record of a game: a header, then one commit per accepted move, each sealed by its hash.

The hash of a commit is SHA-256 over its canonical JSON. `prev` is the hash before it, for the first
commit that of the header. `salt` blinds the hash: it derives from the game's secret, so that nobody can
try out which hidden card fits a hash before the secret is published.
"""

import hmac
from hashlib import sha256
from typing import Any, Generic, TypeVar, Union

import msgspec
from msgspec import UNSET, UnsetType

from referee.kernel.canon import canonical, digest
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES
from referee.table.terms import Terms
from referee.table.times import Timestamp

FORMAT = "referee/1"
ADMIN = "admin"

M = TypeVar("M")
E = TypeVar("E")


class Secret(msgspec.Struct, frozen=True):
    """What a game's luck is derived from, published when the game ends. Both parts are 32 bytes in hexadecimal."""

    salt: str
    seed: str

    @property
    def commitment(self) -> str:
        """The hash that is published when the game is created."""
        return digest(canonical(self))

    def chance_key(self, nonces: tuple[str, ...]) -> bytes:
        """The key that all luck of the game is derived from: the seed together with the nonces of the seats."""
        return sha256(canonical({"nonces": nonces, "seed": self.seed})).digest()

    def blind(self, version: int) -> str:
        """The salt of one commit's hash."""
        return hmac.digest(bytes.fromhex(self.seed), f"blind:{version}".encode(), sha256).hex()


class Header(msgspec.Struct, frozen=True):
    """What is fixed when a game starts. The chain of hashes begins with its hash."""

    commitment: str
    edition: str
    """The hash of the edition's numbers."""
    game: str
    nonces: tuple[str, ...]
    """By seat; empty where a seat gave none."""
    options: dict[str, Any]
    position: dict[str, Any] | None
    """The start position of a casual game; else null."""
    ruleset: str
    version: str
    """The version of the rules."""
    terms: Terms
    """What was agreed at the table."""
    format: str = FORMAT

    @property
    def hash(self) -> str:
        """The hash that the first commit follows."""
        return digest(canonical(self))


class Deadline(msgspec.Struct, frozen=True):
    """When the time of a seat runs out."""

    at: Timestamp
    seat: Seat


class Commit(msgspec.Struct, Generic[M, E], frozen=True):
    """One accepted move with its events: one entry of the log, one version."""

    actor: int | str
    """A seat, `referee` or `admin`."""
    at: Timestamp
    cause: dict[str, Any] | None
    """Why a move was made for a seat: the bot that plays it, or the deadline that it missed."""
    draws: int
    """The number of drawings of luck that the move made. Hidden until the end: it may depend on hidden cards."""
    events: tuple[E, ...]
    move: M
    prev: str
    salt: str
    version: int
    deadlines: tuple[Deadline, ...] | UnsetType = UNSET
    """Of the seats that are awaited after it; unset: the game has no clock."""


AnyCommit = Commit[Move, Event]


class Entry(msgspec.Struct, frozen=True):
    """A commit as it is stored: its canonical JSON, and its hash."""

    version: int
    body: bytes
    hash: str


def seal(commit: AnyCommit) -> Entry:
    """The entry of a commit."""
    body = canonical(commit)
    return Entry(commit.version, body, digest(body))


def commit_type(ruleset: Ruleset) -> Any:
    """The type of a ruleset's commits: its own moves and events, and those of every table."""
    moves: Any = Union[(*ruleset.moves.values(), *TABLE_MOVES)]
    events: Any = Union[(*ruleset.events.values(), *TABLE_EVENTS)]
    return Commit[moves, events]
