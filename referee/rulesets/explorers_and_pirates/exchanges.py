"""Exchanges with the bank: EP-55 to EP-57."""

from msgspec.structs import astuple

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import sales_per_turn
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import GOODS, Bag, Bundle, Good, Resource
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, SeatState
from referee.rulesets.explorers_and_pirates.wealth import amount_of, card, gold, in_words, paid, received, shortage

exchanges = Chapter()


class BankTrade(Move):
    """Give the bank three equal resource cards for one card of another resource, or for one gold."""

    give: Good
    take: Good


class BuyResource(Move):
    """Pay two gold for a resource card."""

    resource: Resource


class SellResource(Move):
    """Sell a resource card for one gold, if you have a unit in a `fastgold` village."""

    resource: Resource


class BankTraded(Event):
    """A seat exchanged cards with the bank."""

    seat: Seat
    give: Good
    take: Good
    given: int
    taken: int


class ResourceBought(Event):
    """A seat bought a card for gold."""

    seat: Seat
    resource: Resource
    cost: Bundle


class ResourceSold(Event):
    """A seat sold a card for gold."""

    seat: Seat
    resource: Resource
    amount: int


def can_give(state: SeatState, resource: Resource, edition: Edition) -> bool:
    """Whether a seat holds the cards that the bank takes for another (EP-55)."""
    return amount_of(state, resource) >= edition.bank_rate


def goods_left(position: Position) -> tuple[Good, ...]:
    """The goods of which the bank has any left (EP-28, EP-29)."""
    bank = position.bank
    return GOODS if 0 not in astuple(bank) else tuple([good for good in GOODS if getattr(bank, good)])


def has_purchase_left(position: Position, edition: Edition) -> bool:
    """Whether the active seat may buy a further card in this turn (EP-56)."""
    return position.this_turn.gold_buys < edition.gold_buys


def can_buy(state: SeatState, edition: Edition) -> bool:
    """Whether a seat can pay for a card (EP-56)."""
    return state.gold >= edition.gold_price


@exchanges.decides(BankTrade)
def bank_trade(case: Case, move: BankTrade) -> Says:
    """Check EP-55; then exchange cards with the bank."""
    rate, state = case.edition.bank_rate, case.position.seats[case.seat]
    if move.give == "gold":
        price = f"for {case.edition.gold_price} gold it sells a card by `buy_resource`"
        raise Rejection("EP-55", f"The bank takes {rate} cards of a resource in this exchange, no gold; {price}.")
    require("EP-55", move.give != move.take, f"You give {rate} {move.give} and take {move.take}: take another kind.")
    if not can_give(state, move.give, case.edition):
        cards: Bag = {move.give: rate}
        raise Rejection("EP-27", f"The exchange costs {in_words(cards)}; you have {shortage(state, cards)}.")
    clause = "EP-29" if move.take == "gold" else "EP-28"
    require(clause, move.take in goods_left(case.position), f"The bank has no {move.take} left.")
    yield BankTraded(seat=case.seat, give=move.give, take=move.take, given=rate, taken=1)


@exchanges.decides(BuyResource)
def buy_resource(case: Case, move: BuyResource) -> Says:
    """Check EP-56; then buy the card for gold."""
    edition, position = case.edition, case.position
    most, gold_held = edition.gold_buys, position.seats[case.seat].gold
    require("EP-56", has_purchase_left(position, edition), f"You have already bought {most} cards in this turn.")
    affordable = can_buy(position.seats[case.seat], edition)
    require("EP-27", affordable, f"A card costs {edition.gold_price} gold; you have {gold_held}.")
    require("EP-28", move.resource in goods_left(position), f"The bank has no {move.resource} left.")
    yield ResourceBought(seat=case.seat, resource=move.resource, cost=gold(edition.gold_price))


@exchanges.decides(SellResource)
def sell_resource(case: Case, move: SellResource) -> Says:
    """Check EP-57; then sell the card for gold."""
    edition, position = case.edition, case.position
    allowed = sales_per_turn(position, case.seat, edition)
    require("EP-57", allowed > 0, "You have no unit in a `fastgold` village, so you cannot sell cards.")
    sold = position.this_turn.gold_sales
    require("EP-57", sold < allowed, f"Your `fastgold` villages allow {allowed} sales in a turn; you have made {sold}.")
    require(
        "EP-27", amount_of(position.seats[case.seat], move.resource) > 0, f"You sell 1 {move.resource}; you have none."
    )
    require("EP-29", position.bank.gold >= edition.sale_gold, "The bank has no gold left.")
    yield ResourceSold(seat=case.seat, resource=move.resource, amount=edition.sale_gold)


@exchanges.applies(BankTraded)
def bank_traded(position: Position, event: BankTraded) -> Position:
    """Move cards to the bank, and a card or gold from it."""
    given = paid(position, event.seat, {event.give: event.given})
    return received(given, event.seat, {event.take: event.taken})


@exchanges.applies(ResourceBought)
def resource_bought(position: Position, event: ResourceBought) -> Position:
    """Move gold to the bank and a card from it, and count the purchase."""
    bought = received(paid(position, event.seat, event.cost), event.seat, card(event.resource))
    turn = position.this_turn
    return replace(bought, turn=replace(turn, gold_buys=turn.gold_buys + 1))


@exchanges.applies(ResourceSold)
def resource_sold(position: Position, event: ResourceSold) -> Position:
    """Move a card to the bank and gold from it, and count the sale."""
    sold = received(paid(position, event.seat, card(event.resource)), event.seat, gold(event.amount))
    turn = position.this_turn
    return replace(sold, turn=replace(turn, gold_sales=turn.gold_sales + 1))
