"""Turns and the hand limit (sections 4.2 and 4.4): how an action is completed."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat, next_seat
from referee.rulesets.catham_city.cards import in_order, listed
from referee.rulesets.catham_city.conditions import require_held, require_in_play
from referee.rulesets.catham_city.names import Cards
from referee.rulesets.catham_city.piles import CardsDiscarded, TableCleared
from referee.rulesets.catham_city.position import Case, Position, Says, active, hand_size

turns = Chapter()


class DiscardExcess(Move):
    """Discard the cards that your hand has beyond the limit."""

    cards: Annotated[Cards, Meta(description="Cards of your hand, exactly as many as you hold beyond the limit.")]


class ExcessDue(Event):
    """The active seat holds more cards than the limit allows and must discard some."""

    seat: Seat
    count: int


class ActionEnded(Event):
    """An action is complete, and the same seat has another action."""

    seat: Seat
    actions_left: int


class TurnEnded(Event):
    """A turn is over; the next seat is active."""

    seat: Seat
    next_seat: Seat
    actions_left: int


def complete_action(case: Case, position: Position) -> Says:
    """Clear the table, apply the hand limit, and go on (CC-10)."""
    seat = active(position)
    if table := listed(position.table):
        position = yield TableCleared(cards=table)
    excess = excess_of(position, case.edition.hand_limit)
    if excess > 0:  # CC-16
        yield ExcessDue(seat=seat, count=excess)
    else:
        yield from next_action(case, position)


def next_action(case: Case, position: Position) -> Says:
    """The next action of the same turn, or the turn of the next seat."""
    seat = active(position)
    if position.actions_left > 1:  # CC-8
        yield ActionEnded(seat=seat, actions_left=position.actions_left - 1)
    else:
        yield TurnEnded(
            seat=seat,
            next_seat=next_seat(seat, len(position.seats)),  # CC-7
            actions_left=case.edition.actions_per_turn(position.options.expert),
        )


def excess_of(position: Position, hand_limit: int) -> int:
    """The number of cards that the active seat holds beyond the limit; other seats never exceed it (CC-18)."""
    return hand_size(position, active(position)) - hand_limit


@turns.decides(DiscardExcess)
def discard_excess(case: Case, move: DiscardExcess) -> Says:
    """The seat discards any cards, old or new, but exactly the excess."""
    position = case.position
    require_in_play(position, *move.cards)
    excess = excess_of(position, case.edition.hand_limit)
    if len(move.cards) != excess:
        limit = case.edition.hand_limit
        held = f"You hold {limit + excess} cards and the limit is {limit}"
        raise Rejection("CC-17", f"{held}: discard exactly {excess}, not {len(move.cards)}.")
    require_held(case, move, move.cards)
    position = yield CardsDiscarded(seat=case.seat, cards=in_order(move.cards), reason="excess")
    yield from next_action(case, position)


@turns.applies(ExcessDue)
def excess_due(position: Position, event: ExcessDue) -> Position:
    """Wait for the discard."""
    return replace(position, phase="discard_excess", pending=None)


@turns.applies(ActionEnded)
def action_ended(position: Position, event: ActionEnded) -> Position:
    """Begin the next action of the turn."""
    return replace(position, phase="turn", actions_left=event.actions_left, pending=None)


@turns.applies(TurnEnded)
def turn_ended(position: Position, event: TurnEnded) -> Position:
    """Begin the turn of the next seat."""
    return replace(position, phase="turn", active_seat=event.next_seat, actions_left=event.actions_left, pending=None)
