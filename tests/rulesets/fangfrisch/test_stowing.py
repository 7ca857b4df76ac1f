"""Stowing (FF-53 to FF-61)."""

from typing import Any

import pytest

from referee.rulesets.fangfrisch.purchase import CansSpent
from referee.rulesets.fangfrisch.stowing import CardsStowed, CardsTrashed, SlotEmptied
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.given import Given, Then
from tests.rulesets.fangfrisch.tables import a_purchase, cards, seat

FULL = seat(crate_1="shark_1", crate_2="crab_2 crab_1", basin="tuna_3")


def stow(
    table: Given, crate_1: str = "", crate_2: str = "", basin: str = "", empty: str = "", discard: str = ""
) -> Then:
    place = {"crate_1": crate_1.split(), "crate_2": crate_2.split(), "basin": basin.split()}
    move = {"type": "stow_cards", "place": place, "empty_slots": empty.split(), "discard": discard.split()}
    return table.when(1, move)


def a_hand(hand: str, stall: Any = FULL, **rest: Any) -> Given:
    """Seat 1 has to stow this hand."""
    return a_purchase(seat(), stall, phase="stowing", hand=hand, **rest)


@clause("FF-59", "FF-58", "FF-61", "FF-R15")
def test_a_fourth_species_takes_the_place_of_the_shark_as_in_the_rulebook() -> None:
    """Example E4."""
    table = a_hand("lobster_2")
    then = stow(table, empty="crate_1", crate_1="lobster_2")
    assert then.events == (
        SlotEmptied(1, "crate_1", ("shark_1",)),
        CardsStowed(1, "crate_1", ("lobster_2",)),
        TurnStarted(seller=1),
    )
    assert then.position.seats[1].trash == ("shark_1",)
    stow(table, crate_1="lobster_2").refused("FF-58")
    stow(table, discard="lobster_2").says(CardsTrashed(1, ("lobster_2",)), TurnStarted(seller=1))


@clause("FF-53")
def test_the_hand_is_put_away_in_one_move() -> None:
    stow(a_hand("crab_3 octopus_1"), crate_2="crab_3").refused("FF-54")


@clause("FF-54")
@pytest.mark.parametrize("placed", ["crab_3 crab_3", "crab_3 crab_2", "", "crab_3 whale_1", "crab_3 thief"])
def test_exactly_the_cards_of_the_hand_are_put_away(placed: str) -> None:
    stow(a_hand("crab_3"), crate_2=placed).refused("FF-54")


@clause("FF-54")
def test_no_card_is_both_placed_and_discarded() -> None:
    stow(a_hand("lobster_2", seat()), crate_2="lobster_2", discard="lobster_2").refused("FF-54")


@clause("FF-55", "FF-R15")
def test_a_joker_cannot_be_discarded() -> None:
    stow(a_hand("octopus_3"), discard="octopus_3").refused("FF-55")


@clause("FF-55", "FF-14")
@pytest.mark.parametrize("slot", ["crate_1", "crate_2", "basin"])
@pytest.mark.parametrize("stall", [FULL, seat(), seat(crate_1="octopus_1", crate_2="octopus_1", basin="octopus_2")])
def test_a_joker_fits_everywhere(slot: str, stall: Any) -> None:
    then = stow(a_hand("octopus_3", stall), **{slot: "octopus_3"})
    assert getattr(then.position.seats[1], slot)[-1] == "octopus_3"


@clause("FF-56")
def test_the_cards_of_a_species_share_one_fate() -> None:
    table = a_hand("eel_1 eel_2", seat())
    stow(table, crate_1="eel_1", crate_2="eel_2").refused("FF-56")
    stow(table, crate_1="eel_1", discard="eel_2").refused("FF-56")
    stow(table, crate_1="eel_1 eel_2").tells("cards_stowed", "turn_started")
    stow(table, discard="eel_1 eel_2").tells("cards_trashed", "turn_started")


@clause("FF-57", "FF-15", "FF-R10", "FF-R15")
def test_a_species_on_the_stall_joins_its_slot() -> None:
    table = a_hand("crab_3", seat(crate_2="crab_2"))
    stow(table, crate_1="crab_3").refused("FF-57")
    stow(table, discard="crab_3").refused("FF-57")
    stow(table, crate_2="crab_3").tells("cards_stowed", "turn_started")


@clause("FF-58", "FF-13")
def test_no_slot_holds_two_species() -> None:
    stow(a_hand("eel_1 crab_3", seat()), basin="eel_1 crab_3").refused("FF-58")
    stow(a_hand("eel_1", seat(basin="crab_3 octopus_1")), basin="eel_1").refused("FF-58")


@clause("FF-58", "FF-14")
def test_jokers_alone_take_on_the_species_that_is_laid_on_them() -> None:
    then = stow(a_hand("eel_1 crab_2", seat(crate_1="octopus_1", basin="crab_1")), crate_1="eel_1", basin="crab_2")
    assert then.position.seats[1].crate_1 == cards("octopus_1 eel_1")
    stow(a_hand("crab_2", seat(crate_1="octopus_1", basin="crab_1")), crate_1="crab_2").refused("FF-57")


@clause("FF-59", "FF-R16")
def test_a_slot_may_be_emptied_even_if_no_room_is_needed() -> None:
    then = stow(a_hand("tuna_1"), empty="crate_2", basin="tuna_1")
    assert then.position.seats[1].crate_2 == ()
    assert then.position.seats[1].trash == cards("crab_2 crab_1")


