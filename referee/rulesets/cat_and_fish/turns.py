"""Turns in the execution: CF-19 to CF-22."""

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.names import Season, Space
from referee.rulesets.cat_and_fish.position import Case, Position, Says, acting, turn_order

turns = Chapter()


class EndTurn(Move):
    """Give up your remaining actions."""


class TurnEnded(Event):
    """A seat gave up its remaining actions."""

    seat: Seat
    unused: tuple[Space, ...]


class RoundCompleted(Event):
    """The round is complete: every marker is spent or given up."""

    year: int
    season: Season


def active_seat(position: Position) -> Seat | None:
    """The seat whose turn it is: the first in turn order that has a marker left (CF-19)."""
    return next((seat for seat in turn_order(position) if position.seats[seat].placed), None)


def go_on(position: Position) -> Says:
    """Complete the round when no marker is left, unless victims still flee (CF-19, CF-22)."""
    if position.phase == "execution" and active_seat(position) is None:
        yield RoundCompleted(year=position.year, season=position.season)


@turns.decides(EndTurn)
def end_turn(case: Case, move: EndTurn) -> Says:
    """The seat gives up its markers: every action is optional (CF-21)."""
    position = yield TurnEnded(seat=case.seat, unused=acting(case).placed)
    yield from go_on(position)


@turns.applies(TurnEnded)
def turn_ended(position: Position, event: TurnEnded) -> Position:
    """Take back the markers of the seat."""
    return replace(position, seats=with_seat(position.seats, event.seat, placed=()))


@turns.applies(RoundCompleted)
def round_completed(position: Position, event: RoundCompleted) -> Position:
    """End the season."""
    return replace(position, phase="season_end")
