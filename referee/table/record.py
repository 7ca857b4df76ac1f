"""The record of a game: a header, then one commit per accepted move, each sealed by its hash.

The hash of a commit is SHA-256 over its canonical JSON. `prev` is the hash before it, for the first
commit that of the header. `salt` blinds the hash: it derives from the game's secret, so that nobody can
try out which hidden card fits a hash before the secret is published.

Nothing about a person is hashed as it is. Players and texts enter the record as hashes of salted values; the values lie
beside the log, where they can be erased, and every hash stays as it was.
"""

import hmac
import re
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeVar, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.kernel.canon import canonical, digest
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.table.moves import TABLE_EVENTS, TABLE_MOVES
from referee.table.terms import Terms
from referee.table.times import Timestamp

FORMAT = "referee/1"
ADMIN = "admin"

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hexadecimal. The length is limited as well, because `$` also matches before a line feed."""
Nonce = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
"""What a seat adds to the luck: 32 bytes in hexadecimal, or nothing."""

_HEX32 = re.compile("[0-9a-f]{64}")

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


class HeldBy(msgspec.Struct, frozen=True):
    """Who held a seat. The header has the hash of it."""

    player: str
    salt: str

    @property
    def hash(self) -> str:
        """What the header shows of the holder."""
        return digest(canonical(self))


class Text(msgspec.Struct, frozen=True):
    """A text that somebody wrote. The log has the hash of it."""

    salt: str
    text: str

    @property
    def hash(self) -> str:
        """What the log shows of the text."""
        return digest(canonical(self))


def is_hash(text: str) -> bool:
    """Whether a text has the form of a hash."""
    return _HEX32.fullmatch(text) is not None


def nonce_of(text: str) -> str:
    """The nonce that a player's text stands for: 64 hexadecimal digits stay as they are, other text is hashed.

    There is no salt: somebody would have to choose it, and could so choose the luck.
    """
    return text if not text or is_hash(text) else digest(canonical(text))


def seal_of(game: str, link: str) -> str:
    """The seal of a nonce, or of the next link of a chain: it can be published before the link is."""
    return digest(canonical({"game": game, "link": link}))


class Header(msgspec.Struct, frozen=True):
    """What is fixed when a game starts. The chain of hashes begins with its hash."""

    commitment: str
    edition: str
    """The hash of the edition's numbers."""
    game: str
    holders: tuple[Hex32 | None, ...]
    """By seat: the hash of who held it when the game started; null for a built-in bot."""
    nonces: tuple[Nonce, ...]
    """By seat; empty where a seat gave none."""
    options: dict[str, Any]
    position: dict[str, Any] | None
    """The start position of a casual game; else null."""
    ruleset: str
    seals: tuple[Hex32 | None, ...]
    """By seat: the seal that was published before the nonce; null where the seat gave none."""
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
    link: Hex32 | UnsetType = UNSET
    """What the seat added to the luck with this move; unset: nothing."""


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
