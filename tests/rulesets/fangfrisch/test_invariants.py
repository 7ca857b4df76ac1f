"""What every position keeps (section 12): a damaged one is refused, and its invariant is named."""

from typing import Any

import msgspec
import pytest

from referee.kernel.changes import replace
from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.edition import PACKAGE
from referee.rulesets.fangfrisch.position import LastLot, Options, Position, SeatState
from tests.clauses import clause
from tests.rulesets.fangfrisch.tables import a_position, bought, cards, seat

RULES = (PACKAGE / "rules.md").read_text(encoding="utf-8")

EXAMPLE: dict[str, Any] = msgspec.json.decode(RULES.partition("```json\n")[2].partition("```")[0])
"""The position that the rules print: seat 2 bought from seat 1 and has to stow."""


def test_the_example_of_the_rules_is_read_and_written_again() -> None:
    position = read_position(FANGFRISCH, EXAMPLE)
    assert msgspec.json.decode(msgspec.json.encode(position)) == EXAMPLE
    assert [each.seat for each in FANGFRISCH.awaited(position)] == [2]
    assert (len(position.deck), len(position.discard), len(position.purchase.hand)) == (60, 19, 5)


def damaged(change: dict[str, Any], invariant: str) -> None:
    with pytest.raises(Malformed) as refused:
        read_position(FANGFRISCH, {**EXAMPLE, **change})
    assert invariant in refused.value.invariant, refused.value.invariant


@pytest.mark.parametrize(
    ("change", "invariant"),
    [
        ({"ruleset": "catham-city"}, "ruleset"),
        ({"phase": "haggling"}, "phase"),
        ({"seller": "1"}, "seller"),
        ({"deck": [*EXAMPLE["deck"][:-1], "whale_1"]}, "deck"),
        ({"weather": "fine"}, "weather"),
        ({"options": {"pace": 4}}, "pace"),
    ],
)
def test_a_position_that_has_another_form_is_refused(change: dict[str, Any], invariant: str) -> None:
    damaged(change, invariant)


@clause("FF-R1")
def test_a_card_too_many_or_too_few_is_refused() -> None:
    damaged({"deck": EXAMPLE["deck"][1:]}, "FF-R1")
    damaged({"discard": [*EXAMPLE["discard"], "eel_1"]}, "FF-R1")
    damaged({"deck": ["eel_3", *EXAMPLE["deck"][1:]]}, "FF-R1")


def changed(position: Position, **changes: Any) -> Position:
    return msgspec.structs.replace(position, **changes)


def refused(position: Position, invariant: str) -> None:
    with pytest.raises(Malformed) as broken:
        FANGFRISCH.check(position)
    assert broken.value.invariant.startswith(f"{invariant}: "), broken.value.invariant


@clause("FF-5", "FF-10", "FF-37", "FF-44", "FF-32")
def test_seats_options_and_counters_are_checked() -> None:
    position = a_position()
    refused(a_position(seat(), seat(), n=2), "FF-5")
    refused(a_position(n=6), "FF-5")
    refused(changed(position, options=Options(pace="fast")), "FF-37")
    refused(changed(position, options=Options(reveal_seconds=0)), "FF-44")
    refused(changed(position, options=Options(first_seat=4)), "FF-10")
    refused(changed(position, seller=None), "FF-10")
    refused(changed(position, seller=4), "FF-10")
    refused(changed(position, idle_turns=-1), "FF-32")


@clause("FF-4", "FF-73")
def test_no_seat_owes_money_before_the_end() -> None:
    refused(a_position(seat(-1)), "FF-4")
    FANGFRISCH.check(a_position(seat(-1), phase="finished"))


@clause("FF-35")
def test_special_cards_lie_only_in_the_deck_or_aside() -> None:
    refused(a_position(aside="eel_1"), "FF-35")
    refused(a_position(discard="end_phase"), "FF-35")
    refused(a_position(phase="auction", offer="end_phase"), "FF-35")


@clause("FF-12", "FF-17")
@pytest.mark.parametrize("card", ["thief", "can"])
@pytest.mark.parametrize("place", ["crate_1", "crate_2", "basin", "trash"])
def test_only_fish_lie_on_a_stall(card: str, place: str) -> None:
    refused(a_position(seat(**{place: card})), "FF-12")


@clause("FF-13", "FF-15", "FF-R10")
def test_a_slot_has_one_species_and_a_species_one_slot() -> None:
    refused(a_position(seat(basin="eel_1 octopus_1 crab_1")), "FF-13")
    refused(a_position(seat(basin="eel_1", crate_1="octopus_1 eel_2")), "FF-15")
    FANGFRISCH.check(a_position(seat(basin="octopus_1", crate_1="octopus_1")))


@clause("FF-34", "FF-35")
def test_an_offer_lies_there_exactly_in_an_auction_or_when_it_is_lost() -> None:
    refused(a_position(offer="eel_1"), "FF-34")
    refused(a_position(phase="auction"), "FF-35")
    FANGFRISCH.check(a_position(phase="closing", offer="eel_1"))
    FANGFRISCH.check(a_position(phase="closing"))


def auction(*seats: SeatState, **rest: Any) -> Position:
    return a_position(*seats, phase="auction", offer="eel_1", **rest)


@clause("FF-31", "FF-32", "FF-37", "FF-39")
def test_answers_belong_to_seats_that_take_part_in_turn_pace() -> None:
    rang = seat(answer="ring")
    refused(a_position(rang), "FF-37")
    refused(auction(rang), "FF-31")
    refused(auction(seat(), seat(9, answer="pass")), "FF-31")
    refused(auction(seat(), rang, rang, rang), "FF-39")
    refused(auction(seat(), seat(9), seat(9), seat(9)), "FF-32")
    refused(auction(seat(), seat(9), seat(9), seat(9), pace="live"), "FF-32")
    FANGFRISCH.check(auction(rang, n=3))


