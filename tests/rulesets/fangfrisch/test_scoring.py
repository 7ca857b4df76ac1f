"""The end of the game (FF-68 to FF-75)."""

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import set_up, settle
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.bell import Pass
from referee.rulesets.fangfrisch.position import Options
from referee.rulesets.fangfrisch.scoring import (
    CloseMarket,
    FinalSaleMade,
    GameFinished,
    MarketClosed,
    SettleAccounts,
    TrashPaid,
)
from referee.rulesets.fangfrisch.selling import SellFish
from referee.rulesets.fangfrisch.turns import StepStarted
from tests.clauses import clause
from tests.rulesets.fangfrisch.tables import a_position, cards, given, money, seat

FISH = seat(basin="eel_1")
NOTHING = SellFish(lots=())


@clause("FF-68")
def test_the_lost_offer_goes_to_the_discard_pile() -> None:
    table = given(FISH, phase="closing", offer="crab_1 thief", discard="tuna_1")
    then = table.when(REFEREE, CloseMarket())
    assert then.events == (MarketClosed(seller=0, cards=cards("crab_1 thief")), StepStarted("final_sale", 0))
    assert then.position.discard == cards("tuna_1 crab_1 thief")
    assert then.position.offer == ()


@clause("FF-69", "FF-R24")
def test_the_last_sales_go_clockwise_from_the_seller_and_pass_over_empty_stalls() -> None:
    table = given(FISH, seat(), seat(trash="crab_1"), FISH, phase="closing", seller=2)
    table = table.when(REFEREE, CloseMarket()).says(
        MarketClosed(seller=2, cards=()), FinalSaleMade(seat=2, income=0), StepStarted("final_sale", 3)
    )
    table = table.when(3, NOTHING).says(FinalSaleMade(seat=3, income=0), StepStarted("final_sale", 0))
    table.when(0, {"type": "sell_fish", "lots": [{"slot": "basin"}]}).tells(
        "fish_sold", "final_sale_made", "final_sale_made", "step_started"
    )


@clause("FF-69")
def test_each_seat_sells_once() -> None:
    table = given(FISH, FISH, phase="final_sale")
    table = table.when(0, NOTHING).says(FinalSaleMade(seat=0, income=0), StepStarted("final_sale", 1))
    table.when(0, NOTHING).refused("FF-2")


@clause("FF-69", "FF-72")
def test_with_empty_stalls_the_referee_settles_at_once() -> None:
    then = given(phase="closing").when(REFEREE, CloseMarket())
    then.tells("market_closed", *["final_sale_made"] * 4, "step_started")
    assert then.events[-1] == StepStarted("settling", None)
    assert then.position.final_sales == 4


@clause("FF-72")
def test_every_fish_in_the_trash_costs_one_euro() -> None:
    """Example E5."""
    table = given(seat(trash="crab_2 tuna_1 octopus_3 eel_1"), phase="settling", final_sales=4)
    then = table.when(REFEREE, SettleAccounts())
    assert then.events[:4] == (TrashPaid(0, 7, 7), TrashPaid(1, 0, 0), TrashPaid(2, 0, 0), TrashPaid(3, 0, 0))
    table = then.tells(*["trash_paid"] * 4, "game_finished")
    assert money(table) == [23, 30, 30, 30]
    assert table.position.phase == "finished"


@clause("FF-73", "FF-R26")
def test_a_seat_that_cannot_pay_ends_below_zero() -> None:
    then = given(seat(2, trash="crab_3"), phase="settling").when(REFEREE, SettleAccounts())
    assert then.event(GameFinished).scores == (-1, 30, 30, 30)
    assert then.event(GameFinished).ranks == (4, 1, 1, 1)


@clause("FF-74", "FF-R27", "FF-R29")
def test_the_richest_seat_wins_and_seats_with_equal_money_share_the_rank() -> None:
    seats = seat(33, trash="crab_3"), seat(30), seat(32, trash="tuna_2"), seat(29), seat(30)
    then = given(*seats, n=5, phase="settling").when(REFEREE, SettleAccounts())
    assert then.event(GameFinished) == GameFinished(
        scores=(30, 30, 30, 29, 30), trash_fish=(3, 0, 2, 0, 0), ranks=(1, 1, 1, 5, 1)
    )


@clause("FF-74")
def test_the_ranking_can_be_read_from_a_finished_position() -> None:
    seats = seat(30, trash="crab_3"), seat(30), seat(31), seat(29)
    places = FANGFRISCH.ranking(a_position(*seats, phase="finished"))
    assert [(place.seat, place.rank, place.score) for place in places] == [
        (2, 1, 31),
        (0, 2, 30),
        (1, 2, 30),
        (3, 4, 29),
    ]
    assert {place.clause for place in places} == {"FF-74"}


@clause("FF-75")
def test_unsold_fish_are_worth_nothing() -> None:
    table = given(seat(30, basin="eel_3 eel_3 eel_3"), seat(31), phase="final_sale", final_sales=0)
    table = table.when(0, NOTHING).tells(*["final_sale_made"] * 4, "step_started")
    then = table.when(REFEREE, SettleAccounts())
    assert then.event(GameFinished).scores == (30, 31, 30, 30)


@clause("FF-2")
def test_only_the_referee_closes_and_settles() -> None:
    given(phase="closing").when(0, CloseMarket()).refused("FF-2")
    given(phase="settling").when(0, SettleAccounts()).refused("FF-2")


@clause("FF-11", "FF-36", "FF-68", "FF-74")
@pytest.mark.parametrize("pace", ["turn", "live"])
def test_a_market_in_which_nobody_rings_closes_when_market_close_is_turned(pace: str) -> None:
    position = set_up(FANGFRISCH, Options(pace=pace), 4, Seeded(pace))
    turned = position.deck.index("market_close") + 1
    _, position = FANGFRISCH.play(position, position.seller, NOTHING, Seeded(0))
    while position.phase == "auction":
        due, awaited = FANGFRISCH.due(position), FANGFRISCH.awaited(position)
        actor, move = (REFEREE, due.move) if due else (awaited[0].seat, Pass())
        _, position = FANGFRISCH.play(position, actor, move, Seeded(0))
    assert len(position.deck) == 104 - turned
    assert len(position.offer) == turned - 2
    end = settle(FANGFRISCH, position, Seeded(0))
    assert end.phase == "finished"
    assert [(place.rank, place.score) for place in FANGFRISCH.ranking(end)] == [(1, 30)] * 4
