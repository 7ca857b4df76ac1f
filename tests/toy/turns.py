"""Turns: drawing a card, and whose turn comes next (TY-5, TY-10, TY-11)."""

from typing import Annotated, Literal

from msgspec import UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.seat import Seat, clockwise
from tests.toy.names import Fish
from tests.toy.position import Case, Position, Says, active_of, can_act

turns = Chapter()


class DrawCard(Move):
    """Draw the top card of the deck."""


class CardDrawn(Event):
    """A seat drew a card, which only that seat sees."""

    seat: Seat
    card: Annotated[Fish | UnsetType, only("seat")]


class TurnStarted(Event):
    """The turn of a seat began."""

    seat: Seat


class MarketClosed(Event):
    """The last turn is over."""

    reason: Literal["sold_out", "time_up"]


@turns.decides(DrawCard)
def draw_card(case: Case, move: DrawCard) -> Says:
    """Check TY-5; then draw the card, and the turn passes."""
    held, limit = len(case.position.seats[case.seat].hand), case.edition.hand_limit
    require("TY-5", bool(case.position.deck), "The deck is empty; offer a fish of your hand.")
    require("TY-5", held < limit, f"You hold {held} fish, and a hand holds at most {limit}; offer one of them.")
    position = yield CardDrawn(seat=case.seat, card=case.position.deck[0])
    yield from next_turn(case, position)


def next_turn(case: Case, position: Position) -> Says:
    """Start the turn of the next seat that can act, or close the market."""
    able = [seat for seat in clockwise(active_of(position) + 1, len(position.seats)) if can_act(position, seat)]
    if not able:
        yield MarketClosed(reason="sold_out")  # TY-11
    elif position.turns + 1 >= case.edition.turns_max:
        yield MarketClosed(reason="time_up")  # TY-11
    else:
        yield TurnStarted(seat=able[0])  # TY-10


@turns.applies(CardDrawn)
def card_drawn(position: Position, event: CardDrawn) -> Position:
    """Move the top card of the deck to the seat's hand."""
    hand = (*position.seats[event.seat].hand, whole(event.card))
    return replace(position, seats=with_seat(position.seats, event.seat, hand=hand), deck=position.deck[1:])


@turns.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    """The seat is active."""
    return replace(position, phase="turn", active_seat=event.seat, buyer=None, turns=position.turns + 1)


@turns.applies(MarketClosed)
def market_closed(position: Position, event: MarketClosed) -> Position:
    """The referee can score the game."""
    return replace(position, phase="closing", buyer=None, turns=position.turns + 1)
