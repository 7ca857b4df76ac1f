"""What can happen at every table, whatever is played on it: pausing, resuming, annulling, conceding.

These moves change the status of a game or who holds a seat, never the position.
"""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat

Status = Literal["waiting", "running", "paused", "finished", "annulled"]

Reason = Annotated[str, Meta(min_length=1, max_length=500, description="Why, for everybody to read.")]


class PauseGame(Move):
    """Stop a game for a while: no move is accepted until it is resumed."""

    reason: Reason


class ResumeGame(Move):
    """Let a paused game go on."""

    reason: Reason


class AnnulGame(Move):
    """End a game without a result."""

    reason: Reason


class Resign(Move):
    """Concede the game."""


class GamePaused(Event):
    """The game stands still."""

    reason: str


class GameResumed(Event):
    """The game goes on."""

    reason: str


class GameAnnulled(Event):
    """The game ended without a result."""

    reason: str


class SeatResigned(Event):
    """A seat conceded."""

    seat: Seat


class SeatTakenOver(Event):
    """A built-in bot plays on for a seat."""

    seat: Seat
    bot: str


class GameConceded(Event):
    """A concession ended the game: who conceded is last, the others are ranked as they stood."""

    seat: Seat
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


TABLE_MOVES: tuple[type[Move], ...] = (PauseGame, ResumeGame, AnnulGame, Resign)
TABLE_EVENTS: tuple[type[Event], ...] = (
    GamePaused,
    GameResumed,
    GameAnnulled,
    SeatResigned,
    SeatTakenOver,
    GameConceded,
)


class Table(Struct, frozen=True):
    """The state of a game beside its position."""

    status: Status = "running"
    resigned: tuple[Seat, ...] = ()
    bots: tuple[tuple[Seat, str], ...] = ()
    """Seats that a bot took over, with its name."""


def table_after(table: Table, event: Event) -> Table:
    """The table after an event; events of a ruleset change the table only by ending the game."""
    match event:
        case GamePaused():
            return replace(table, status="paused")
        case GameResumed():
            return replace(table, status="running")
        case GameAnnulled():
            return replace(table, status="annulled")
        case GameConceded():
            return replace(table, status="finished")
        case SeatResigned():
            return replace(table, resigned=(*table.resigned, event.seat))
        case SeatTakenOver():
            return replace(table, bots=(*table.bots, (event.seat, event.bot)))
    return table


def conceded(places: tuple[Any, ...], seat: Seat) -> GameConceded:
    """The end of a game by concession: the ranking of the others, and the conceding seat behind them."""
    scores = tuple(place.score for place in sorted(places, key=lambda place: place.seat))
    others = [place for place in places if place.seat != seat]
    ranks = {place.seat: 1 + sum(other.rank < place.rank for other in others) for place in others}
    return GameConceded(
        seat=seat, scores=scores, ranks=tuple(ranks.get(Seat(number), len(scores)) for number in range(len(scores)))
    )
