"""Police (section 4.13)."""

import pytest

from referee.kernel.judge import judge
from referee.kernel.rejection import InvalidChance
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import listed
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.piles import CardsDrawn, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed, HandRevealed
from referee.rulesets.catham_city.scoring import GameFinished, InfluenceGained
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row

FIVE = "JSMPH"


@clause("CC-50", "CC-53", "CC-54", "CC-55", "CC-56")
def test_a_search_reveals_gains_lets_the_target_draw_and_discards():
    table = given("P3 S2", "M1", "S2 P2 M2", factions=FIVE, top="HH")
    after = table.when(0, PlayPolice(count=3, extra="scientist", target=2), ("police_reveal", row("PSP"))).says(
        CardsPlayed(seat=0, faction="police", cards=heap("S1 P3"), extra="scientist", target=2),
        HandRevealed(seat=2, cards=heap("S1 P2")),
        InfluenceGained(seat=0, amount=1, total=1, source="police"),
        CardsDrawn(seat=2, cards=row("HH"), count=2),
        TableCleared(cards=heap("S2 P5")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 2) == heap("S1 M2 H2")
    assert hand(after.position, 0) == row("S")
    assert listed(after.position.discard_pile) == heap("S2 P5")


@clause("CC-51", "CC-R14")
@pytest.mark.parametrize("count", [0, -3])
def test_no_police_is_no_play(count):
    table = given("P3 S2", "M1", factions=FIVE)
    table.when(0, PlayPolice(count=count, extra="scientist", target=1)).refused("CC-51")


@clause("CC-52")
def test_the_extra_card_is_not_a_police_card():
    given("P5", "M1", factions=FIVE).when(0, PlayPolice(count=1, extra="police", target=1)).refused("CC-52")


@clause("CC-51", "CC-52", "CC-26", "CC-24")
@pytest.mark.parametrize(
    ("move", "cited"),
    [
        (PlayPolice(count=0, extra="police", target=0), "CC-51"),
        (PlayPolice(count=9, extra="police", target=0), "CC-52"),
        (PlayPolice(count=9, extra="scientist", target=0), "CC-26"),
        (PlayPolice(count=9, extra="scientist", target=1), "CC-24"),
    ],
)
def test_the_first_clause_that_fails_is_cited(move, cited):
    given("P1", "M1", factions=FIVE).when(0, move).refused(cited)


@clause("CC-53", "CC-R18")
@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_hand_no_larger_than_the_search_is_revealed_whole_without_chance(count):
    table = given("P5 S1", "S1 M1", factions=FIVE)
    move = PlayPolice(count=count, extra="scientist", target=1)
    verdict = judge(CATHAM_CITY, table.position, 0, move)
    assert verdict.drawn == ()
    assert verdict.events[1] == HandRevealed(seat=1, cards=row("SM"))


@clause("CC-53", "CC-R18")
def test_an_empty_hand_reveals_nothing():
    table = given("P5 S1", "", factions=FIVE)
    then = table.when(0, PlayPolice(count=1, extra="scientist", target=1))
    then.tells("cards_played", "hand_revealed", "table_cleared", "turn_ended")
    assert then.event(HandRevealed) == HandRevealed(seat=1, cards=())


@clause("CC-53")
@pytest.mark.parametrize("outcome", [row("S"), row("SSS"), row("SH"), row("MM")])
def test_a_forced_reveal_is_as_many_cards_of_the_target(outcome):
    table = given("P5 S1", "S3 M1", factions=FIVE)
    with pytest.raises(InvalidChance):
        table.when(0, PlayPolice(count=2, extra="scientist", target=1), ("police_reveal", outcome))


@clause("CC-54", "CC-27")
def test_each_revealed_card_like_the_extra_one_brings_influence():
    table = given("P4 S1", "S3 M1", factions=FIVE)
    then = table.when(0, PlayPolice(count=4, extra="scientist", target=1))
    assert then.event(InfluenceGained).amount == 3


@clause("CC-55")
def test_police_played_do_not_let_the_target_draw():
    table = given("P4 S1", "S3 M1", factions=FIVE)
    then = table.when(0, PlayPolice(count=4, extra="scientist", target=1))
    then.tells("cards_played", "hand_revealed", "influence_gained", "table_cleared", "turn_ended")


@clause("CC-55", "CC-R19", "CC-64")
def test_a_winning_gain_leaves_the_target_without_its_draw():
    table = given("P2 S1", "S1 P1", factions=FIVE, influence=(15, 0))
    after = table.when(0, PlayPolice(count=2, extra="scientist", target=1)).says(
        CardsPlayed(seat=0, faction="police", cards=heap("S1 P2"), extra="scientist", target=1),
        HandRevealed(seat=1, cards=heap("S1 P1")),
        InfluenceGained(seat=0, amount=1, total=16, source="police"),
        GameFinished(winner=0, scores=(16, 0), ranks=(1, 2)),
    )
    assert listed(after.position.table) == heap("S2 P3")


@clause("CC-56", "CC-12")
def test_the_draw_comes_before_played_and_revealed_cards_are_discarded():
    table = given("P2 S1", "P2 S1", factions=FIVE, top="H", rest="discard_pile")
    then = table.when(0, PlayPolice(count=2, extra="scientist", target=1), ("police_reveal", row("PP")))
    after = then.tells(
        "cards_played",
        "hand_revealed",
        "cards_drawn",
        "discard_reshuffled",
        "cards_drawn",
        "table_cleared",
        "turn_ended",
    )
    assert listed(after.position.discard_pile) == heap("S1 P4")
    assert "scientist" in hand(after.position, 1)
