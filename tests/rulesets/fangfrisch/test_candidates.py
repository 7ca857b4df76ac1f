"""The moves that are listed, and families of those that are not."""

from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

import jsonschema
import msgspec
import pytest

from referee.kernel.candidates import one_by_one
from referee.kernel.changes import replace
from referee.kernel.judge import refusal
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.bell import Pass, RevealCard, Ring
from referee.rulesets.fangfrisch.candidates import LISTED_MAX
from referee.rulesets.fangfrisch.names import FISH, NATURAL, SLOTS, SPECIES
from referee.rulesets.fangfrisch.selling import FishSold
from referee.rulesets.fangfrisch.stowing import Placement, StowCards
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import a_purchase, an_auction, cards, given, seat


def families(table: Given, seat_number: int = 1) -> tuple[Any, ...]:
    return tuple(FANGFRISCH.families(table.position, seat_number))


def sold_slots(table: Given) -> list[tuple[tuple[str, str | None], ...]]:
    return [
        tuple((lot.slot, lot.species if isinstance(lot.species, str) else None) for lot in move.lots)
        for move in table.legal(0)
    ]


@clause("FF-18")
def test_every_choice_of_slots_is_listed_for_sale() -> None:
    sales = sold_slots(given(seat(crate_1="eel_1", crate_2="crab_1", basin="tuna_1 octopus_1")))
    assert len(sales) == 8
    assert () in sales
    assert (("basin", None), ("crate_1", None), ("crate_2", None)) in sales, "the largest lot comes first"


@clause("FF-23", "FF-24")
def test_jokers_alone_are_listed_with_every_species_that_is_allowed() -> None:
    sales = sold_slots(given(seat(crate_1="eel_1", basin="octopus_1"), seat(crate_2="crab_1")))
    others = [species for species in SPECIES if species != "eel"]
    assert sorted(sale[-1][1] for sale in sales if len(sale) == 1 and sale[0][0] == "basin") == sorted(others)
    assert len(sales) == 2 + 2 * len(others)


@clause("FF-24")
def test_three_slots_of_jokers_are_listed_with_different_species() -> None:
    jokers = seat(crate_1="octopus_1", crate_2="octopus_1", basin="octopus_1")
    sales = sold_slots(given(jokers, seat(crate_2="crab_1")))
    assert len(sales) == len(set(sales)) == 1 + 3 * 6 + 3 * 6 * 5 + 6 * 5 * 4


@clause("FF-23")
@pytest.mark.parametrize(
    "other", [seat(), seat(basin="crab_1"), seat(crate_1="octopus_2"), seat(crate_1="eel_3")], ids=str
)
def test_no_species_is_asked_where_it_has_no_effect(other: Any) -> None:
    table = given(seat(crate_1="eel_1", basin="octopus_1"), other)
    assert (("basin", None),) in sold_slots(table)
    assert len(sold_slots(table)) == 4
    assert table.when(0, {"type": "sell_fish", "lots": [{"slot": "basin"}]}).event(FishSold).species is None
    table.when(0, {"type": "sell_fish", "lots": [{"slot": "basin", "species": "eel"}]}).refused("FF-24")


@clause("FF-23", "FF-71")
def test_no_species_is_asked_in_a_final_sale() -> None:
    table = given(seat(basin="octopus_1"), seat(crate_1="crab_1"), phase="final_sale")
    assert sold_slots(table) == [(), (("basin", None),)]
    named = {"type": "sell_fish", "lots": [{"slot": "basin", "species": "tuna"}]}
    assert table.when(0, named).event(FishSold).species == "tuna"


def test_in_turn_pace_a_seat_rings_or_passes() -> None:
    assert an_auction().legal(2) == (Ring(), Pass())
    assert an_auction().legal(0) == ()


@clause("FF-R30")
def test_in_live_pace_a_listed_move_names_the_offer_it_is_for() -> None:
    assert an_auction(pace="live").legal(2) == (Ring(seen=2),)
    assert an_auction(pace="live").legal(0) == (RevealCard(seen=2),)
    assert an_auction(n=3, pace="live").legal(0) == (Ring(seen=2), RevealCard(seen=2))


