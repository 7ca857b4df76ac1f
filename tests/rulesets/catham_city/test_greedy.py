"""The moves that the bot `greedy` chooses."""

from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.factions.detectives import MatchCard, PlayDetectives
from referee.rulesets.catham_city.factions.hackers import PlayHackers
from referee.rulesets.catham_city.factions.journalists import GiveCard
from referee.rulesets.catham_city.factions.mafia import SurrenderInfluence
from referee.rulesets.catham_city.factions.police import PlayPolice
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.questions import Decline
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess
from tests.greedy import advice
from tests.rulesets.catham_city.tables import a_position, asked, heap


def test_greedy_plays_a_move_that_wins_for_certain():
    position = a_position(("S3 H4 M4", "D1"), influence=(14, 0))
    assert advice(CATHAM_CITY, position, 0) == PlayScientists()


def test_greedy_plays_what_gains_most():
    position = a_position(("D4 M4", "R5"))
    assert advice(CATHAM_CITY, position, 0) == PlayDetectives(extra="detective")


def test_greedy_plays_detectives_although_a_match_brings_another_seat_near_the_end():
    position = a_position(("D3 M1", "S3 R3"), influence=(0, 14))
    assert advice(CATHAM_CITY, position, 0) == PlayDetectives(extra="mafia")


def test_greedy_plays_no_detectives_if_a_match_could_win_for_another_seat():
    one_short = {"influence": (0, 15), "market": "S4 R3"}
    assert isinstance(advice(CATHAM_CITY, a_position(("D3 M1", "S3 R3"), **one_short), 0), TakeCards)
    nobody_can_match = a_position(("D3 M1", "S3 R3"), discarded="M14", **one_short)
    assert advice(CATHAM_CITY, nobody_can_match, 0) == PlayDetectives(extra="mafia")
    no_cards_to_match_with = a_position(("D3 M1", ""), **one_short)
    assert advice(CATHAM_CITY, no_cards_to_match_with, 0) == PlayDetectives(extra="mafia")
    own_win = a_position(("D3 M1", "S3 R3"), influence=(13, 15), market="S4 R3")
    assert advice(CATHAM_CITY, own_win, 0) == PlayDetectives(extra="mafia")


def test_greedy_names_the_extra_card_that_it_misses_least():
    position = a_position(("D3 S2 M1", "S3 R3"))
    assert advice(CATHAM_CITY, position, 0) == PlayDetectives(extra="mafia")


WITH_POLICE = {"factions": "SRMPH", "market": "M4 R3"}


def test_greedy_searches_with_the_police_at_fair_odds():
    position = a_position(("P5 S1", "M4 R3"), **WITH_POLICE)
    assert advice(CATHAM_CITY, position, 0) == PlayPolice(count=5, extra="scientist", target=1)


def test_greedy_keeps_the_police_while_the_odds_are_poor():
    few_police = a_position(("P4 S1", "M4 R3"), **WITH_POLICE)
    few_left = a_position(("P5 S1", "M4 R3"), discarded="S8", **WITH_POLICE)
    small_hand = a_position(("P5 S1", "M2 R1"), **WITH_POLICE)
    for position in (few_police, few_left, small_hand):
        assert isinstance(advice(CATHAM_CITY, position, 0), TakeCards)


def test_greedy_searches_the_leader_among_equal_hands():
    position = a_position(("P5 S1", "M4 R3", "H5 R2"), influence=(3, 5, 9), **WITH_POLICE)
    assert advice(CATHAM_CITY, position, 0) == PlayPolice(count=5, extra="scientist", target=2)


def test_greedy_sends_hackers_to_small_hands_and_among_these_to_the_leader():
    position = a_position(("H4", "D2 S2", "R2 M2", "R3 M3 S3"), influence=(0, 1, 2, 9))
    assert advice(CATHAM_CITY, position, 0) == PlayHackers(count=4, target=2)


def test_greedy_completes_a_set_from_the_market():
    position = a_position(("S2 M1", "D2"), market="M2 S1 R2 H2")
    assert advice(CATHAM_CITY, position, 0) == TakeCards(faction="scientist", count=1)


def test_greedy_draws_with_robocats_where_the_market_has_little():
    position = a_position(("R2", "D2"), market="H2 M2 D1 S1 R1")
    assert advice(CATHAM_CITY, position, 0) == PlayRobocats(mode="draw")


def test_greedy_discards_the_smallest_sets():
    position = a_position(("D3 S3 R4 M1", "D2"), phase="discard_excess")
    assert advice(CATHAM_CITY, position, 0) == DiscardExcess(cards=heap("M1"))


def test_greedy_pays_influence_where_the_cards_would_break_a_set():
    position = a_position(("", "D3"), phase="mafia_answers", on_table="M4", pending=asked(None, None), influence=(2, 5))
    assert advice(CATHAM_CITY, position, 1) == SurrenderInfluence()


def test_greedy_matches_the_detectives_unless_the_card_completes_a_set():
    question = {"phase": "detectives_answers", "on_table": "D3 S1", "pending": asked(None, None, faction="S")}
    assert advice(CATHAM_CITY, a_position(("", "S1 M2"), **question), 1) == MatchCard()
    assert advice(CATHAM_CITY, a_position(("", "S3 M2"), **question), 1) == Decline()


def test_no_seat_deals_with_a_seat_that_is_about_to_win():
    question = {"factions": "JDSRM", "phase": "journalists_answers", "on_table": "J2", "pending": asked(None, None)}
    assert advice(CATHAM_CITY, a_position(("", "M2"), **question), 1) == GiveCard(faction="mafia")
    assert advice(CATHAM_CITY, a_position(("", "M2"), influence=(14, 0), **question), 1) == Decline()


def test_greedy_gives_an_answer_that_wins():
    question = {"phase": "detectives_answers", "on_table": "D3 S1", "pending": asked(None, None, faction="S")}
    assert advice(CATHAM_CITY, a_position(("", "S3 M2"), influence=(10, 15), **question), 1) == MatchCard()
    question = {"factions": "JDSRM", "phase": "journalists_answers", "on_table": "J2", "pending": asked(None, None)}
    position = a_position(("", "M2"), influence=(14, 15), **question)
    assert advice(CATHAM_CITY, position, 1) == GiveCard(faction="mafia")
