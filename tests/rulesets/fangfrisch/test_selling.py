"""Selling fish (FF-18 to FF-28, FF-69 to FF-71)."""

import pytest

from referee.rulesets.fangfrisch.selling import CardSpoiled, FishSold, Lot, SellFish
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import a_purchase, cards, given, money, seat

EELS_AND_PLAICE = seat(crate_1="eel_3 eel_2", basin="plaice_2 plaice_2 octopus_3")


def sell(*lots: str) -> SellFish:
    """Slots to be sold; `basin=tuna` names a species."""
    pairs = [lot.partition("=") for lot in lots]
    return SellFish(lots=tuple(Lot(slot, species) if species else Lot(slot) for slot, _, species in pairs))


def spoiled(table: Given, *lots: str) -> list[CardSpoiled]:
    return [event for event in table.when(0, sell(*lots)).events if isinstance(event, CardSpoiled)]


@clause("FF-18", "FF-21", "FF-28")
def test_eels_and_plaice_are_sold_for_22_as_in_the_rulebook() -> None:
    """Example E1."""
    table = given(EELS_AND_PLAICE, top="tuna_1").when(0, sell("crate_1", "basin"))
    assert table.events[:2] == (
        FishSold(0, "crate_1", "eel", cards("eel_3 eel_2"), 5, 7, False),
        FishSold(0, "basin", "plaice", cards("plaice_2 plaice_2 octopus_3"), 7, 15, False),
    )
    assert table.position.seats[0].money == 30 + 22


@clause("FF-26", "FF-27")
def test_eels_in_a_crate_spoil_and_plaice_in_a_basin_do_not() -> None:
    """Example E2."""
    table = given(EELS_AND_PLAICE, seat(crate_1="eel_1 eel_2", basin="plaice_3 plaice_1"))
    then = table.when(0, sell("crate_1", "basin"))
    assert then.event(CardSpoiled) == CardSpoiled(seat=1, slot="crate_1", card="eel_2")
    other = then.position.seats[1]
    assert (other.crate_1, other.basin, other.trash) == (("eel_1",), cards("plaice_3 plaice_1"), ("eel_2",))


@clause("FF-26", "FF-16", "FF-R34")
def test_the_card_laid_last_spoils_even_if_it_is_a_joker() -> None:
    """Example E2, second part."""
    table = given(EELS_AND_PLAICE, seat(crate_1="eel_1 octopus_3"))
    assert spoiled(table, "crate_1") == [CardSpoiled(seat=1, slot="crate_1", card="octopus_3")]


@clause("FF-18", "FF-R14", "FF-R23")
def test_nothing_may_be_sold_and_the_sale_step_is_over_with_one_move() -> None:
    table = given(EELS_AND_PLAICE).when(0, sell()).tells("auction_opened", "card_revealed")
    table.when(0, sell("crate_1")).refused("FF-1")


@clause("FF-19", "FF-25")
def test_a_slot_is_sold_whole_surplus_and_jokers_included() -> None:
    table = given(seat(basin="crab_3 crab_3 crab_3 octopus_3"), discard="eel_1")
    then = table.when(0, sell("basin"))
    assert then.event(FishSold).fish == 12
    assert then.position.seats[0].basin == ()
    assert then.position.discard == cards("eel_1 crab_3 crab_3 crab_3 octopus_3")


@clause("FF-20")
def test_an_empty_slot_cannot_be_sold() -> None:
    given(EELS_AND_PLAICE).when(0, sell("crate_1", "crate_2")).refused("FF-20")


