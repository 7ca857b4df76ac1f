"""The auction: opening it and turning cards (FF-29 to FF-36)."""

from typing import Literal

from referee.kernel.changes import replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import SPECIAL, Card
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.position import Position, Says, bidders, seller_of
from referee.rulesets.fangfrisch.turns import StepStarted, next_turn

auction = Chapter()


class AuctionOpened(Event):
    """The seller holds an auction."""

    seller: Seat


class AuctionSkipped(Event):
    """No seat may take part, so no auction is held."""

    seller: Seat
    idle_turns: int


class CardRevealed(Event):
    """The top card of the deck is turned: into the offer, or aside if it is a special card."""

    card: Card
    to: Literal["offer", "aside"]


def open_auction(position: Position, edition: Edition) -> Says:
    """After the sale step an auction is held, if any seat may take part (FF-29, FF-32)."""
    seller = seller_of(position)
    if bidders(position, edition):
        position = yield AuctionOpened(seller=seller)
        yield from turn_card(position)
        return
    position = yield AuctionSkipped(seller=seller, idle_turns=position.idle_turns + 1)  # FF-32
    if position.idle_turns >= len(position.seats) and all(seat.money < edition.lot_price for seat in position.seats):
        yield StepStarted(phase="closing", seat=None)  # FF-33
    else:
        yield from next_turn(position)


def turn_card(position: Position) -> Says:
    """The next card is turned; the one after it, too, as long as nothing lies for sale (FF-34 to FF-36)."""
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
    """The row of idle turns is broken."""
    return replace(position, phase="auction", idle_turns=0)


@auction.applies(AuctionSkipped)
def auction_skipped(position: Position, event: AuctionSkipped) -> Position:
    """One more idle turn."""
    return replace(position, idle_turns=event.idle_turns)


@auction.applies(CardRevealed)
def card_revealed(position: Position, event: CardRevealed) -> Position:
    """The top card of the deck lies at the end of the offer, or aside."""
    if event.to == "offer":
        return replace(position, deck=position.deck[1:], offer=(*position.offer, event.card))
    return replace(position, deck=position.deck[1:], aside=(*position.aside, event.card))