@clause("FF-49", "FF-51")
def test_every_theft_is_listed_once_regardless_of_its_order() -> None:
    table = a_purchase(seat(basin="eel_1"), seat(), seat(crate_1="tuna_1 tuna_2"), phase="thieving", thieves=2)
    thefts = [tuple(sorted((theft.seat, theft.slot) for theft in move.thefts)) for move in table.legal(1)]
    crate, basin = (2, "crate_1"), (0, "basin")
    assert sorted(thefts) == sorted([(), (crate,), (basin,), (crate, crate), (basin, crate)])
    assert families(table) == ()


@clause("FF-49")
def test_if_thefts_are_too_many_the_smaller_ones_are_listed_and_the_rest_is_a_family() -> None:
    stalls = [
        seat(crate_1=f"{a}_1 {a}_1", crate_2=f"{b}_1 {b}_1", basin=f"{c}_2 {c}_2")
        for a, b, c in (("eel", "crab", "tuna"), ("shark", "plaice", "lobster"))
    ]
    stalls += [seat(crate_1="eel_3", crate_2="crab_3", basin="tuna_3")]
    table = a_purchase(stalls[0], seat(), *stalls[1:], phase="thieving", thieves=4)
    sizes = [len(move.thefts) for move in table.legal(1)]
    assert len(sizes) <= LISTED_MAX
    assert {0, 1, 2} <= set(sizes) and 4 not in sizes
    (family,) = families(table)
    move = {"type": "steal_cards", "from": [*[{"seat": 0, "slot": "basin"}] * 2, {"seat": 3, "slot": "crate_1"}]}
    jsonschema.validate(move, family.schema)
    table.when(1, move).tells(*["card_stolen"] * 3, "thieves_spent", "step_started")


def stowings(table: Given) -> list[StowCards]:
    return [move for move in table.legal(1) if isinstance(move, StowCards)]


def every_stowing(hand: tuple[str, ...], used: tuple[str, ...]) -> list[StowCards]:
    """Every well-formed stowing of a small hand, legal or not: all orders, all cuts, all slots emptied."""
    emptied = [slots for size in range(len(used) + 1) for slots in combinations(used, size)]
    return [
        StowCards(Placement(order[:a], order[a:b], order[b:c]), empty_slots, order[c:])
        for order in sorted(set(permutations(hand)))
        for a, b, c in combinations_with_replacement(range(len(hand) + 1), 3)
        for empty_slots in emptied
    ]


def with_sorted_discards(move: StowCards) -> StowCards:
    """The order of what is thrown away makes no difference."""
    return replace(move, discard=tuple(sorted(move.discard)))


@clause("FF-54", "FF-59", "FF-60")
@pytest.mark.parametrize("hand", ["eel_1 crab_2", "octopus_1 eel_3", "octopus_1 octopus_2", "eel_1 eel_1", "tuna_2"])
@pytest.mark.parametrize(
    "stall",
    [seat(), seat(crate_1="crab_1", basin="octopus_1"), seat(crate_1="tuna_1", crate_2="eel_1", basin="crab_1")],
)
def test_every_legal_stowing_of_a_hand_of_up_to_two_cards_is_listed(hand: str, stall: Any) -> None:
    table = a_purchase(seat(), stall, phase="stowing", hand=hand)
    used = tuple(slot for slot in SLOTS if getattr(stall, slot))
    every = every_stowing(cards(hand), used)
    legal = {with_sorted_discards(move) for move in every if refusal(FANGFRISCH, table.position, 1, move) is None}
    listed = [with_sorted_discards(move) for move in one_by_one(FANGFRISCH.candidates(table.position, 1))]
    assert len(listed) == len(set(listed))
    assert set(listed) == legal
    assert families(table) == ()


@clause("FF-60")
def test_every_card_of_a_pile_is_listed_as_its_top_card() -> None:
    table = a_purchase(seat(), seat(basin="eel_1"), phase="stowing", hand="eel_3 eel_2 octopus_1 eel_2")
    onto_basin = [move.place.basin for move in stowings(table) if len(move.place.basin) == 4]
    assert {pile[-1] for pile in onto_basin} == {"eel_3", "eel_2", "octopus_1"}
    assert onto_basin[0] == cards("eel_3 eel_2 eel_2 octopus_1"), "small cards on top come first"


