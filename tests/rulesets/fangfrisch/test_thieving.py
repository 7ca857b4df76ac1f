"""Thieves (FF-49 to FF-52)."""

from typing import Any

import pytest

from referee.rulesets.fangfrisch.purchase import ThievesSpent
from referee.rulesets.fangfrisch.thieving import CardStolen, StealCards, Theft
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import a_purchase, cards, seat

VICTIM = seat(crate_1="tuna_3 octopus_1", basin="crab_2")


def thieves(number: int, *seats: Any, hand: str = "eel_1", **rest: Any) -> Given:
    """Seat 1 has thieves; seat 3 has something to steal."""
    others = seats or (seat(), seat(crate_2="eel_2"), seat(), VICTIM)
    return a_purchase(*others, phase="thieving", hand=hand, thieves=number, **rest)


def steal(*slots: str, victim: int = 3) -> StealCards:
    return StealCards(thefts=tuple(Theft(victim, slot) for slot in slots))


@clause("FF-49", "FF-51", "FF-16")
def test_a_thief_steals_the_top_card_of_a_slot() -> None:
    then = thieves(1).when(1, steal("crate_1"))
    assert then.events == (
        CardStolen(buyer=1, victim=3, slot="crate_1", card="octopus_1"),
        ThievesSpent(seat=1, used=1, wasted=0),
        StepStarted("stowing", 1),
    )
    assert then.position.seats[3].crate_1 == ("tuna_3",)
    assert then.position.purchase.hand == cards("eel_1 octopus_1")


@clause("FF-49")
def test_a_thief_that_does_not_steal_is_lost() -> None:
    then = thieves(2).when(1, steal())
    assert then.events == (ThievesSpent(seat=1, used=0, wasted=2), StepStarted("stowing", 1))


@clause("FF-47", "FF-52")
def test_thieves_that_steal_nothing_leave_an_empty_hand_empty() -> None:
    table = thieves(1, hand="").when(1, steal()).says(ThievesSpent(seat=1, used=0, wasted=1), StepStarted("stowing", 1))
    assert table.when(1, {"type": "stow_cards", "place": {}}).events == (TurnStarted(seller=1),)


@clause("FF-52", "FF-53")
def test_stolen_cards_have_to_be_stowed() -> None:
    then = thieves(1, hand="").when(1, steal("basin"))
    assert then.events[-1] == StepStarted("stowing", 1)
    assert then.position.purchase.hand == ("crab_2",)


@clause("FF-49")
def test_each_thief_steals_one_card() -> None:
    thieves(1).when(1, steal("crate_1", "basin")).refused("FF-49")


@clause("FF-50")
def test_nobody_steals_from_itself() -> None:
    thieves(1).when(1, steal("crate_2", victim=1)).refused("FF-50")


@clause("FF-50")
def test_the_seller_can_be_robbed() -> None:
    table = thieves(1, seat(basin="crab_3"))
    assert table.when(1, steal("basin", victim=0)).event(CardStolen).card == "crab_3"


@clause("FF-51", "FF-R18")
def test_thefts_are_carried_out_in_the_order_listed() -> None:
    """Example E8."""
    then = thieves(2).when(1, steal("crate_1", "crate_1"))
    assert [event.card for event in then.events[:2]] == ["octopus_1", "tuna_3"]
    thieves(3).when(1, steal("crate_1", "crate_1", "crate_1")).refused("FF-51")


@clause("FF-51")
def test_an_empty_slot_cannot_be_robbed() -> None:
    thieves(1).when(1, steal("crate_2")).refused("FF-51")
    thieves(2).when(1, steal("basin", "basin")).refused("FF-51")


@clause("FF-17", "FF-3")
def test_nothing_is_stolen_from_a_trash() -> None:
    table = thieves(1, seat(trash="eel_3"), seat(), seat(), VICTIM)
    table.when(1, {"type": "steal_cards", "from": [{"seat": 0, "slot": "trash"}]}).refused("FF-3")


@clause("FF-3")
@pytest.mark.parametrize(
    "thefts",
    [
        [{"seat": 4, "slot": "basin"}],
        [{"seat": -1, "slot": "basin"}],
        [{"seat": "3", "slot": "basin"}],
        [{"seat": 3}],
        [{"seat": 3, "slot": "basin", "card": "crab_2"}],
        {},
    ],
)
def test_thefts_must_be_well_formed(thefts: object) -> None:
    thieves(1).when(1, {"type": "steal_cards", "from": thefts}).refused("FF-3")


@clause("FF-3")
def test_an_unknown_seat_is_refused_before_the_number_of_thieves_is_asked() -> None:
    thieves(1).when(1, steal("basin", "basin", victim=4)).refused("FF-3")