@clause("FF-21")
@pytest.mark.parametrize(
    ("slot", "price"),
    [
        ("tuna_1", 1),
        ("tuna_2", 2),
        ("tuna_3", 3),
        ("tuna_3 tuna_1", 5),
        ("tuna_3 tuna_2", 7),
        ("tuna_3 tuna_3", 10),
        ("tuna_3 tuna_3 tuna_1", 15),
        ("tuna_3 tuna_3 tuna_2", 20),
        ("tuna_3 tuna_3 tuna_3", 25),
        ("tuna_3 tuna_3 tuna_3 tuna_1", 30),
        ("tuna_3 tuna_3 tuna_3 tuna_3 octopus_3", 30),
    ],
)
def test_the_price_depends_on_the_number_of_fish(slot: str, price: int) -> None:
    assert given(seat(crate_2=slot)).when(0, sell("crate_2")).event(FishSold).price == price


@clause("FF-22", "FF-13")
def test_a_slot_with_a_species_is_sold_as_that_species() -> None:
    table = given(EELS_AND_PLAICE)
    table.when(0, sell("basin=eel")).refused("FF-22")
    assert table.when(0, sell("basin=plaice")).event(FishSold).species == "plaice"
    assert table.when(0, sell("basin")).event(FishSold).species == "plaice"


@clause("FF-23", "FF-24", "FF-14", "FF-R12")
def test_jokers_alone_are_sold_as_a_species_that_lies_nowhere_else() -> None:
    """Example E6."""
    table = given(seat(crate_1="eel_2", basin="octopus_2 octopus_1"), seat(crate_2="tuna_3"))
    table.when(0, sell("basin")).refused("FF-23")
    table.when(0, sell("basin=eel")).refused("FF-24")
    table.when(0, sell("crate_1", "basin=eel")).refused("FF-24")
    then = table.when(0, sell("basin=tuna"))
    assert then.event(FishSold).price == 3
    assert then.event(CardSpoiled) == CardSpoiled(seat=1, slot="crate_2", card="tuna_3")


@clause("FF-24")
def test_two_slots_of_jokers_are_sold_as_two_species() -> None:
    table = given(seat(crate_1="octopus_2", basin="octopus_1"))
    table.when(0, sell("crate_1=eel", "basin=eel")).refused("FF-24")
    then = table.when(0, sell("crate_1=eel", "basin=crab"))
    assert [event.species for event in then.events if isinstance(event, FishSold)] == ["eel", "crab"]


@clause("FF-26")
def test_spoiling_goes_clockwise_from_the_selling_seat() -> None:
    stall = seat(crate_2="crab_1")
    table = given(stall, stall, seat(crate_1="crab_2"), stall, n=4, seller=2)
    then = table.when(2, sell("crate_1"))
    assert [event.seat for event in then.events if isinstance(event, CardSpoiled)] == [3, 0, 1]


@clause("FF-27", "FF-R13")
def test_a_crate_of_jokers_does_not_spoil() -> None:
    assert spoiled(given(EELS_AND_PLAICE, seat(crate_1="octopus_1")), "crate_1", "basin") == []


@clause("FF-14", "FF-27", "FF-R11")
def test_jokers_left_alone_are_jokers_again() -> None:
    """Example E7."""
    table = given(seat(crate_1="crab_2"), seat(crate_1="octopus_2 crab_1"), seat(basin="crab_3"), seat(9), top="crab_2")
    table = table.when(0, sell("crate_1")).tells("fish_sold", "card_spoiled", "auction_opened", "card_revealed")
    assert table.position.seats[1].crate_1 == ("octopus_2",)
    table = table.when(1, {"type": "pass"}).tells("answer_given")
    table = table.when(2, {"type": "ring"}).tells("answer_given", "answers_shown", "lot_sold", "step_started")
    table = table.when(2, {"type": "stow_cards", "place": {"basin": ["crab_2"]}}).tells("cards_stowed", "turn_started")
    assert table.when(1, sell("crate_1=tuna")).event(FishSold).species == "tuna"