def choice_of(move: StowCards) -> tuple[Any, ...]:
    """Where the cards go, whatever their order."""
    return (
        *[tuple(sorted(getattr(move.place, slot))) for slot in SLOTS],
        move.empty_slots,
        tuple(sorted(move.discard)),
    )


@clause("FF-56", "FF-57", "FF-58")
def test_every_choice_of_slots_for_three_cards_is_listed() -> None:
    hand, stall = "eel_1 octopus_2 crab_1", seat(crate_2="crab_3")
    table = a_purchase(seat(), stall, phase="stowing", hand=hand)
    legal = {
        choice_of(move)
        for move in every_stowing(cards(hand), ("crate_2",))
        if refusal(FANGFRISCH, table.position, 1, move) is None
    }
    assert {choice_of(move) for move in stowings(table)} == legal


HUGE_HAND = " ".join((*list(NATURAL), "octopus_1 octopus_1 octopus_2 octopus_2 octopus_3"))


@pytest.mark.parametrize("stall", [seat(), seat(crate_1="eel_1", crate_2="crab_1 octopus_1", basin="tuna_1")])
def test_for_a_huge_hand_a_bounded_number_of_stowings_is_listed_and_the_rest_is_a_family(stall: Any) -> None:
    table = a_purchase(seat(), stall, phase="stowing", hand=HUGE_HAND)
    listed = stowings(table)
    assert len(listed) == len(set(listed)) == LISTED_MAX
    (family,) = families(table)
    for move in listed:
        jsonschema.validate(msgspec.json.decode(msgspec.json.encode(move)), family.schema)


@clause("FF-60")
def test_a_family_allows_every_order_of_a_pile() -> None:
    table = a_purchase(seat(), seat(crate_1="crab_1"), phase="stowing", hand="eel_3 eel_2 eel_1 crab_2")
    (family,) = families(table)
    for order in permutations(cards("eel_3 eel_2 eel_1")):
        move = {"type": "stow_cards", "place": {"basin": list(order), "crate_1": ["crab_2"]}}
        jsonschema.validate(move, family.schema)
        table.when(1, move).tells("cards_stowed", "cards_stowed", "turn_started")


def test_a_family_excludes_impossible_moves() -> None:
    table = a_purchase(seat(), seat(crate_1="crab_1"), phase="stowing", hand="eel_3 eel_2 crab_2")
    (family,) = families(table)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"type": "stow_cards", "place": {"basin": ["crab_2"]}}, family.schema)


def test_only_the_buyer_is_offered_a_family() -> None:
    table = a_purchase(seat(), seat(), phase="stowing", hand="eel_3 eel_2 crab_2")
    assert families(table, 1)
    assert not any(families(table, other) for other in (0, 2, 3))
    assert families(given(seat(crate_1="eel_1")), 0) == ()


@clause("FF-63", "FF-64")
def test_every_heap_that_a_can_removes_is_listed_once() -> None:
    table = a_purchase(seat(), seat(trash="eel_1 crab_2 eel_1"), phase="canning", cans=1)
    heaps = sorted(move.cards for move in table.legal(1))
    assert heaps == sorted(map(cards, ["", "eel_1", "crab_2", "eel_1 eel_1", "crab_2 eel_1"]))
    assert families(table) == ()


@clause("FF-63")
def test_if_heaps_are_too_many_one_is_listed_for_each_choice_of_numbers_of_fish() -> None:
    trash = " ".join(NATURAL)
    table = a_purchase(seat(), seat(trash=trash), phase="canning", cans=2)
    heaps = [tuple(sorted(FISH[card] for card in move.cards)) for move in table.legal(1)]
    assert len(heaps) == len(set(heaps)) == 1 + 3 + 6 + 10 + 15
    (family,) = families(table)
    move = {"type": "clear_trash", "cards": ["eel_3", "crab_3", "tuna_3", "shark_3"]}
    jsonschema.validate(move, family.schema)
    table.when(1, move).tells("trash_cleared", "cans_spent", "turn_started")
