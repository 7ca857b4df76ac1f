"""The purchase (FF-45 to FF-48, FF-52, FF-53, FF-65, FF-66)."""

from referee.rulesets.fangfrisch.purchase import CansSpent, LotSold, ThievesSpent
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.given import Given, Then
from tests.rulesets.fangfrisch import tables
from tests.rulesets.fangfrisch.tables import an_auction, cards, money, seat

NOTHING_STOWED = {"type": "stow_cards", "place": {}}


def rings(*seats: object, buyer: int = 1, **rest: object) -> Then:
    return tables.rings(an_auction(*seats, pace="live", bell_window_ms=0, **rest), buyer)


def after(then: Then) -> Given:
    return Given(then.given.ruleset, then.position)


@clause("FF-45", "FF-46", "FF-4")
def test_the_lot_costs_ten_and_the_seller_earns_one_per_card() -> None:
    """Example E3."""
    then = rings(offer="eel_1 lobster_2 tuna_3 octopus_2 eel_3", buyer=3, seller=1)
    assert then.event(LotSold) == LotSold(
        buyer=3,
        seller=1,
        price=10,
        bonus=5,
        hand=cards("eel_1 lobster_2 tuna_3 octopus_2 eel_3"),
        actions=(),
        thieves=0,
        cans=0,
    )
    assert money(after(then)) == [30, 35, 30, 20]


@clause("FF-46", "FF-R22")
def test_action_cards_count_for_the_bonus() -> None:
    assert rings(offer="eel_1 thief can").event(LotSold).bonus == 3


@clause("FF-46")
def test_cards_laid_aside_do_not_count_for_the_bonus() -> None:
    assert rings(offer="eel_1 tuna_2", aside="end_phase").event(LotSold).bonus == 2


@clause("FF-46", "FF-R6")
def test_a_seller_that_buys_gets_no_bonus() -> None:
    then = rings(n=3, buyer=0)
    assert then.event(LotSold).bonus == 0
    assert money(after(then)) == [20, 30, 30]


@clause("FF-47")
def test_action_cards_are_discarded_at_once_and_counted() -> None:
    then = rings(seat(basin="crab_1"), offer="thief eel_1 can thief", discard="eel_2")
    sold = then.event(LotSold)
    assert (sold.hand, sold.actions, sold.thieves, sold.cans) == (cards("eel_1"), cards("thief can thief"), 2, 1)
    assert then.position.discard == cards("eel_2 thief can thief")
    bought = then.position.purchase
    assert (bought.hand, bought.thieves, bought.cans) == (("eel_1",), 2, 1)


@clause("FF-48")
def test_thieves_come_first() -> None:
    then = rings(seat(basin="crab_1"), seat(trash="eel_3"), offer="thief eel_1 can")
    assert then.events[1:] == (StepStarted("thieving", 1),)


@clause("FF-48", "FF-53")
def test_stowing_comes_before_the_cans() -> None:
    then = rings(seat(), seat(trash="eel_3"), offer="eel_1 can")
    assert then.events[1:] == (StepStarted("stowing", 1),)


@clause("FF-52")
def test_thieves_are_worth_nothing_while_no_other_stall_holds_a_card() -> None:
    then = rings(seat(trash="eel_3"), seat(basin="crab_1"), offer="thief thief eel_1")
    assert then.events[1:] == (ThievesSpent(seat=1, used=0, wasted=2), StepStarted("stowing", 1))


@clause("FF-53", "FF-62", "FF-R33")
def test_with_an_empty_hand_and_an_empty_stall_there_is_nothing_to_stow() -> None:
    then = rings(seat(), seat(trash="eel_3"), offer="can")
    assert then.events[1:] == (StepStarted("canning", 1),)


@clause("FF-53", "FF-59", "FF-62", "FF-R16")
def test_the_buyer_of_cans_only_may_still_throw_a_pile_away() -> None:
    then = rings(seat(), seat(crate_1="eel_3 eel_2", basin="crab_1"), offer="can")
    table = then.tells("lot_sold", "step_started")
    assert table.position.phase == "stowing"
    thrown = {"type": "stow_cards", "place": {}, "empty_slots": ["crate_1"]}
    table.when(1, {"type": "stow_cards", "place": {}}).tells("cans_spent", "turn_started")
    table = table.when(1, thrown).tells("slot_emptied", "step_started")
    cleared = {"type": "clear_trash", "cards": ["eel_3", "eel_2"]}
    table = table.when(1, cleared).tells("trash_cleared", "cans_spent", "turn_started")
    assert table.position.seats[1].basin == ("crab_1",)


@clause("FF-65", "FF-R33")
def test_cans_are_worth_nothing_with_an_empty_trash() -> None:
    then = rings(offer="can can thief")
    assert then.events[1:] == (
        ThievesSpent(seat=1, used=0, wasted=1),
        CansSpent(seat=1, used=0, wasted=2),
        TurnStarted(seller=1),
    )


@clause("FF-66", "FF-R21")
def test_after_end_phase_the_buyer_may_sell() -> None:
    table = rings(seat(), seat(basin="crab_1"), offer="can", aside="end_phase").tells("lot_sold", "step_started")
    then = table.when(1, NOTHING_STOWED)
    assert then.events == (CansSpent(seat=1, used=0, wasted=1), StepStarted("buyer_sale", 1))


@clause("FF-66")
def test_a_late_buyer_with_an_empty_stall_sells_nothing() -> None:
    assert rings(offer="can", aside="end_phase").events[-1] == TurnStarted(seller=1)


@clause("FF-66")
def test_before_end_phase_no_buyer_sells() -> None:
    table = rings(seat(), seat(basin="crab_1"), offer="can").tells("lot_sold", "step_started")
    assert table.when(1, NOTHING_STOWED).events[-1] == TurnStarted(seller=1)
