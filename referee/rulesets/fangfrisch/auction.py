"""The auction: opening it, announcing cards and turning them (FF-29 to FF-36, FF-42)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import SPECIAL, Card
from referee.rulesets.fangfrisch.position import Position, Says, bidders, is_live, seller_of
from referee.rulesets.fangfrisch.turns import StepStarted, next_turn

auction = Chapter()


class AuctionOpened(Event):
    """The seller opened an auction."""

    seller: Seat


class CardAnnounced(Event):
    """The seller announced the next card of its auction; the referee shows it in a moment (live pace)."""

    seller: Seat


class AuctionSkipped(Event):
    """No seat may take part, so the seller's turn ends without an auction."""

    seller: Seat
    idle_turns: int


class CardRevealed(Event):
    """The top card of the deck was turned: it lies in the offer, or aside if it is a special card."""

    card: Card
    to: Literal["offer", "aside"]


def open_auction(position: Position, edition: Edition) -> Says:
    """Open an auction after the sale step if any seat may take part, otherwise skip it (FF-29, FF-32)."""
    seller = seller_of(position)
    if bidders(position, edition):
        position = yield AuctionOpened(seller=seller)
        if is_live(position):
            yield CardAnnounced(seller=seller)  # FF-42
        else:
            yield from turn_card(position)
        return
    position = yield AuctionSkipped(seller=seller, idle_turns=position.idle_turns + 1)  # FF-32
    if position.idle_turns >= len(position.seats) and all(seat.money < edition.lot_price for seat in position.seats):
        yield StepStarted(phase="closing", seat=None)  # FF-33
    else:
        yield from next_turn(position)


def turn_card(position: Position) -> Says:
    """Turn the next card, and go on turning while the offer is empty (FF-34 to FF-36)."""
    while True:
        card = position.deck[0]
        position = yield CardRevealed(card=card, to="aside" if card in SPECIAL else "offer")
        if card == "market_close":
            yield StepStarted(phase="closing", seat=None)  # FF-36
            return
        if position.offer:  # FF-35
            return


@auction.applies(AuctionOpened)
def auction_opened(position: Position, event: AuctionOpened) -> Position:
    """The auction begins, and idle turns are counted from 0 again."""
    return replace(position, phase="auction", idle_turns=0)


@auction.applies(AuctionSkipped)
def auction_skipped(position: Position, event: AuctionSkipped) -> Position:
    """One more turn was idle."""
    return replace(position, idle_turns=event.idle_turns)


@auction.applies(CardAnnounced)
def card_announced(position: Position, event: CardAnnounced) -> Position:
    """The referee owes the next card."""
    return replace(position, is_announced=True)


@auction.applies(CardRevealed)
def card_revealed(position: Position, event: CardRevealed) -> Position:
    """Move the top card of the deck to the end of the offer, or aside."""
    position = replace(position, deck=position.deck[1:], offer_number=position.offer_number + 1, is_announced=False)
    if event.to == "offer":
        return replace(position, offer=(*position.offer, event.card))
    return replace(position, aside=(*position.aside, event.card))
