"""Bureaucrats (section 4.9)."""

import pytest

from referee.rulesets.catham_city.cards import listed
from referee.rulesets.catham_city.factions.bureaucrats import PlayBureaucrats
from referee.rulesets.catham_city.piles import PileRevealed, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.scoring import InfluenceGained
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, heap, row

FIVE = "BSRMH"


@clause("CC-37", "CC-R27")
def test_each_different_faction_revealed_counts_once():
    table = given("B3", "S1", factions=FIVE, top="MSM R")
    after = table.when(0, PlayBureaucrats(count=3)).says(
        CardsPlayed(seat=0, faction="bureaucrat", cards=row("BBB"), extra=None, target=None),
        PileRevealed(cards=row("MSM")),
        InfluenceGained(seat=0, amount=2, total=2, source="bureaucrat"),
        TableCleared(cards=heap("B3 S1 M2")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert listed(after.position.discard_pile) == heap("B3 S1 M2")


@clause("CC-37", "CC-R27")
@pytest.mark.parametrize(("top", "amount"), [("BB", 1), ("SS", 1), ("BS", 2)])
def test_a_revealed_bureaucrat_counts_but_the_played_ones_do_not(top, amount):
    then = given("B2", "S1", factions=FIVE, top=top).when(0, PlayBureaucrats(count=2))
    assert then.event(InfluenceGained).amount == amount


@clause("CC-38", "CC-R14")
@pytest.mark.parametrize("count", [0, -1])
def test_no_bureaucrat_is_no_play(count):
    given("B2", "S1", factions=FIVE).when(0, PlayBureaucrats(count=count)).refused("CC-38")


@clause("CC-38")
@pytest.mark.parametrize("count", [1, 5, 10])
def test_any_number_of_bureaucrats_that_is_held_can_be_played(count):
    given("B10", "S1", factions=FIVE).when(0, PlayBureaucrats(count=count)).tells(
        "cards_played", "pile_revealed", "influence_gained", "table_cleared", "turn_ended"
    )


@clause("CC-39", "CC-R11")
def test_cards_revealed_before_a_reshuffle_stay_on_the_table():
    table = given("B4", "S1", factions=FIVE, top="MM", rest="discard_pile")
    then = table.when(0, PlayBureaucrats(count=4))
    after = then.tells(
        "cards_played",
        "pile_revealed",
        "discard_reshuffled",
        "pile_revealed",
        "influence_gained",
        "table_cleared",
        "turn_ended",
    )
    first, second = (event.cards for event in then.events if isinstance(event, PileRevealed))
    assert first == row("MM")
    assert len(second) == 2
    assert then.event(InfluenceGained).amount == len({*first, *second})
    assert sorted(listed(after.position.discard_pile)) == sorted(row("BBBB") + first + second)


@clause("CC-39")
def test_the_last_cards_of_both_piles_can_be_revealed():
    hands = ("B10", "B1 S9", "S6 R4", "R10", "R1 M9", "M6 H4")
    table = given(*hands, factions=FIVE, market="H7", top="BBBB", discarded="H4")
    after = table.when(0, PlayBureaucrats(count=8))
    assert after.event(TableCleared).cards == heap("B12 H4")
    assert after.position.draw_pile == ()
