"""Taking cards from the market (section 4.5), and its refill (CC-15)."""

import pytest

from referee.rulesets.catham_city.cards import listed
from referee.rulesets.catham_city.piles import DiscardReshuffled
from referee.rulesets.catham_city.taking import CardsTaken, MarketRefilled, TakeCards
from referee.rulesets.catham_city.turns import ExcessDue, TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row


@clause("CC-15", "CC-19")
def test_cards_of_one_faction_go_to_the_hand_and_the_market_is_refilled():
    table = given("D1", "S1", market="D3 S2 R2", top="MH")
    after = table.when(0, TakeCards(faction="detective", count=2)).says(
        CardsTaken(seat=0, faction="detective", count=2),
        MarketRefilled(cards=row("MH")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 0) == heap("D3")
    assert listed(after.position.market) == heap("D1 S2 R2 M1 H1")
    assert len(after.position.draw_pile) == len(table.position.draw_pile) - 2


@clause("CC-19")
def test_a_faction_that_only_the_draw_pile_has_cannot_be_taken():
    given("D1", "S1", market="D7", top="MH").when(0, TakeCards(faction="mafia", count=1)).refused("CC-21")


@clause("CC-20", "CC-R6")
@pytest.mark.parametrize("count", [0, -1, -(10**30)])
def test_taking_nothing_is_no_action(count):
    given("D1", "S1", market="D7").when(0, TakeCards(faction="detective", count=count)).refused("CC-20")


@clause("CC-21")
@pytest.mark.parametrize("count", [4, 10**30])
def test_no_more_is_taken_than_the_market_shows(count):
    given("D1", "S1", market="D3 S4").when(0, TakeCards(faction="detective", count=count)).refused("CC-21")


@clause("CC-21")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_some_of_the_cards_shown_may_be_left(count):
    table = given("D1", "S1", market="D3 S4", top="HHH")
    after = table.when(0, TakeCards(faction="detective", count=count)).position
    assert listed(after.market) == heap(f"D{3 - count} S4 H{count}")


@clause("CC-22", "CC-R7")
def test_a_seat_may_take_cards_without_room_in_its_hand():
    table = given("D10", "S1", market="S7")
    after = table.when(0, TakeCards(faction="scientist", count=7))
    after.tells("cards_taken", "market_refilled", "excess_due")
    assert after.event(ExcessDue) == ExcessDue(seat=0, count=7)


@clause("CC-15", "CC-R8")
def test_the_market_is_refilled_before_the_excess_is_discarded():
    table = given("D10", "S1", market="S7", top="HM", rest="discard_pile")
    after = table.when(0, TakeCards(faction="scientist", count=3))
    after.tells("cards_taken", "market_refilled", "discard_reshuffled", "market_refilled", "excess_due")
    assert after.position.phase == "discard_excess"
    assert after.event(DiscardReshuffled).count == 75 - 10 - 1 - 7 - 2


@clause("CC-15")
def test_nothing_but_taking_changes_the_market():
    table = given("R2 D1", "S1")
    after = table.when(0, {"type": "play_robocats", "mode": "draw"}).position
    assert after.market == table.position.market
