"""Turns: what each starts with, and to whom it passes (HK-5)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.edition import Edition
from referee.rulesets.hund_und_katz.position import Case, Position, Says, must_place_pawn

turns = Chapter()


class TurnStarted(Event):
    """A seat's turn began, with a pawn to place or with a card."""

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
    yield start_turn(position, Seat((case.seat + 1) % len(position.seats)), case.edition)
