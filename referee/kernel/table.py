"""What can happen at every table, whatever is played on it: pausing, annulling, conceding, standing in, taking back.

These moves change the status of a game, who plays for a seat, or which position counts; never the rules.
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


class AgreeToPause(Move):
    """Agree that the game pauses, or no longer; it does when every player has agreed."""

    agreed: bool = True


class AgreeToResume(Move):
    """Agree that the game goes on, or no longer; it does when every player has agreed."""

    agreed: bool = True


class StandIn(Move):
    """Let a bot play on for a seat that is absent."""

    seat: Seat


class ReturnToSeat(Move):
    """Play again for a seat that a bot stood in for."""


class Adjudicate(Move):
    """End a game as it stands: whoever is absent is behind the others."""


class Undo(Move):
    """Take back one's last move."""


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


class SeatTakenBack(Event):
    """A player plays again for the seat that a bot stood in for."""

    seat: Seat


class GameConceded(Event):
    """A concession ended the game: who conceded is last, the others are ranked as they stood."""

    seat: Seat
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class GameAdjudicated(Event):
    """The game ended as it stood: the absent seats are behind the others."""

    absent: tuple[Seat, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class PauseAgreed(Event):
    """A seat agrees that the game pauses, or no longer."""

    seat: Seat
    agreed: bool


class ResumeAgreed(Event):
    """A seat agrees that the game goes on, or no longer."""

    seat: Seat
    agreed: bool


class MoveUndone(Event):
    """The position is again what it was before this version."""

    seat: Seat
    version: int


TABLE_MOVES: tuple[type[Move], ...] = (
    PauseGame,
    ResumeGame,
    AnnulGame,
    Resign,
    AgreeToPause,
    AgreeToResume,
    StandIn,
    ReturnToSeat,
    Adjudicate,
    Undo,
)
TABLE_EVENTS: tuple[type[Event], ...] = (
    GamePaused,
    GameResumed,
    GameAnnulled,
    SeatResigned,
    SeatTakenOver,
    SeatTakenBack,
    GameConceded,
    GameAdjudicated,
    PauseAgreed,
    ResumeAgreed,
    MoveUndone,
)

ALL_AGREED = "Every player agreed."


class Table(Struct, frozen=True):
    """The state of a game beside its position."""

    status: Status = "running"
    resigned: tuple[Seat, ...] = ()
    bots: tuple[tuple[Seat, str], ...] = ()
    """Seats that a bot took over, with its name."""
    agreed: tuple[Seat, ...] = ()
    """Seats that agree to a pause or, during a pause, to its end."""
    ranks: tuple[int, ...] | None = None
    """By seat, if the game ended at the table and not by its rules."""

    def stand_in(self, seat: int) -> str | None:
        """The bot that took a seat over, if one did."""
        for taken, bot in self.bots:
            if taken == seat:
                return bot
        return None


def table_after(table: Table, event: Event) -> Table:
    """The table after an event; events of a ruleset change the table only by ending the game."""
    match event:
        case GamePaused():
            return replace(table, status="paused", agreed=())
        case GameResumed():
            return replace(table, status="running", agreed=())
        case GameAnnulled():
            return replace(table, status="annulled")
        case GameConceded() | GameAdjudicated():
            return replace(table, status="finished", ranks=event.ranks)
        case SeatResigned():
            return replace(table, resigned=(*table.resigned, event.seat))
        case SeatTakenOver():
            return replace(table, bots=(*table.bots, (event.seat, event.bot)))
        case SeatTakenBack():
            return replace(table, bots=tuple(pair for pair in table.bots if pair[0] != event.seat))
        case PauseAgreed() | ResumeAgreed():
            others = tuple(seat for seat in table.agreed if seat != event.seat)
            return replace(table, agreed=(*others, event.seat) if event.agreed else others)
    return table


def ranked_behind(places: tuple[Any, ...], absent: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Scores and ranks by seat: as the seats stand, but the absent ones behind the others."""

    def key(place: Any) -> tuple[bool, int]:
        return place.seat in absent, place.rank

    by_seat = sorted(places, key=lambda place: place.seat)
    ranks = tuple(1 + sum(key(other) < key(place) for other in places) for place in by_seat)
    return tuple(place.score for place in by_seat), ranks


def conceded(places: tuple[Any, ...], seat: Seat) -> GameConceded:
    """The end of a game by concession: the ranking of the others, and the conceding seat behind them."""
    scores, ranks = ranked_behind(places, (seat,))
    return GameConceded(seat=seat, scores=scores, ranks=ranks)


def adjudicated(places: tuple[Any, ...], absent: tuple[Seat, ...]) -> GameAdjudicated:
    """The end of a game by the clock: the ranking as it stands, the absent seats behind the others."""
    scores, ranks = ranked_behind(places, absent)
    return GameAdjudicated(absent=absent, scores=scores, ranks=ranks)
