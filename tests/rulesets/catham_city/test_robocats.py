"""Robocats (section 4.11)."""

from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.piles import CardsDrawn, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.scoring import InfluenceGained
from referee.rulesets.catham_city.turns import ExcessDue, TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row


@clause("CC-42", "CC-R26")
def test_two_robocats_draw_five_cards_and_bring_no_influence():
    table = given("R3", "D1", top="DSRMH")
    after = table.when(0, PlayRobocats(mode="draw")).says(
        CardsPlayed(seat=0, faction="robocat", cards=row("RR"), extra=None, target=None),
        CardsDrawn(seat=0, cards=row("DSRMH"), count=5),
        TableCleared(cards=row("RR")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 0) == heap("D1 S1 R2 M1 H1")
    assert after.position.seats[0].influence == 0


@clause("CC-43")
def test_four_robocats_bring_three_influence_and_no_cards():
    table = given("R5", "D1")
    after = table.when(0, PlayRobocats(mode="influence")).says(
        CardsPlayed(seat=0, faction="robocat", cards=row("RRRR"), extra=None, target=None),
        InfluenceGained(seat=0, amount=3, total=3, source="robocat"),
        TableCleared(cards=row("RRRR")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 0) == row("R")


@clause("CC-42", "CC-16", "CC-18")
def test_a_draw_to_thirteen_cards_leaves_three_too_many_and_the_seat_awaited():
    table = given("R2 D8", "S1")
    then = table.when(0, PlayRobocats(mode="draw"))
    after = then.tells("cards_played", "cards_drawn", "table_cleared", "excess_due")
    assert then.event(ExcessDue) == ExcessDue(seat=0, count=3)
    assert [decision.seat for decision in after.ruleset.awaited(after.position)] == [0]
