"""Turns in the execution: CF-19 to CF-22. Who acts, and when the round is complete."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.names import Season, Space
from referee.rulesets.cat_and_fish.position import Case, Position, Says, acting, changed_seat

turns = Chapter()


class EndTurn(Move):
    """Give up your remaining actions."""


class TurnEnded(Event):
    """A seat gave up its remaining actions."""

    seat: Seat
    unused: tuple[Space, ...]


class RoundCompleted(Event):
    """Every marker is spent or given up."""

    year: int
    season: Season


def active_seat(position: Position) -> Seat | None:
    """The seat whose turn it is: the first in turn order that has a marker left (CF-19)."""
    players = len(position.seats)
    for step in range(players):
        seat = (position.first_seat + step) % players
        if position.seats[seat].placed:
            return Seat(seat)
    return None


def go_on(position: Position) -> Says:
    """After an action: the round is complete when no marker is left, unless somebody still flees (CF-19, CF-22)."""
    if position.phase == "execution" and active_seat(position) is None:
        yield RoundCompleted(year=position.year, season=position.season)


@turns.decides(EndTurn)
def end_turn(case: Case, move: EndTurn) -> Says:
    """Every action is optional (CF-21)."""
    position = yield TurnEnded(seat=case.seat, unused=acting(case).placed)
    yield from go_on(position)


@turns.applies(TurnEnded)
def turn_ended(position: Position, event: TurnEnded) -> Position:
    """The markers are taken back."""
    return replace(position, seats=changed_seat(position, event.seat, placed=()))


@turns.applies(RoundCompleted)
def round_completed(position: Position, event: RoundCompleted) -> Position:
    """The season is over."""
    return replace(position, phase="season_end")
