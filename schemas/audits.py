"""Answers that prove a game: its audit, and the lines of its portable record."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from referee.audit.luck import Drawing
from referee.audit.verify import Check
from referee.table.record import Commit, Deadline, Header, Secret
from schemas.types import (
    Actor,
    AnyEvent,
    AnyOptions,
    AnyPosition,
    AuditVerdict,
    Cause,
    Count,
    GameId,
    Hash,
    Nonce,
    RecordedMove,
    SeatNumber,
    Slug,
    Version,
)


class Audit(Struct, frozen=True):
    """The result of an audit."""

    verdict: AuditVerdict
    checks: tuple[Check, ...]
    """Empty if the audit could not be made."""
    first_bad_version: Count | None
    """The first commit that does not follow; 0 is the header. Null: all commits follow."""
    reason: str | UnsetType = UNSET
    """Why the audit could not be made; only if it is `unavailable`."""


class PendingAudit(Struct, frozen=True, tag_field="verdict", tag="pending"):
    """The game is over, and a worker will audit it soon. Call again."""


class Luck(Struct, frozen=True):
    """Every drawing of luck in a game, in order."""

    drawings: tuple[Drawing, ...]
    complete: bool
    """False: the audit failed or could not be made, and the list ends before the first commit that does not follow."""


class RecordHeader(Header, frozen=True):
    """What is fixed when a game starts. Its hash starts the chain of commits."""

    commitment: Hash
    """SHA-256 of the secret."""
    edition: Hash
    """The hash of the numbers of the edition."""
    game: GameId
    holders: tuple[Hash | None, ...]
    """By seat: the hash of the player's id with a salt; null for a built-in bot."""
    nonces: tuple[Nonce, ...]
    """By seat: what the player added to the luck of the game; empty if nothing."""
    options: AnyOptions
    position: AnyPosition | None
    """The start position of a casual game; null in all other cases."""
    ruleset: Slug
    seals: tuple[Hash | None, ...]
    """By seat: the seal that was published before the nonce; null if there was none."""
    format: Literal["referee/1"]


class RecordCommit(Commit[RecordedMove, AnyEvent], frozen=True):
    """A commit in full."""

    actor: Actor
    cause: Cause | None
    """Why a bot or the clock made the move for a seat; null: the actor made it."""
    draws: Count
    """The number of outcomes of chance that the move drew."""
    prev: Hash
    """The hash of the commit before this one, or of the header."""
    salt: Hash
    """What blinds the hash of the commit."""
    version: Version
    """Its place in the log: 1, 2, 3 and so on."""
    deadlines: tuple[Deadline, ...] | UnsetType = UNSET
    """The deadlines of the seats that may move after it; only in games with a clock."""
    link: Hash | UnsetType = UNSET
    """What the seat added to the luck with a move that drew; only where luck is fresh."""


class RecordSecret(Secret, frozen=True):
    """What determines the luck of the game."""

    salt: Hash
    """32 bytes in hexadecimal."""
    seed: Hash
    """32 bytes in hexadecimal."""


class RecordFirstLine(Struct, frozen=True):
    """The first line of a record."""

    header: RecordHeader


class RecordCommitLine(Struct, frozen=True):
    """A commit with its hash."""

    commit: RecordCommit
    hash: Hash


class RecordSecretLine(Struct, frozen=True):
    """The line after the last commit."""

    secret: RecordSecret


class RecordHolder(Struct, frozen=True):
    """Who held a seat when the game started. The header has the hash of `player` and `salt`."""

    player: str
    salt: Hash
    seat: SeatNumber


class RecordHolderLine(Struct, frozen=True):
    """A line after the secret; it is missing if the player was erased."""

    holder: RecordHolder


class RecordText(Struct, frozen=True):
    """The reason that an admin gave. A commit has the hash of it."""

    salt: Hash
    text: str


class RecordTextLine(Struct, frozen=True):
    """A line at the end of a record; it is missing if the text was erased."""

    text: RecordText


class RecordLogged(Struct, frozen=True):
    """A leaf of the transparency log, and the proof that it is in a checkpoint."""

    checkpoint: str
    """A signed note."""
    entry: str
    """The leaf: canonical JSON."""
    index: Count
    """Its place in the log."""
    proof: tuple[str, ...]
    """The hashes that lead from the leaf to the root, in base64."""


class RecordLoggedLine(Struct, frozen=True):
    """A line at the end of a record; it is missing until the transparency log has its leaf."""

    logged: RecordLogged


ANSWERS: tuple[type[Struct], ...] = (
    Audit,
    PendingAudit,
    Luck,
    RecordFirstLine,
    RecordCommitLine,
    RecordSecretLine,
    RecordHolderLine,
    RecordTextLine,
    RecordLoggedLine,
)
