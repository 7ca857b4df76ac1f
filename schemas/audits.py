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
    RecordedMove,
    Slug,
    Version,
)


class Audit(Struct, frozen=True):
    """What can be proved of a game."""

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
    options: AnyOptions
    position: AnyPosition | None
    """The start position of a casual game; null in all other cases."""
    ruleset: Slug
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


class RecordLastLine(Struct, frozen=True):
    """The last line of a record."""

    secret: RecordSecret


ANSWERS: tuple[type[Struct], ...] = (Audit, PendingAudit, Luck, RecordFirstLine, RecordCommitLine, RecordLastLine)
