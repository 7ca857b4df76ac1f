"""Moves and events at the table, whatever is played: pause, annul, resign, take over, return, undo.

They change the status of a game, who plays for a seat, or which position counts; never the rules.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta

from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat

Status = Literal["waiting", "revealing", "running", "paused", "finished", "annulled"]

Reason = Annotated[str, Meta(min_length=1, max_length=500, description="The reason, which everybody can read.")]


Seal = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, description="The hash of the first link.")]


class PauseGame(Move):
    """Pause a game: no move is accepted until it resumes."""

    reason: Reason


class ResumeGame(Move):
    """Resume a paused game."""

    reason: Reason


class AnnulGame(Move):
    """End a game without a result."""

    reason: Reason


class Resign(Move):
    """Resign from the game."""


class AgreeToPause(Move):
    """Agree to a pause, or withdraw that; the game pauses when every player agrees."""

    agreed: bool = True


class AgreeToResume(Move):
    """Agree to resume, or withdraw that; the game resumes when every player agrees."""

    agreed: bool = True


class TakeOverSeat(Move):
    """Let a bot take over from an absent player."""

    seat: Seat


class ReturnToSeat(Move):
    """Return to a seat that a bot took over."""


class Adjudicate(Move):
    """End a game as it stands, with absent players ranked behind the others."""


class Undo(Move):
    """Undo your last move."""


class Reseal(Move):
    """Seal a new chain of links, in place of one that is lost or used up."""

    seal: Seal


class GamePaused(Event):
    """The game is paused."""

    reason: str


class GameResumed(Event):
    """The game resumes."""

    reason: str


class GameAnnulled(Event):
    """The game ended without a result."""

    reason: str


class SeatResigned(Event):
    """A seat resigned."""

    seat: Seat


class SeatTakenOver(Event):
    """A built-in bot took over a seat."""

    seat: Seat
    bot: str


class PlayerReturned(Event):
    """A player returned to a seat that a bot had taken over."""

    seat: Seat


class GameResigned(Event):
    """A resignation ended the game: the resigned seat is last, the others are ranked as they stood."""

    seat: Seat
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class GameAdjudicated(Event):
    """The game ended as it stood, with the absent seats ranked behind the others."""

    absent: tuple[Seat, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class PauseAgreed(Event):
    """A seat agreed to a pause, or withdrew that."""

    seat: Seat
    agreed: bool


class ResumeAgreed(Event):
    """A seat agreed to resume, or withdrew that."""

    seat: Seat
    agreed: bool


class SeatResealed(Event):
    """A seat sealed a new chain of links. They count when each other player has added a link."""

    seat: Seat
    seal: str


class MoveUndone(Event):
    """A seat undid its move: the position is again the one before this version."""

    seat: Seat
    version: int


TABLE_MOVES: tuple[type[Move], ...] = (
    PauseGame,
    ResumeGame,
    AnnulGame,
    Resign,
    AgreeToPause,
    AgreeToResume,
    TakeOverSeat,
    ReturnToSeat,
    Adjudicate,
    Undo,
    Reseal,
)
TABLE_EVENTS: tuple[type[Event], ...] = (
    GamePaused,
    GameResumed,
    GameAnnulled,
    SeatResigned,
    SeatTakenOver,
    PlayerReturned,
    GameResigned,
    GameAdjudicated,
    PauseAgreed,
    ResumeAgreed,
    MoveUndone,
    SeatResealed,
)

ALL_AGREED = "Every player agreed."


def ranked_behind(places: tuple[Any, ...], absent: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Scores and ranks by seat: as the seats stand, with the absent seats ranked last."""

    def key(place: Any) -> tuple[bool, int]:
        return place.seat in absent, place.rank

    by_seat = sorted(places, key=lambda place: place.seat)
    ranks = tuple(1 + sum(key(other) < key(place) for other in places) for place in by_seat)
    return tuple(place.score for place in by_seat), ranks


def end_by_resignation(places: tuple[Any, ...], seat: Seat) -> GameResigned:
    """The end of a game by resignation: the others as they stand, and the resigned seat behind them."""
    scores, ranks = ranked_behind(places, (seat,))
    return GameResigned(seat=seat, scores=scores, ranks=ranks)


def end_by_adjudication(places: tuple[Any, ...], absent: tuple[Seat, ...]) -> GameAdjudicated:
    """The end of an abandoned game: the ranking as it stands, with the absent seats behind the others."""
    scores, ranks = ranked_behind(places, absent)
    return GameAdjudicated(absent=absent, scores=scores, ranks=ranks)