@clause("FF-59", "FF-R17")
def test_an_emptied_species_is_new_and_may_lie_elsewhere() -> None:
    then = stow(a_hand("crab_3"), empty="crate_1 crate_2", crate_1="crab_3")
    assert then.position.seats[1].crate_1 == ("crab_3",)
    then = stow(a_hand("crab_3"), empty="crate_2", crate_2="crab_3")
    assert then.position.seats[1].crate_2 == ("crab_3",)
    stow(a_hand("crab_3"), empty="crate_2", discard="crab_3").tells("slot_emptied", "cards_trashed", "turn_started")


@clause("FF-59")
def test_an_empty_slot_cannot_be_emptied() -> None:
    stow(a_hand("eel_1", seat(basin="crab_1")), empty="crate_1", crate_1="eel_1").refused("FF-59")


@clause("FF-59", "FF-R16")
def test_slots_are_emptied_only_while_stowing() -> None:
    table = a_purchase(seat(), seat(basin="crab_1", trash="eel_1"), phase="canning", cans=1)
    stow(table, empty="basin").refused("FF-1")


@clause("FF-60", "FF-16")
def test_the_last_card_listed_becomes_the_top_card() -> None:
    then = stow(a_hand("crab_3 octopus_1 crab_1", seat(crate_1="crab_2")), crate_1="crab_1 octopus_1 crab_3")
    assert then.position.seats[1].crate_1 == cards("crab_2 crab_1 octopus_1 crab_3")


@clause("FF-61")
def test_a_new_species_may_be_discarded_although_a_slot_is_free() -> None:
    then = stow(a_hand("eel_1", seat(trash="crab_1")), discard="eel_1")
    assert then.position.seats[1].trash == cards("crab_1 eel_1")


@clause("FF-59", "FF-60", "FF-61")
def test_slots_are_emptied_then_filled_in_their_order_and_discards_come_last() -> None:
    then = stow(
        a_hand("lobster_1 octopus_2 eel_1 plaice_2"),
        empty="basin crate_1",
        basin="lobster_1",
        crate_1="eel_1",
        crate_2="octopus_2",
        discard="plaice_2",
    )
    assert then.events == (
        SlotEmptied(1, "crate_1", ("shark_1",)),
        SlotEmptied(1, "basin", ("tuna_3",)),
        CardsStowed(1, "crate_1", ("eel_1",)),
        CardsStowed(1, "crate_2", ("octopus_2",)),
        CardsStowed(1, "basin", ("lobster_1",)),
        CardsTrashed(1, ("plaice_2",)),
        TurnStarted(seller=1),
    )
    assert then.position.seats[1].trash == cards("shark_1 tuna_3 plaice_2")


@clause("FF-62")
def test_cards_just_discarded_can_be_canned() -> None:
    then = stow(a_hand("lobster_2", cans=1), discard="lobster_2")
    assert then.events[-1] == StepStarted("canning", 1)


@clause("FF-65", "FF-47")
def test_cans_are_lost_if_nothing_is_in_the_trash_after_stowing() -> None:
    then = stow(a_hand("tuna_1", cans=2), basin="tuna_1")
    assert then.events[-2:] == (CansSpent(seat=1, used=0, wasted=2), TurnStarted(seller=1))


@clause("FF-66")
def test_after_end_phase_a_sale_follows_the_stowing() -> None:
    then = stow(a_hand("tuna_1", aside="end_phase"), basin="tuna_1")
    assert then.events[-1] == StepStarted("buyer_sale", 1)


@clause("FF-3")
@pytest.mark.parametrize(
    "change",
    [
        {"empty_slots": ["crate_1", "crate_1"]},
        {"empty_slots": ["trash"]},
        {"place": {"trash": ["lobster_2"]}},
        {"place": ["lobster_2"]},
        {"place": {"crate_1": "lobster_2"}},
        {"discard": [7]},
        {"discard": None},
        {"keep": []},
    ],
)
def test_a_stowing_must_be_well_formed(change: dict[str, object]) -> None:
    move = {"type": "stow_cards", "place": {"crate_1": ["lobster_2"]}, "empty_slots": ["crate_1"], **change}
    a_hand("lobster_2").when(1, move).refused("FF-3")


def test_slots_and_lists_without_cards_may_be_left_out() -> None:
    a_hand("tuna_1").when(1, {"type": "stow_cards", "place": {"basin": ["tuna_1"]}}).tells(
        "cards_stowed", "turn_started"
    )


@clause("FF-59", "FF-54")
def test_checks_follow_the_order_of_the_specification() -> None:
    stow(a_hand("crab_3", seat(crate_2="crab_1")), empty="basin", crate_1="eel_1").refused("FF-59")
    stow(a_hand("octopus_1 eel_1", seat()), discard="octopus_1").refused("FF-54")
    stow(a_hand("octopus_1 eel_1 eel_2", seat()), crate_1="eel_1", discard="octopus_1 eel_2").refused("FF-55")
    stow(a_hand("crab_3 crab_2", seat(crate_2="crab_1")), crate_1="crab_3", basin="crab_2").refused("FF-56")
    stow(a_hand("crab_3 eel_1", seat(crate_2="crab_1", basin="tuna_1")), crate_1="crab_3", basin="eel_1").refused(
        "FF-57"
    )
