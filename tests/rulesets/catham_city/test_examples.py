"""The worked examples of the rules: those of the rulebook, an opening with forced chance, and hard cases."""

import pytest

from referee.kernel.seat import REFEREE
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import listed, total
from referee.rulesets.catham_city.factions.hackers import RevealedCardsTaken
from referee.rulesets.catham_city.piles import CardsDiscarded, CardsDrawn, DiscardReshuffled, PileRevealed, TableCleared
from referee.rulesets.catham_city.position import Options
from referee.rulesets.catham_city.scoring import GameFinished, InfluenceGained, InfluenceLost
from referee.rulesets.catham_city.taking import MarketRefilled
from referee.rulesets.catham_city.turns import ExcessDue, TurnEnded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import MATCHED, asked, given, grown, hand, heap, row


@clause("CC-37", "CC-R27")
def test_the_rulebooks_bureaucrats_score_three_for_four_cards():
    table = given("B4", "", factions="JBSMH", top="SSMB")
    then = table.when(0, {"type": "play_bureaucrats", "count": 4})
    assert then.event(PileRevealed).cards == row("SSMB")
    assert then.event(InfluenceGained).amount == 3
    discards = grown(table.position.discard_pile, then.position.discard_pile)
    assert discards == {"bureaucrat": 5, "scientist": 2, "mafia": 1}


@clause("CC-50", "CC-54")
def test_clement_finds_two_journalists():
    table = given("P5 J2", "J2 S2 M2 H1", factions="JSMPH")
    then = table.when(
        0,
        {"type": "play_police", "count": 5, "extra": "journalist", "target": 1},
        ("police_reveal", ["journalist", "journalist", "hacker", "mafia", "mafia"]),
    )
    assert then.event(InfluenceGained).amount == 2
    assert not [event for event in then.events if isinstance(event, CardsDrawn)]
    assert hand(then.position, 0) == row("J")
    assert hand(then.position, 1) == row("SS")
    discards = grown(table.position.discard_pile, then.position.discard_pile)
    assert discards == {"journalist": 3, "mafia": 2, "police": 5, "hacker": 1}


@clause("CC-59", "CC-61", "CC-62", "CC-R21")
def test_antoine_cannot_infiltrate_a_hand_of_one_and_turns_to_his_right():
    table = given("H2", "S1", "S2 M1 P1", factions="SRMPH")
    table.when(0, {"type": "play_hackers", "count": 2, "target": 1}).refused("CC-59")
    then = table.when(0, {"type": "play_hackers", "count": 2, "target": 2}, ("hackers_reveal", ["hacker", "police"]))
    assert then.event(InfluenceGained).amount == 1
    assert hand(then.position, 0) == row("P")
    assert hand(then.position, 2) == heap("S2 M1 H1")
    assert grown(table.position.discard_pile, then.position.discard_pile) == {"hacker": 1}


@clause("CC-21", "CC-24", "CC-28")
def test_valerie_takes_scientists_or_plays_journalists():
    table = given("J2 S2", "D3", factions="JDSRM", market="S3 D2 R2")
    table.when(0, {"type": "play_scientists"}).refused("CC-24")
    for count in (1, 2, 3):
        then = table.when(0, {"type": "take_cards", "faction": "scientist", "count": count})
        then.tells("cards_taken", "market_refilled", "turn_ended")
        assert then.event(TurnEnded).next_seat == 1
    table.when(0, {"type": "take_cards", "faction": "scientist", "count": 4}).refused("CC-21")
    then = table.when(0, {"type": "play_journalists"})
    assert then.event(InfluenceGained).amount == 2
    asked_table = then.tells("cards_played", "influence_gained", "question_asked")
    declined = asked_table.when(1, {"type": "decline"}).tells("answer_locked")
    assert declined.when(REFEREE, {"type": "resolve_answers"}).event(TurnEnded).next_seat == 1


DECK = row("DDDSMH RRSSHM MMMSHHD SSRMHHR DRSHM DSRDMSDRHM SDRHM SDRHM SDRHM SDRHM SDRHM SDRHM DRHR")


def state(table: Given) -> tuple[list[str], list[int], str, int]:
    """Hands, influence, market and size of the draw pile, as the opening writes them."""
    position = table.position
    hands = [short(listed(seat.hand)) for seat in position.seats]
    return hands, [seat.influence for seat in position.seats], short(listed(position.market)), len(position.draw_pile)


def short(cards) -> str:
    return " ".join(
        f"{faction[0].upper()}{cards.count(faction)}" for faction in dict.fromkeys(cards) if cards.count(faction)
    )


def awaited(table: Given) -> list[int]:
    return [decision.seat for decision in CATHAM_CITY.awaited(table.position)]


def play(table: Given, actor, move, *chance) -> tuple[Given, object]:
    then = table.when(actor, move, *chance)
    return Given(CATHAM_CITY, then.position), then


@pytest.fixture
def opening() -> Given:
    """The table of the opening after its set-up."""
    blank = Given(CATHAM_CITY, CATHAM_CITY.blank(Options(first_seat=0), 3))
    return blank.when(REFEREE, {"type": "set_up"}, ("shuffle_deck", DECK)).tells("game_set_up")


def test_the_opening_is_dealt_as_the_rules_say(opening):
    assert state(opening) == (["D3 S1 M1 H1", "S2 R2 M1 H1", "D1 S1 M3 H2"], [0, 0, 0], "S2 R2 M1 H2", 49)


