"""Playing cards, in general (section 4.6)."""

import pytest

from referee.rulesets.catham_city.cards import listed, total
from referee.rulesets.catham_city.factions.detectives import PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import PlayJournalists
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.piles import TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.scoring import InfluenceGained
from tests.clauses import clause
from tests.rulesets.catham_city.tables import given, hand, heap, row


@clause("CC-6")
@pytest.mark.parametrize(
    ("factions", "move"),
    [
        ("DSRMH", {"type": "take_cards", "faction": "police", "count": 1}),
        ("DSRMH", {"type": "play_journalists"}),
        ("JSRMH", {"type": "play_detectives", "extra": "scientist"}),
        ("DSRMH", {"type": "play_detectives", "extra": "journalist"}),
        ("DSRMH", {"type": "play_bureaucrats", "count": 1}),
        ("JDRMH", {"type": "play_scientists"}),
        ("JDSMH", {"type": "play_robocats", "mode": "draw"}),
        ("JDSRH", {"type": "play_mafia"}),
        ("DSRMH", {"type": "play_police", "count": 1, "extra": "detective", "target": 1}),
        ("DSRMP", {"type": "play_police", "count": 1, "extra": "hacker", "target": 1}),
        ("JDSRM", {"type": "play_hackers", "count": 1, "target": 1}),
    ],
)
def test_a_faction_that_is_not_in_play_can_be_neither_named_nor_played(factions, move):
    given("", "", factions=factions).when(0, move).refused("CC-6")


@clause("CC-6")
def test_a_faction_that_is_not_in_play_is_refused_before_anything_else_of_the_move():
    given("", "").when(0, PlayPolice(count=0, extra="police", target=0)).refused("CC-6")
    given("", "").when(0, {"type": "take_cards", "faction": "police", "count": 0}).refused("CC-6")


@clause("CC-23", "CC-R13")
def test_four_journalists_are_not_two_plays():
    then = given("J4", "", factions="JSRMH").when(0, PlayJournalists())
    assert then.event(CardsPlayed).cards == row("JJ")
    assert then.event(InfluenceGained).amount == 2
    assert hand(then.position, 0) == row("JJ")


@clause("CC-23", "CC-R13")
def test_six_scientists_are_played_as_three():
    then = given("S6", "", top="DD").when(0, PlayScientists())
    assert then.event(CardsPlayed).cards == row("SSS")
    assert then.event(InfluenceGained).amount == 2


@clause("CC-23")
def test_three_robocats_are_no_play_of_their_own():
    table = given("R3", "")
    table.when(0, PlayRobocats(mode="influence")).refused("CC-24")
    after = table.when(0, PlayRobocats(mode="draw"))
    assert after.event(CardsPlayed).cards == row("RR")


@clause("CC-24")
@pytest.mark.parametrize(
    ("hand", "move"),
    [
        ("J1", {"type": "play_journalists"}),
        ("D2 S1", {"type": "play_detectives", "extra": "scientist"}),
        ("D3", {"type": "play_detectives", "extra": "scientist"}),
        ("D3", {"type": "play_detectives", "extra": "detective"}),
        ("S2", {"type": "play_scientists"}),
        ("P2", {"type": "play_police", "count": 3, "extra": "scientist", "target": 1}),
        ("P2", {"type": "play_police", "count": 2, "extra": "scientist", "target": 1}),
        ("P2 S1", {"type": "play_police", "count": 10**30, "extra": "scientist", "target": 1}),
    ],
)
def test_only_cards_that_are_held_can_be_played(hand, move):
    given(hand, "S5", factions="JDSPB").when(0, move).refused("CC-24")


@clause("CC-24")
@pytest.mark.parametrize(
    ("hand", "move"),
    [
        ("B2", {"type": "play_bureaucrats", "count": 3}),
        ("B2", {"type": "play_bureaucrats", "count": 10**30}),
        ("R1", {"type": "play_robocats", "mode": "draw"}),
        ("R3", {"type": "play_robocats", "mode": "influence"}),
        ("M3", {"type": "play_mafia"}),
        ("H1", {"type": "play_hackers", "count": 2, "target": 1}),
    ],
)
def test_only_as_many_cards_as_are_held_can_be_played(hand, move):
    given(hand, "M5", factions="BRMHP").when(0, move).refused("CC-24")


@clause("CC-25")
def test_played_cards_lie_on_the_table_until_the_effect_is_over():
    table = given("D3 S2", "S2")
    then = table.when(0, PlayDetectives(extra="scientist"))
    asked = then.tells("cards_played", "influence_gained", "question_asked")
    assert listed(asked.position.table) == heap("D3 S1")
    assert total(asked.position.discard_pile) == 0
    declined = asked.when(1, {"type": "decline"}).tells("answer_locked")
    after = declined.when("referee", {"type": "resolve_answers"}).tells("table_cleared", "turn_ended")
    assert listed(after.position.discard_pile) == heap("D3 S1")


@clause("CC-25", "CC-57")
def test_hackers_are_given_away_and_do_not_go_to_the_table():
    table = given("H2", "S3")
    then = table.when(0, PlayHackers(count=2, target=1), ("hackers_reveal", row("SS")))
    then.tells("hackers_given", "hand_revealed", "revealed_cards_taken", "turn_ended")


@clause("CC-26")
@pytest.mark.parametrize("target", [0, 3, -1, 10**30])
def test_a_target_is_another_seat_of_the_game(target):
    table = given("H2 P2 S1", "S3", "S3", factions="SRMPH")
    table.when(0, PlayHackers(count=1, target=target)).refused("CC-26")
    table.when(0, PlayPolice(count=1, extra="scientist", target=target)).refused("CC-26")


@clause("CC-27", "CC-R35")
def test_all_influence_of_an_effect_is_gained_in_one_step():
    table = given("P3 S1", "S3", factions="SRMPH", influence=(15, 0))
    then = table.when(0, PlayPolice(count=3, extra="scientist", target=1))
    assert then.event(InfluenceGained) == InfluenceGained(seat=0, amount=3, total=18, source="police")


@clause("CC-27")
def test_a_gain_of_nothing_is_no_gain():
    table = given("P3 S1", "M3", factions="SRMPH")
    then = table.when(0, PlayPolice(count=3, extra="scientist", target=1))
    then.tells("cards_played", "hand_revealed", "table_cleared", "turn_ended")
    assert then.event(TableCleared).cards == heap("S1 M3 P3")
