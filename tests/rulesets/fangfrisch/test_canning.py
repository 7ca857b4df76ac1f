"""Cans (FF-62 to FF-65)."""

from typing import Any

import pytest

from referee.kernel.audience import redact, redact_move
from referee.rulesets.fangfrisch.canning import ClearTrash, TrashCleared
from referee.rulesets.fangfrisch.purchase import CansSpent
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import a_purchase, cards, seat


def cans(number: int, trash: str = "shark_3 crab_2 crab_2 octopus_1", **rest: Any) -> Given:
    """Seat 1 has cans and this trash."""
    return a_purchase(seat(), seat(trash=trash), phase="canning", cans=number, **rest)


def clear(names: str) -> ClearTrash:
    return ClearTrash(cards=cards(names))


@clause("FF-62", "FF-63", "FF-64", "FF-17")
def test_a_can_removes_two_cards_for_good() -> None:
    then = cans(1, discard="eel_1").when(1, clear("crab_2 shark_3"))
    assert then.events == (
        TrashCleared(seat=1, count=2, cards=cards("crab_2 shark_3")),
        CansSpent(seat=1, used=1, wasted=0),
        TurnStarted(seller=1),
    )
    assert then.position.seats[1].trash == cards("crab_2 octopus_1")
    assert then.position.discard == ("eel_1",)
    assert then.position.cleared == cards("crab_2 shark_3")


@clause("FF-63", "FF-R19")
def test_a_can_may_remove_nothing() -> None:
    assert cans(2).when(1, clear("")).events == (CansSpent(seat=1, used=0, wasted=2), TurnStarted(seller=1))


@clause("FF-63", "FF-R19")
@pytest.mark.parametrize(("names", "used"), [("crab_2", 1), ("crab_2 crab_2 shark_3", 2)])
def test_a_can_that_removes_one_card_counts_as_used(names: str, used: int) -> None:
    assert cans(3).when(1, clear(names)).event(CansSpent) == CansSpent(seat=1, used=used, wasted=3 - used)


@clause("FF-63")
def test_a_can_removes_no_more_than_two_cards() -> None:
    cans(1).when(1, clear("crab_2 crab_2 shark_3")).refused("FF-63")


@clause("FF-64")
@pytest.mark.parametrize("names", ["eel_1", "shark_3 shark_3", "whale_2", "thief"])
def test_only_cards_of_the_trash_are_removed(names: str) -> None:
    cans(1).when(1, clear(names)).refused("FF-64")


@clause("FF-3")
@pytest.mark.parametrize("names", [None, "crab_2", [2], {"crab_2": 1}])
def test_cards_are_a_list_of_names(names: object) -> None:
    cans(1).when(1, {"type": "clear_trash", "cards": names}).refused("FF-3")


@clause("FF-R28", "FF-R37")
def test_only_the_owner_sees_what_a_can_removes() -> None:
    move, event = clear("crab_2"), TrashCleared(seat=1, count=1, cards=("crab_2",))
    assert redact(event, 1) == event
    assert redact_move(move, 1, 1) == {"type": "clear_trash", "cards": ("crab_2",)}
    for reader in (0, 2, 3, None):
        assert not isinstance(redact(event, reader).cards, tuple)
        assert redact(event, reader).count == 1
        assert redact_move(move, 1, reader) == {"type": "clear_trash"}


@clause("FF-48", "FF-R20")
def test_the_can_comes_before_the_sale() -> None:
    table = a_purchase(seat(), seat(basin="eel_1", trash="crab_2"), phase="canning", cans=1, aside="end_phase")
    assert table.when(1, clear("crab_2")).events[-1] == StepStarted("buyer_sale", 1)
