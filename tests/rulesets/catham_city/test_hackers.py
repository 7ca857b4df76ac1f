"""Hackers (section 4.14)."""

from collections import Counter

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.rejection import InvalidChance
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import listed
from referee.rulesets.catham_city.factions.hackers import HackersGiven, PlayHackers, RevealedCardsTaken
from referee.rulesets.catham_city.piles import TableCleared
from referee.rulesets.catham_city.playing import HandRevealed
from referee.rulesets.catham_city.scoring import GameFinished, InfluenceGained
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row


@clause("CC-57", "CC-60", "CC-61", "CC-62")
def test_hackers_are_given_mixed_revealed_and_what_they_find_is_taken():
    table = given("H3 D1", "S2 M2")
    after = table.when(0, PlayHackers(count=3, target=1), ("hackers_reveal", row("SHM"))).says(
        HackersGiven(seat=0, target=1, count=3),
        HandRevealed(seat=1, cards=row("SMH")),
        InfluenceGained(seat=0, amount=1, total=1, source="hacker"),
        RevealedCardsTaken(seat=0, cards=row("SM")),
        TableCleared(cards=row("H")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 0) == heap("D1 S1 M1")
    assert hand(after.position, 1) == heap("S1 M1 H2")
    assert listed(after.position.discard_pile) == row("H")


@clause("CC-58")
@pytest.mark.parametrize("count", [-1, 0, 5, 10**30])
def test_one_to_four_hackers_are_given(count):
    given("H8", "S8").when(0, PlayHackers(count=count, target=1)).refused("CC-58")


@clause("CC-58")
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_as_many_cards_are_revealed_as_hackers_are_given(count):
    then = given("H8", "S8").when(0, PlayHackers(count=count, target=1))
    assert len(then.event(HandRevealed).cards) == count


@clause("CC-59", "CC-R21")
def test_the_target_must_hold_as_many_cards_before_it_receives_the_hackers():
    table = given("H4", "S1", "S2")
    table.when(0, PlayHackers(count=2, target=1)).refused("CC-59")
    table.when(0, PlayHackers(count=3, target=2)).refused("CC-59")
    table.when(0, PlayHackers(count=2, target=2), ("hackers_reveal", row("SS"))).tells(
        "hackers_given", "hand_revealed", "revealed_cards_taken", "turn_ended"
    )


@clause("CC-58", "CC-26", "CC-24", "CC-59")
@pytest.mark.parametrize(
    ("move", "cited"),
    [
        (PlayHackers(count=5, target=0), "CC-58"),
        (PlayHackers(count=4, target=0), "CC-26"),
        (PlayHackers(count=4, target=1), "CC-24"),
        (PlayHackers(count=2, target=1), "CC-59"),
    ],
)
def test_the_first_clause_that_fails_is_cited(move, cited):
    given("H2", "S1").when(0, move).refused(cited)


@clause("CC-60")
@pytest.mark.parametrize("outcome", [row("S"), row("SSS"), row("HHH"), row("DD")])
def test_a_forced_reveal_is_as_many_cards_of_the_mixed_hand(outcome):
    with pytest.raises(InvalidChance):
        given("H2", "S2").when(0, PlayHackers(count=2, target=1), ("hackers_reveal", outcome))


@clause("CC-60")
def test_every_single_card_of_the_mixed_hand_is_equally_likely():
    table = given("H1", "S1 M2")
    shown = Counter(
        CATHAM_CITY.decide(table.position, 0, PlayHackers(count=1, target=1), Seeded(seed))[1].cards[0]
        for seed in range(800)
    )
    assert set(shown) == {"scientist", "mafia", "hacker"}
    assert 330 < shown["mafia"] < 470
    assert 140 < shown["scientist"] < 260


@clause("CC-61", "CC-R20")
def test_hackers_that_the_target_had_score_as_well():
    then = given("H1", "H3").when(0, PlayHackers(count=1, target=1))
    assert then.event(InfluenceGained).amount == 1
    then = given("H2", "H2 S1").when(0, PlayHackers(count=2, target=1), ("hackers_reveal", row("HH")))
    assert then.event(InfluenceGained).amount == 2
    then.tells("hackers_given", "hand_revealed", "influence_gained", "table_cleared", "turn_ended")


@clause("CC-62", "CC-10")
def test_without_a_revealed_hacker_the_table_is_empty_and_not_cleared():
    table = given("H1", "S1")
    after = table.when(0, PlayHackers(count=1, target=1), ("hackers_reveal", row("S"))).says(
        HackersGiven(seat=0, target=1, count=1),
        HandRevealed(seat=1, cards=row("S")),
        RevealedCardsTaken(seat=0, cards=row("S")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
    assert hand(after.position, 1) == row("H")


@clause("CC-62", "CC-64", "CC-R30")
def test_a_winning_gain_leaves_the_revealed_cards_on_the_table():
    table = given("H2", "S2", influence=(15, 2))
    after = table.when(0, PlayHackers(count=2, target=1), ("hackers_reveal", row("HS"))).says(
        HackersGiven(seat=0, target=1, count=2),
        HandRevealed(seat=1, cards=row("SH")),
        InfluenceGained(seat=0, amount=1, total=16, source="hacker"),
        GameFinished(winner=0, scores=(16, 2), ranks=(1, 2)),
    )
    assert listed(after.position.table) == row("SH")
    assert hand(after.position, 0) == ()
