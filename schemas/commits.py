"""Answers about the log of a game and what may be done next: commits, and legal moves."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from referee.kernel.ruleset import Family
from referee.kernel.words import Sentence
from referee.table.record import Deadline
from schemas.types import Actor, AnyEvent, AnyMove, AnyMoveSeen, Cause, Hash, SeatNumber, Time, Version


class LegalText(Struct, frozen=True):
    """Legal moves in words."""

    moves: tuple[str, ...]
    """A sentence for each listed move, in the same order. Moves that differ in details can have the same sentence."""
    default: str | None
    """The sentence of the default; null: the seat may not move."""


class LegalMoves(Struct, frozen=True):
    """The legal moves of a seat."""

    version: Version
    seat: SeatNumber
    moves: tuple[AnyMove, ...]
    """Each can be posted as it is."""
    families: tuple[Family, ...]
    """Types of moves that are not listed, or only in part, because there are too many; other types are complete."""
    default: AnyMove | None
    """The move that the referee makes for the seat when its time runs out; null: the seat may not move."""
    text: LegalText | UnsetType = UNSET
    """The same in words; only with `with=text`."""


class LegalInPosition(Struct, frozen=True):
    """The legal moves of a seat at a position."""

    seat: SeatNumber
    moves: tuple[AnyMove, ...]
    """Each can be judged or posted as it is."""
    families: tuple[Family, ...]
    """Types of moves that are not listed, or only in part, because there are too many; other types are complete."""
    default: AnyMove | None
    """The move that the referee would make for the seat if its time ran out; null: the seat may not move."""
    text: LegalText | UnsetType = UNSET
    """The same in words; only with `with=text`."""


class CommitText(Struct, frozen=True):
    """A commit in words, with the names of the players."""

    move: Sentence | None
    """The move, as an order; null: the move is hidden from you."""
    events: tuple[Sentence, ...]
    """A sentence for each event, in the same order."""


class Commit(Struct, frozen=True):
    """An accepted move with its events."""

    version: Version
    """Its place in the log: 1, 2, 3 and so on."""
    at: Time
    actor: Actor
    cause: Cause | None
    """Why a bot or the clock made the move for a seat; null: the actor made it."""
    move: AnyMoveSeen | None
    """Null: the move is hidden from you."""
    events: tuple[AnyEvent, ...]
    """What followed from the move, without what is hidden from you."""
    hash: Hash
    """The hash of the commit in the chain of the record."""
    deadlines: tuple[Deadline, ...]
    """The deadlines of the seats that may move, earliest first; empty without a clock."""
    view: Any | UnsetType = UNSET
    """What you may see of the position after it; only with `with=view`, in a stream only of the newest commit."""
    text: CommitText | UnsetType = UNSET
    """The commit in words; only with `with=text`."""
    legal: tuple[LegalMoves, ...] | UnsetType = UNSET
    """The legal moves of those of your seats that may move after it; only of the newest commit, with `with=legal`."""


class Events(Struct, frozen=True):
    """A page of the log."""

    commits: tuple[Commit, ...]
    next: Version | None
    """The `after` of the next page; null: this is the last page."""


ANSWERS: tuple[type[Struct], ...] = (LegalMoves, LegalInPosition, Events)
