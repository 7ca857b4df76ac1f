"""Bidding: a seat offers a fish, the others bid in secret (TY-6 to TY-8)."""

from typing import Annotated, ClassVar

from msgspec import Meta, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.rejection import require
from referee.kernel.seat import Seat, clockwise
from tests.toy.names import Fish
from tests.toy.position import Case, Natural, Position, Says, SeatState, active_of
from tests.toy.turns import next_turn

bidding = Chapter()


class OfferCard(Move):
    """Offer a fish of your hand to the others."""

    card: Fish


class Bid(Move):
    """Bid in secret for the fish that is offered."""

    secret: ClassVar[bool] = True
    coins: Annotated[Natural, Meta(description="The coins that you bid; 0 is no bid.")]


class RevealBids(Trigger):
    """Show the bids and sell the fish."""


class CardOffered(Event):
    """A seat offered a fish."""

    seat: Seat
    card: Fish


class BidMade(Event):
    """A seat made its bid, which only that seat sees."""

    seat: Seat
    coins: Annotated[int | UnsetType, only("seat")]


class CardSold(Event):
    """The highest bid bought the fish."""

    seat: Seat
    buyer: Seat
    card: Fish
    price: int


class CardThrownAway(Event):
    """Nobody bid for the fish."""

    seat: Seat
    card: Fish


@bidding.decides(OfferCard)
def offer_card(case: Case, move: OfferCard) -> Says:
    """Check TY-6; then offer the fish."""
    require("TY-6", move.card in case.position.seats[case.seat].hand, f"You hold no {move.card}.")
    yield CardOffered(seat=case.seat, card=move.card)


@bidding.decides(Bid)
def bid(case: Case, move: Bid) -> Says:
    """Check TY-7; then note the bid."""
    coins = case.position.seats[case.seat].coins
    require("TY-7", move.coins <= coins, f"You bid {move.coins} coins and have {coins}.")
    yield BidMade(seat=case.seat, coins=move.coins)


@bidding.decides(RevealBids)
def reveal_bids(case: Case, move: RevealBids) -> Says:
    """Sell the fish to the highest bid, or throw it away (TY-8)."""
    position, seller, card = case.position, active_of(case.position), case.position.offer
    assert card is not None, "a fish is offered while seats bid"
    others = clockwise(seller, len(position.seats))[1:]
    buyer = max(others, key=lambda seat: position.seats[seat].bid or 0)  # max() keeps the first of equal bids
    price = position.seats[buyer].bid or 0
    if price:
        position = yield CardSold(seat=seller, buyer=buyer, card=card, price=price)
    else:
        position = yield CardThrownAway(seat=seller, card=card)
    if position.phase != "haggling":
        yield from next_turn(case, position)


@bidding.applies(CardOffered)
def card_offered(position: Position, event: CardOffered) -> Position:
    """Move the fish from the seat's hand to the offer."""
    hand = without(position.seats[event.seat].hand, (event.card,))
    seats = with_seat(position.seats, event.seat, hand=hand)
    return replace(position, phase="bidding", seats=seats, offer=event.card)


@bidding.applies(BidMade)
def bid_made(position: Position, event: BidMade) -> Position:
    """The seat has a bid."""
    return replace(position, seats=with_seat(position.seats, event.seat, bid=whole(event.coins)))


@bidding.applies(CardSold)
def card_sold(position: Position, event: CardSold) -> Position:
    """The buyer pays the seller and has the fish; with the option `haggling` it may hand out coins."""
    seats = without_bids(position)
    buyer = seats[event.buyer]
    seats = with_seat(seats, event.seat, coins=seats[event.seat].coins + event.price)
    seats = with_seat(seats, event.buyer, coins=buyer.coins - event.price, bought=(*buyer.bought, event.card))
    if position.options.haggling:
        return replace(position, phase="haggling", seats=seats, offer=None, buyer=event.buyer)
    return replace(position, phase="turn", seats=seats, offer=None, buyer=None)


@bidding.applies(CardThrownAway)
def card_thrown_away(position: Position, event: CardThrownAway) -> Position:
    """The fish is out of the game."""
    thrown_away = (*position.thrown_away, event.card)
    return replace(position, phase="turn", seats=without_bids(position), offer=None, thrown_away=thrown_away)


def without_bids(position: Position) -> tuple[SeatState, ...]:
    """The seats after the bids were shown."""
    return tuple([replace(seat, bid=None) for seat in position.seats])
