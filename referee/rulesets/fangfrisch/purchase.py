"""The purchase: the price and the bonus of a lot, and the buyer's steps (FF-45 to FF-48)."""

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import FISH, Cards
from referee.rulesets.fangfrisch.position import (
    LastLot,
    Position,
    Purchase,
    Says,
    is_stall_empty,
    others_of,
    purchase_of,
    seller_of,
)
from referee.rulesets.fangfrisch.turns import StepStarted, next_turn

purchase = Chapter()


class LotSold(Event):
    """A seat bought the offer. `hand` holds its fish cards, `actions` its thief and can cards."""

    buyer: Seat
    seller: Seat
    price: int
    bonus: int
    hand: Cards
    actions: Cards
    thieves: int
    cans: int


class ThievesSpent(Event):
    """The buyer has used the thieves of its lot, or has lost them."""

    seat: Seat
    used: int
    wasted: int


class CansSpent(Event):
    """The buyer has used the cans of its lot, or has lost them."""

    seat: Seat
    used: int
    wasted: int


def sell_lot(position: Position, edition: Edition, buyer: Seat) -> Says:
    """Sell the whole offer to the buyer, and pay the seller its bonus (FF-45 to FF-47)."""
    offer, seller = position.offer, seller_of(position)
    actions = tuple([card for card in offer if card not in FISH])
    position = yield LotSold(
        buyer=buyer,
        seller=seller,
        price=edition.lot_price,
        bonus=0 if buyer == seller else len(offer) * edition.bonus_per_card,  # FF-46
        hand=tuple([card for card in offer if card in FISH]),
        actions=actions,
        thieves=actions.count("thief"),
        cans=actions.count("can"),
    )
    yield from next_step(position)


def next_step(position: Position, has_stowed: bool = False) -> Says:
    """Start the next of the buyer's steps that has something to decide, or else the next turn (FF-48)."""
    bought = purchase_of(position)
    buyer = bought.buyer
    if bought.thieves:
        if not all(is_stall_empty(position.seats[seat]) for seat in others_of(position, buyer)):
            yield StepStarted(phase="thieving", seat=buyer)
            return
        position = yield ThievesSpent(seat=buyer, used=0, wasted=bought.thieves)  # FF-52
    if not has_stowed and (bought.hand or not is_stall_empty(position.seats[buyer])):
        yield StepStarted(phase="stowing", seat=buyer)  # FF-53
        return
    if bought.cans:
        if position.seats[buyer].trash:
            yield StepStarted(phase="canning", seat=buyer)  # FF-62
            return
        position = yield CansSpent(seat=buyer, used=0, wasted=bought.cans)  # FF-65
    if "end_phase" in position.aside and not is_stall_empty(position.seats[buyer]):
        yield StepStarted(phase="buyer_sale", seat=buyer)  # FF-66
    else:
        yield from next_turn(position)


@purchase.applies(LotSold)
def lot_sold(position: Position, event: LotSold) -> Position:
    """The buyer pays and takes the offer, the seller gets its bonus, and action cards are discarded."""
    buyer = position.seats[event.buyer]
    position = replace(position, seats=with_seat(position.seats, event.buyer, money=buyer.money - event.price))
    seller = position.seats[event.seller]
    return replace(
        position,
        seats=with_seat(position.seats, event.seller, money=seller.money + event.bonus),
        offer=(),
        is_announced=False,
        last_lot=LastLot(position.offer_number, event.buyer, len(position.offer)),
        discard=position.discard + event.actions,
        purchase=Purchase(buyer=event.buyer, hand=event.hand, thieves=event.thieves, cans=event.cans),
    )


@purchase.applies(ThievesSpent)
def thieves_spent(position: Position, event: ThievesSpent) -> Position:
    """No thief is left."""
    return replace(position, purchase=replace(purchase_of(position), thieves=0))


@purchase.applies(CansSpent)
def cans_spent(position: Position, event: CansSpent) -> Position:
    """No can is left."""
    return replace(position, purchase=replace(purchase_of(position), cans=0))