@clause("FF-41", "FF-42")
def test_in_live_pace_seats_have_rung_only_for_an_offer_and_only_while_rings_compete() -> None:
    rang = seat(answer="ring")
    FANGFRISCH.check(auction(seat(), rang, rang, rang, pace="live"))
    refused(auction(seat(), seat(answer="pass"), pace="live"), "FF-41")
    refused(auction(seat(), rang, pace="live", bell_window_ms=0), "FF-41")
    refused(a_position(seat(), rang, phase="auction", is_announced=True, pace="live"), "FF-41")
    FANGFRISCH.check(a_position(phase="auction", is_announced=True, pace="live"))
    refused(auction(is_announced=True), "FF-42")
    refused(a_position(is_announced=True, pace="live"), "FF-42")


@clause("FF-43")
def test_the_offer_and_the_last_lot_are_numbered_by_the_cards_turned() -> None:
    position = auction(discard="crab_1 crab_2")
    FANGFRISCH.check(replace(position, last_lot=LastLot(2, 1, 2)))
    refused(replace(position, offer_number=2), "FF-43")
    for last in (LastLot(4, 1, 2), LastLot(2, 4, 2), LastLot(2, 1, 3), LastLot(2, None, 0)):
        refused(replace(position, last_lot=last), "FF-43")


@clause("FF-64")
def test_cans_remove_fish_cards_only() -> None:
    refused(a_position(cleared="thief"), "FF-64")


@clause("FF-11", "FF-36")
@pytest.mark.parametrize("phase", ["selling", "auction", "stowing"])
def test_while_cards_are_turned_market_close_is_in_the_deck(phase: str) -> None:
    offer = {"offer": "eel_1"} if phase == "auction" else {}
    purchase = {"purchase": bought(1, "tuna_1")} if phase == "stowing" else {}
    refused(a_position(phase=phase, aside="market_close", **offer, **purchase), "FF-11")
    FANGFRISCH.check(a_position(phase="closing", aside="market_close"))


@clause("FF-69")
def test_final_sales_are_counted_from_the_close_on() -> None:
    fish = seat(basin="eel_1")
    refused(a_position(final_sales=1), "FF-69")
    refused(a_position(phase="settling", final_sales=5), "FF-69")
    refused(a_position(phase="settling", final_sales=-1), "FF-69")
    refused(a_position(fish, phase="final_sale", final_sales=4), "FF-69")
    refused(a_position(fish, phase="final_sale", final_sales=1), "FF-69")
    FANGFRISCH.check(a_position(seat(), fish, phase="final_sale", final_sales=1))


@clause("FF-48")
def test_a_purchase_is_there_exactly_in_the_buyers_steps() -> None:
    refused(a_position(purchase=bought(1, "eel_1")), "FF-48")
    refused(a_position(phase="stowing"), "FF-48")


@clause("FF-30", "FF-45", "FF-47")
def test_the_buyer_is_another_seat_with_fish_in_its_hand() -> None:
    refused(a_position(phase="stowing", purchase=bought(4, "eel_1")), "FF-45")
    refused(a_position(phase="stowing", purchase=bought(0, "eel_1")), "FF-30")
    refused(a_position(phase="stowing", purchase=bought(1, "eel_1 thief")), "FF-47")
    refused(a_position(phase="stowing", purchase=bought(1, "eel_1", cans=-1)), "FF-47")
    FANGFRISCH.check(a_position(n=3, phase="stowing", purchase=bought(0, "eel_1")))


@clause("FF-48", "FF-49", "FF-52", "FF-53", "FF-62", "FF-65", "FF-66")
@pytest.mark.parametrize(
    ("phase", "purchase", "invariant"),
    [
        ("thieving", bought(1), "FF-49"),
        ("stowing", bought(1, "tuna_1", thieves=1), "FF-48"),
        ("canning", bought(1, "tuna_1", cans=1), "FF-48"),
        ("canning", bought(1, thieves=1, cans=1), "FF-48"),
        ("canning", bought(1), "FF-62"),
        ("buyer_sale", bought(1, "tuna_1"), "FF-48"),
        ("buyer_sale", bought(1, thieves=1), "FF-48"),
        ("buyer_sale", bought(1, cans=1), "FF-48"),
        ("buyer_sale", bought(1), "FF-66"),
    ],
)
def test_every_step_of_the_buyer_has_something_to_decide(phase: Any, purchase: Any, invariant: str) -> None:
    stalls = seat(basin="eel_1", trash="crab_1"), seat(basin="eel_1", trash="crab_1")
    refused(a_position(*stalls, phase=phase, purchase=purchase), invariant)


@clause("FF-52", "FF-65", "FF-66")
def test_a_step_needs_something_to_steal_remove_or_sell() -> None:
    fish, trash = seat(basin="eel_1"), seat(trash="crab_1")
    refused(a_position(fish, trash, phase="stowing", purchase=bought(1, cans=1)), "FF-53")
    FANGFRISCH.check(a_position(trash, fish, phase="stowing", purchase=bought(1, cans=1)))
    refused(a_position(trash, fish, phase="thieving", purchase=bought(1, thieves=1)), "FF-52")
    refused(a_position(trash, fish, phase="canning", purchase=bought(1, cans=1)), "FF-65")
    refused(a_position(fish, trash, phase="buyer_sale", purchase=bought(1), aside="end_phase"), "FF-66")


def test_the_place_of_the_special_cards_in_the_deck_is_not_checked() -> None:
    FANGFRISCH.check(a_position(top="market_close end_phase"))
    assert a_position(top="market_close").deck[:2] == cards("market_close eel_1")
