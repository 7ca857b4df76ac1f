"""Turns: how each starts, and which seat is next (HK-5)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat, next_seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.position import Case, Position, Says, must_place_pawn

turns = Chapter()


class TurnStarted(Event):
    """A seat's turn began: it must place a pawn, or it goes on with a card."""

    seat: Seat
    phase: Literal["place_pawn", "card"]


@turns.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    """The seat is active."""
    return replace(position, active_seat=event.seat, phase=event.phase, series_animal=None)


def start_turn(position: Position, seat: Seat, edition: Edition) -> TurnStarted:
    """The turn of this seat, as the table stands now."""
    return TurnStarted(seat=seat, phase="place_pawn" if must_place_pawn(position, seat, edition) else "card")


def pass_turn(case: Case, position: Position) -> Says:
    """The turn passes to the left neighbour (HK-5)."""
    yield start_turn(position, next_seat(case.seat, len(position.seats)), case.edition)
