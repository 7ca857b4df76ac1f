"""Turns and steps: whose decision comes next (FF-10, FF-67, section 6)."""

from referee.kernel.changes import replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.position import Phase, Position, Says, clockwise, seller_of

turns = Chapter()


class TurnStarted(Event):
    """A seat's turn begins: it may sell fish and then holds an auction."""

    seller: Seat


class StepStarted(Event):
    """A step begins. `seat` decides in it; null: the referee is awaited."""

    phase: Phase
    seat: Seat | None


def next_turn(position: Position) -> Says:
    """The turn goes to the seat left of the seller, whoever bought (FF-67)."""
    yield TurnStarted(seller=clockwise(position, seller_of(position))[0])


@turns.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    """The seller is awaited; whatever was bought is put away."""
    return replace(position, seller=event.seller, phase="selling", purchase=None)


@turns.applies(StepStarted)
def step_started(position: Position, event: StepStarted) -> Position:
    """The phase is entered."""
    return replace(position, phase=event.phase)
