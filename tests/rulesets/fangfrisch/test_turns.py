"""Turns and steps (FF-67, FF-48)."""

import pytest

from referee.rulesets.fangfrisch.selling import SellFish
from referee.rulesets.fangfrisch.stowing import Placement, StowCards
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.rulesets.fangfrisch.tables import a_purchase, an_auction, given, rings, seat


@clause("FF-67")
@pytest.mark.parametrize("buyer", [0, 1, 3])
def test_the_turn_goes_to_the_seat_left_of_the_seller_whichever_seat_bought(buyer: int) -> None:
    table = a_purchase(phase="stowing", hand="eel_1", buyer=buyer, seller=2)
    then = table.when(buyer, StowCards(place=Placement(basin=("eel_1",))))
    assert then.events[-1] == TurnStarted(seller=3)
    assert then.position.purchase is None


@clause("FF-67")
def test_the_turn_goes_round_the_table() -> None:
    table = a_purchase(phase="stowing", hand="eel_1", buyer=1, seller=3)
    assert table.when(1, StowCards(place=Placement(basin=("eel_1",)))).position.seller == 0


@clause("FF-R32")
def test_a_late_buyer_sells_after_the_purchase_and_again_in_its_turn() -> None:
    table = given(
        seat(),
        seat(crate_1="eel_3", crate_2="crab_1"),
        phase="auction",
        offer="tuna_1",
        aside="end_phase",
        pace="live",
        bell_window_ms=0,
    )
    table = rings(table, 1).tells("lot_sold", "step_started")
    table = table.when(1, StowCards(place=Placement(basin=("tuna_1",)))).tells("cards_stowed", "step_started")
    assert table.position.phase == "buyer_sale"
    table = table.when(1, {"type": "sell_fish", "lots": [{"slot": "crate_1"}]}).tells("fish_sold", "turn_started")
    assert (table.position.phase, table.position.seller) == ("selling", 1)
    table.when(1, {"type": "sell_fish", "lots": [{"slot": "crate_2"}]}).tells(
        "fish_sold", "auction_opened", "card_announced"
    )


def test_a_step_names_its_seat_and_the_referee_has_none() -> None:
    then = rings(an_auction(pace="live", bell_window_ms=0), 2)
    assert then.events[-1] == StepStarted(phase="stowing", seat=2)
    closing = given(top="market_close").when(0, SellFish(lots=()))
    assert closing.events[-1] == StepStarted(phase="closing", seat=None)
