"""Scientists (section 4.10)."""

from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.piles import CardsDrawn, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.scoring import GameFinished, InfluenceGained
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row


@clause("CC-40")
def test_three_scientists_bring_two_influence_and_two_cards():
    table = given("S4", "D1", top="HM")
    after = table.when(0, PlayScientists()).says(
        CardsPlayed(seat=0, faction="scientist", cards=row("SSS"), extra=None, target=None),
        InfluenceGained(seat=0, amount=2, total=2, source="scientist"),
        CardsDrawn(seat=0, cards=row("HM"), count=2),
        TableCleared(cards=row("SSS")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 0) == heap("S1 M1 H1")


@clause("CC-41", "CC-64")
def test_nothing_is_drawn_if_the_influence_ends_the_game():
    table = given("S4", "D1", influence=(14, 3))
    after = table.when(0, PlayScientists()).says(
        CardsPlayed(seat=0, faction="scientist", cards=row("SSS"), extra=None, target=None),
        InfluenceGained(seat=0, amount=2, total=16, source="scientist"),
        GameFinished(winner=0, scores=(16, 3), ranks=(1, 2)),
    )
    assert hand(after.position, 0) == row("S")