@clause("CC-34", "CC-36", "CC-42", "CC-15", "CC-17", "CC-44", "CC-45", "CC-60")
def test_the_opening_is_played_step_by_step(opening):
    table = opening
    # 1 to 4: seat 0 plays detectives, seat 2 declines, seat 1 matches.
    table, then = play(table, 0, {"type": "play_detectives", "extra": "scientist"})
    assert then.event(InfluenceGained).total == 3
    assert short(listed(table.position.table)) == "D3 S1"
    assert awaited(table) == [1, 2]
    table, _ = play(table, 2, {"type": "decline"})
    assert awaited(table) == [1]
    table, _ = play(table, 1, {"type": "match_card"})
    assert CATHAM_CITY.due(table.position) is not None
    table, then = play(table, REFEREE, {"type": "resolve_answers"})
    assert then.event(CardsDiscarded) == CardsDiscarded(seat=1, cards=row("S"), reason="detective")
    assert then.event(InfluenceGained).total == 1
    assert then.event(TurnEnded).next_seat == 1
    # 5: seat 1 draws five cards.
    table, then = play(table, 1, {"type": "play_robocats", "mode": "draw"})
    assert then.event(CardsDrawn).cards == row("DRSHM")
    assert state(table)[0][1] == "D1 S2 R1 M2 H2"
    assert table.position.active_seat == 2
    # 6 to 8: three seats take cards.
    table, then = play(table, 2, {"type": "take_cards", "faction": "mafia", "count": 1})
    assert then.event(MarketRefilled).cards == row("D")
    assert state(table)[2] == "D1 S2 R2 H2"
    assert table.position.active_seat == 0
    table, then = play(table, 0, {"type": "take_cards", "faction": "hacker", "count": 2})
    assert then.event(MarketRefilled).cards == row("SR")
    assert state(table)[2] == "D1 S3 R3"
    assert table.position.active_seat == 1
    table, then = play(table, 1, {"type": "take_cards", "faction": "scientist", "count": 3})
    assert then.event(MarketRefilled).cards == row("DMS")
    assert then.event(ExcessDue) == ExcessDue(seat=1, count=1)
    assert state(table)[2] == "D2 S1 R3 M1"
    assert total(table.position.seats[1].hand) == 11
    # 9: seat 1 discards the excess.
    table, then = play(table, 1, {"type": "discard_excess", "cards": ["hacker"]})
    assert then.event(TurnEnded).next_seat == 2
    # 10 to 13: seat 2 plays the mafia, seat 0 loses influence, seat 1 cards.
    table, then = play(table, 2, {"type": "play_mafia"})
    assert then.event(InfluenceGained).total == 2
    assert awaited(table) == [0, 1]
    assert [total(seat.hand) for seat in table.position.seats[:2]] == [4, 10]
    assert state(table)[1] == [3, 1, 2]
    table, _ = play(table, 0, {"type": "surrender_influence"})
    table, _ = play(table, 1, {"type": "surrender_cards", "cards": ["detective", "hacker"]})
    assert CATHAM_CITY.due(table.position) is not None
    table, then = play(table, REFEREE, {"type": "resolve_answers"})
    assert then.event(InfluenceLost).total == 2
    assert then.event(CardsDiscarded).cards == row("DH")
    assert then.event(TurnEnded).next_seat == 0
    # 14: seat 0 sends three hackers to seat 2.
    assert state(table)[0][2] == "D1 S1 H2"
    table, then = play(
        table,
        0,
        {"type": "play_hackers", "count": 3, "target": 2},
        ("hackers_reveal", ["hacker", "scientist", "hacker"]),
    )
    assert then.event(InfluenceGained).total == 4
    assert then.event(RevealedCardsTaken).cards == row("S")
    assert then.event(TableCleared).cards == row("HH")
    # At the end.
    assert state(table) == (["S1 M1", "S5 R1 M2", "D1 H3"], [4, 1, 2], "D2 S1 R3 M1", 38)
    assert short(listed(table.position.discard_pile)) == "D4 S2 R2 M4 H4"
    assert table.position.draw_pile[:5] == row("DRHMS")
    assert table.position.active_seat == 1


@clause("CC-65", "CC-R4")
def test_an_out_of_turn_win():
    table = given(
        "R1 S1",
        "R1",
        "M1",
        "R2",
        active=2,
        influence=(4, 12, 5, 12),
        phase="detectives_answers",
        on_table="D3 R1",
        pending=asked(MATCHED, MATCHED, None, MATCHED, faction="R"),
    )
    then = table.when(REFEREE, {"type": "resolve_answers"})
    after = then.tells("cards_discarded", "influence_gained", "game_finished").position
    assert then.event(CardsDiscarded).seat == 3
    assert then.event(GameFinished).winner == 3
    assert [hand(after, seat) for seat in (0, 1)] == [row("SR"), row("R")]
    assert total(after.table) == 4


@clause("CC-13", "CC-39", "CC-R12")
def test_a_short_reveal():
    hands = ("B10", "S10", "S5 R5", "R10", "M10", "M5 H5")
    table = given(*hands, factions="BSRMH", market="H7", rest="discard_pile")
    assert total(table.position.discard_pile) == 8
    then = table.when(0, {"type": "play_bureaucrats", "count": 10})
    then.tells("cards_played", "discard_reshuffled", "pile_revealed", "influence_gained", "table_cleared", "turn_ended")
    assert then.event(DiscardReshuffled).count == 8
    revealed = then.event(PileRevealed).cards
    assert sorted(revealed) == sorted(heap("B5 H3"))
    assert then.event(InfluenceGained).amount == 2
    assert len(then.event(TableCleared).cards) == 18


@clause("CC-16", "CC-42")
def test_the_hand_limit_after_a_draw():
    then = given("R2 S8", "").when(0, {"type": "play_robocats", "mode": "draw"})
    assert total(then.position.seats[0].hand) == 13
    assert then.events[-1] == ExcessDue(seat=0, count=3)
    assert [decision.seat for decision in CATHAM_CITY.awaited(then.position)] == [0]
