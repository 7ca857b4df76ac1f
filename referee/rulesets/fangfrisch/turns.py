"""Turns and steps: which seat decides next (FF-10, FF-67)."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat, next_seat
from referee.rulesets.fangfrisch.position import Phase, Position, Says, seller_of

turns = Chapter()


class TurnStarted(Event):
    """A seat's turn began: it may sell fish, and then holds an auction."""

    seller: Seat


class StepStarted(Event):
    """A step began. `seat` decides in it; null: the referee acts."""

    phase: Phase
    seat: Seat | None


def next_turn(position: Position) -> Says:
    """Pass the turn to the seat left of the seller, whichever seat bought (FF-67)."""
    yield TurnStarted(seller=next_seat(seller_of(position), len(position.seats)))


@turns.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    """The seller decides, and the purchase is over."""
    return replace(position, seller=event.seller, phase="selling", purchase=None)


@turns.applies(StepStarted)
def step_started(position: Position, event: StepStarted) -> Position:
    """The phase is that of the step."""
    return replace(position, phase=event.phase)
