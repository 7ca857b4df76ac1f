"""Influence and the end (section 4.15)."""

import pytest

from referee.kernel.judge import legal_moves
from referee.kernel.ranking import Place, ranks_of
from referee.kernel.seat import REFEREE
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import listed
from referee.rulesets.catham_city.edition import EDITION
from referee.rulesets.catham_city.factions.detectives import PlayDetectives
from referee.rulesets.catham_city.factions.mafia import PlayMafia
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.piles import CardsDiscarded
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.scoring import GameFinished, InfluenceGained
from referee.rulesets.catham_city.taking import TakeCards
from tests.clauses import clause
from tests.rulesets.catham_city.tables import MATCHED, asked, given, hand, heap, row


@clause("CC-63", "CC-64")
@pytest.mark.parametrize(("seats", "threshold"), [(2, 16), (3, 16), (4, 13), (5, 13), (6, 13)])
def test_the_threshold_is_16_with_two_or_three_seats_and_13_with_more(seats, threshold):
    below = given("R4", *[""] * (seats - 1), influence=(threshold - 4,) + (0,) * (seats - 1))
    below.when(0, PlayRobocats(mode="influence")).tells(
        "cards_played", "influence_gained", "table_cleared", "turn_ended"
    )
    reached = given("R4", *[""] * (seats - 1), influence=(threshold - 3,) + (0,) * (seats - 1))
    reached.when(0, PlayRobocats(mode="influence")).tells("cards_played", "influence_gained", "game_finished")


@clause("CC-64")
def test_passing_the_threshold_ends_the_game_as_well():
    then = given("R4", "", influence=(15, 0)).when(0, PlayRobocats(mode="influence"))
    assert then.event(GameFinished) == GameFinished(winner=0, scores=(18, 0), ranks=(1, 2))


@clause("CC-64", "CC-R5", "CC-R30")
@pytest.mark.parametrize(
    ("hand_held", "move", "on_table"),
    [
        ("D3 S2", PlayDetectives(extra="scientist"), "D3 S1"),
        ("M4 S2", PlayMafia(), "M4"),
        ("S5", PlayScientists(), "S3"),
    ],
)
def test_nothing_further_of_the_effect_happens(hand_held, move, on_table):
    table = given(hand_held, "S5 D5", influence=(14, 3), expert=True, actions_left=2)
    after = table.when(0, move).tells("cards_played", "influence_gained", "game_finished")
    position = after.position
    assert position.phase == "finished"
    assert position.pending is None
    assert listed(position.table) == heap(on_table)
    assert hand(position, 1) == heap("D5 S5")
    assert position.draw_pile == table.position.draw_pile
    assert position.actions_left == 2
    assert CATHAM_CITY.awaited(position) == ()
    assert CATHAM_CITY.due(position) is None
    assert legal_moves(CATHAM_CITY, position, 0) == ()


@clause("CC-65", "CC-36", "CC-R4", "CC-R30")
def test_a_seat_can_win_out_of_turn_and_later_answers_are_void():
    table = given(
        "H1",
        "H2",
        "S1",
        "H1 R1",
        phase="detectives_answers",
        on_table="D3 H1",
        pending=asked(MATCHED, MATCHED, None, MATCHED, faction="H"),
        active=2,
        influence=(4, 12, 5, 12),
    )
    after = table.when(REFEREE, ResolveAnswers()).says(
        CardsDiscarded(seat=3, cards=row("H"), reason="detective"),
        InfluenceGained(seat=3, amount=1, total=13, source="detective"),
        GameFinished(winner=3, scores=(4, 12, 5, 13), ranks=(4, 2, 3, 1)),
    )
    assert hand(after.position, 0) == row("H")
    assert hand(after.position, 1) == row("HH")
    assert listed(after.position.table) == heap("D3 H1")


@clause("CC-66", "CC-R31")
@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ((13, 5, 5, 2), (1, 2, 2, 4)),
        ((2, 5, 13, 5), (4, 2, 1, 2)),
        ((0, 16), (2, 1)),
        ((0, 0, 13, 0), (2, 2, 1, 2)),
    ],
)
def test_equal_influence_shares_the_rank(scores, places):
    assert ranks_of(scores) == places
    position = given(*[""] * len(scores), influence=scores, phase="finished").position
    ranking = CATHAM_CITY.ranking(position)
    assert {place.seat: place.rank for place in ranking} == dict(enumerate(places))
    assert {place.seat: place.score for place in ranking} == dict(enumerate(scores))
    assert [place.rank for place in ranking] == sorted(places)


@clause("CC-66")
def test_the_ranking_cites_its_clause_and_stands_before_the_end_as_well():
    position = given("", "", "", influence=(3, 7, 3)).position
    assert CATHAM_CITY.ranking(position) == (
        Place(seat=1, rank=1, score=7, clause="CC-66"),
        Place(seat=0, rank=2, score=3, clause="CC-66"),
        Place(seat=2, rank=2, score=3, clause="CC-66"),
    )


@clause("CC-R22")
def test_the_tokens_of_the_box_suffice_for_the_influence_in_play():
    tokens = 12 * 5 + 30
    hand_limit = EDITION.hand_limit
    gain_max = hand_limit - EDITION.police.extra
    for seats in EDITION.seats:
        assert seats * (EDITION.influence_to_win(seats) - 1) + gain_max <= tokens


@clause("CC-R29")
def test_a_game_without_a_gain_goes_on():
    table = given("", "")
    for _ in range(200):
        position = table.position
        seat = position.active_seat
        if position.phase == "discard_excess":
            table = table.when(seat, CATHAM_CITY.default(position, seat)).tells("cards_discarded", "turn_ended")
        else:
            first = listed(position.market)[0]
            then = table.when(seat, TakeCards(faction=first, count=1))
            assert then.position.phase != "finished"
            table = type(table)(table.ruleset, then.position)