@clause("FF-27", "FF-28")
def test_a_seat_may_lose_a_card_of_each_crate_when_two_lots_are_sold() -> None:
    table = given(seat(crate_1="eel_1", crate_2="crab_1"), seat(crate_1="crab_2", crate_2="eel_2"))
    then = table.when(0, sell("crate_2", "crate_1"))
    assert then.events[:4] == (
        FishSold(0, "crate_2", "crab", ("crab_1",), 1, 1, False),
        CardSpoiled(seat=1, slot="crate_1", card="crab_2"),
        FishSold(0, "crate_1", "eel", ("eel_1",), 1, 1, False),
        CardSpoiled(seat=1, slot="crate_2", card="eel_2"),
    )


@clause("FF-27", "FF-15")
def test_a_seat_loses_at_most_one_card_per_lot() -> None:
    table = given(EELS_AND_PLAICE, seat(crate_1="eel_1 eel_2", crate_2="octopus_1"))
    assert len(spoiled(table, "crate_1")) == 1


@clause("FF-3")
@pytest.mark.parametrize(
    "lots",
    [
        [{"slot": "crate_1"}, {"slot": "crate_1"}],
        [{"slot": "trash"}],
        [{"slot": "basin", "species": "octopus"}],
        [{"slot": "basin", "price": 3}],
        [{"slot": "basin"}] * 4,
        "basin",
        None,
    ],
)
def test_lots_must_be_well_formed(lots: object) -> None:
    given(EELS_AND_PLAICE).when(0, {"type": "sell_fish", "lots": lots}).refused("FF-3")


@clause("FF-66", "FF-26", "FF-28", "FF-R20")
def test_a_late_buyer_sells_at_full_price_and_spoils_the_seller_too() -> None:
    table = a_purchase(seat(crate_1="eel_1"), EELS_AND_PLAICE, phase="buyer_sale", aside="end_phase")
    then = table.when(1, sell("crate_1"))
    assert then.event(FishSold).price == 7
    assert then.event(CardSpoiled) == CardSpoiled(seat=0, slot="crate_1", card="eel_1")
    then.tells("fish_sold", "card_spoiled", "turn_started")


@clause("FF-66")
def test_a_late_buyer_need_not_sell() -> None:
    table = a_purchase(seat(), EELS_AND_PLAICE, phase="buyer_sale", aside="end_phase")
    table.when(1, sell()).tells("turn_started")


@clause("FF-70", "FF-71", "FF-R25")
def test_the_last_sale_is_at_half_price_lot_by_lot_and_spoils_nothing() -> None:
    """Example E10."""
    stall = seat(crate_1="crab_3", crate_2="eel_3 eel_3 eel_1", basin="tuna_3 tuna_3 tuna_3")
    table = given(seat(crate_1="eel_2"), stall, phase="final_sale", final_sales=1)
    then = table.when(1, sell("crate_1", "crate_2", "basin"))
    sold = [event for event in then.events if isinstance(event, FishSold)]
    assert [event.price for event in sold] == [2, 8, 13]
    assert all(event.half_price for event in sold)
    table = then.tells("fish_sold", "fish_sold", "fish_sold", *["final_sale_made"] * 3, "step_started")
    assert money(table)[1] == 30 + 23
    assert table.position.seats[0].crate_1 == ("eel_2",)


@clause("FF-70")
@pytest.mark.parametrize(
    ("slot", "price"),
    [("eel_1", 1), ("eel_2", 1), ("eel_3 eel_1", 3), ("eel_3 eel_2", 4), ("eel_3 eel_3", 5), ("eel_3 eel_3 eel_2", 10)],
)
def test_half_prices_are_read_from_the_list(slot: str, price: int) -> None:
    table = given(seat(basin=slot), phase="final_sale")
    assert table.when(0, sell("basin")).event(FishSold).price == price


@clause("FF-70", "FF-21")
def test_ten_fish_or_more_earn_fifteen_at_half_price() -> None:
    table = given(seat(basin="eel_3 eel_3 eel_3 octopus_3"), phase="final_sale")
    assert table.when(0, sell("basin")).event(FishSold).price == 15
