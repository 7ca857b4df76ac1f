"""Exchanges with the bank: EP-55 to EP-57."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.advantages import sales_per_turn
from referee.rulesets.explorers_and_pirates.ids import Bundle, Good, Resource
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.wealth import amount_of, card, gold, paid, received

exchanges = Chapter()


class BankTrade(Move):
    """Give three equal resource cards for one card of another resource, or for one gold."""

    give: Good
    take: Good


class BuyResource(Move):
    """Pay two gold for a resource card."""

    resource: Resource


class SellResource(Move):
    """Sell a resource card for one gold, as a friend of a `fastgold` village."""

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


@exchanges.decides(BankTrade)
def bank_trade(case: Case, move: BankTrade) -> Says:
    """EP-55."""
    rate = case.edition.bank_rate
    require("EP-55", move.give != "gold", "Gold is never given in for cards here.")
    require("EP-55", move.give != move.take, "You take something else than you give.")
    held = amount_of(case.position.seats[case.seat], move.give)
    require("EP-27", held >= rate, f"You do not hold {rate} cards of this resource.")
    there: int = getattr(case.position.bank, move.take)
    clause = "EP-29" if move.take == "gold" else "EP-28"
    require(clause, there > 0, "The bank has none left.")
    yield BankTraded(seat=case.seat, give=move.give, take=move.take, given=rate, taken=1)


@exchanges.decides(BuyResource)
def buy_resource(case: Case, move: BuyResource) -> Says:
    """EP-56."""
    edition, position = case.edition, case.position
    require("EP-56", position.this_turn.gold_buys < edition.gold_buys, "You have bought as often as a turn allows.")
    require("EP-27", position.seats[case.seat].gold >= edition.gold_price, "You do not have the gold.")
    require("EP-28", getattr(position.bank, move.resource) > 0, "The bank has none left.")
    yield ResourceBought(seat=case.seat, resource=move.resource, cost=gold(edition.gold_price))


@exchanges.decides(SellResource)
def sell_resource(case: Case, move: SellResource) -> Says:
    """EP-57."""
    edition, position = case.edition, case.position
    allowed = sales_per_turn(position, case.seat, edition)
    require("EP-57", position.this_turn.gold_sales < allowed, "One sale per turn and village that trades fast.")
    require("EP-27", amount_of(position.seats[case.seat], move.resource) > 0, "You do not hold such a card.")
    require("EP-29", position.bank.gold >= edition.sale_gold, "The bank has no gold left.")
    yield ResourceSold(seat=case.seat, resource=move.resource, amount=edition.sale_gold)


@exchanges.applies(BankTraded)
def bank_traded(position: Position, event: BankTraded) -> Position:
    """Cards to the bank, a card or gold from it."""
    given = paid(position, event.seat, {event.give: event.given})
    return received(given, event.seat, {event.take: event.taken})


@exchanges.applies(ResourceBought)
def resource_bought(position: Position, event: ResourceBought) -> Position:
    """Gold to the bank, a card from it."""
    bought = received(paid(position, event.seat, event.cost), event.seat, card(event.resource))
    turn = position.this_turn
    return replace(bought, turn=replace(turn, gold_buys=turn.gold_buys + 1))


@exchanges.applies(ResourceSold)
def resource_sold(position: Position, event: ResourceSold) -> Position:
    """A card to the bank, gold from it."""
    sold = received(paid(position, event.seat, card(event.resource)), event.seat, gold(event.amount))
    turn = position.this_turn
    return replace(sold, turn=replace(turn, gold_sales=turn.gold_sales + 1))
