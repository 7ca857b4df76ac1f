"""Exchanges with the bank: EP-27 to EP-29, EP-55 to EP-57, EP-110."""

from referee.rulesets.explorers_and_pirates.exchanges import (
    BankTrade,
    BankTraded,
    BuyResource,
    ResourceBought,
    ResourceSold,
    SellResource,
)
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

VILLAGES = {"up": {"5,-1": "fastgold", "4,1": "fastgold"}}


@clause("EP-55")
def test_three_equal_cards_bring_another_card_or_a_gold() -> None:
    table = a_table(seat("wool6"), seat())
    after = table.when(0, BankTrade(give="wool", take="ore")).says(
        BankTraded(seat=0, give="wool", take="ore", given=3, taken=1)
    )
    state = after.when(0, BankTrade(give="wool", take="gold")).position.seats[0]
    assert (state.resources.wool, state.resources.ore, state.gold) == (0, 1, 1)


@clause("EP-55")
def test_an_exchange_takes_no_gold_and_returns_another_kind() -> None:
    a_table(seat(gold=3), seat()).when(0, BankTrade(give="gold", take="ore")).refused("EP-55")
    a_table(seat("wool3"), seat()).when(0, BankTrade(give="wool", take="wool")).refused("EP-55")


@clause("EP-27", "EP-55")
def test_two_cards_are_not_enough() -> None:
    a_table(seat("wool2 ore1"), seat()).when(0, BankTrade(give="wool", take="ore")).refused("EP-27")


@clause("EP-28", "EP-29")
def test_nobody_gets_what_the_bank_does_not_have() -> None:
    hoard = a_table(seat("wool3", gold=2), seat("ore19"))
    hoard.when(0, BankTrade(give="wool", take="ore")).refused("EP-28")
    hoard.when(0, BuyResource(resource="ore")).refused("EP-28")
    gold = a_table(seat("wool3"), seat(gold=148), friends={"5,-1": (0,)}, **VILLAGES)
    gold.when(0, BankTrade(give="wool", take="gold")).refused("EP-29")
    gold.when(0, SellResource(resource="wool")).refused("EP-29")


@clause("EP-56")
def test_two_gold_buy_a_card_twice_a_turn() -> None:
    table = a_table(seat(gold=5), seat())
    table = table.when(0, BuyResource(resource="ore")).says(ResourceBought(seat=0, resource="ore", cost={"gold": 2}))
    assert (table.position.this_turn.gold_buys, table.position.seats[0].gold) == (1, 3)
    table = table.when(0, BuyResource(resource="wool")).tells("resource_bought")
    table.when(0, BuyResource(resource="wool")).refused("EP-56")
    a_table(seat(gold=9), seat(), turn={"gold_buys": 2}).when(0, BuyResource(resource="ore")).refused("EP-56")


@clause("EP-27", "EP-56")
def test_one_gold_buys_nothing() -> None:
    a_table(seat(gold=1), seat()).when(0, BuyResource(resource="ore")).refused("EP-27")


@clause("EP-57", "EP-110")
def test_a_seat_with_units_in_fastgold_villages_sells_a_card_per_turn_and_village() -> None:
    table = a_table(seat("wool3"), seat(), friends={"5,-1": (0,)}, **VILLAGES)
    after = table.when(0, SellResource(resource="wool")).says(ResourceSold(seat=0, resource="wool", amount=1))
    assert (after.position.seats[0].gold, after.position.this_turn.gold_sales) == (1, 1)
    after.when(0, SellResource(resource="wool")).refused("EP-57")
    both = a_table(seat("wool3"), seat(), friends={"5,-1": (0,), "4,1": (1, 0)}, **VILLAGES)
    both = both.when(0, SellResource(resource="wool")).tells("resource_sold")
    both = both.when(0, SellResource(resource="wool")).tells("resource_sold")
    both.when(0, SellResource(resource="wool")).refused("EP-57")


@clause("EP-57", "EP-27")
def test_a_seat_without_a_fastgold_village_or_the_card_sells_nothing() -> None:
    strangers = a_table(seat("wool3"), seat(), friends={"5,-1": (1,)}, **VILLAGES)
    strangers.when(0, SellResource(resource="wool")).refused("EP-57")
    friend = a_table(seat("wool3"), seat(), friends={"5,-1": (0,)}, **VILLAGES)
    friend.when(0, SellResource(resource="ore")).refused("EP-27")


@clause("EP-57")
def test_sales_are_independent_of_the_other_exchanges() -> None:
    table = a_table(seat("wool4", gold=4), seat(), friends={"5,-1": (0,)}, turn={"gold_buys": 2}, **VILLAGES)
    table = table.when(0, SellResource(resource="wool")).tells("resource_sold")
    table.when(0, BankTrade(give="wool", take="gold")).tells("bank_traded")
