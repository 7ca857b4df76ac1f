"""Detectives (section 4.8)."""

from referee.rulesets.catham_city.cards import listed
from referee.rulesets.catham_city.factions.detectives import MatchCard, PlayDetectives
from referee.rulesets.catham_city.piles import CardsDiscarded, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.questions import AnswerLocked, QuestionAsked
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.scoring import InfluenceGained
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import DECLINED, MATCHED, asked, given, hand, heap, row


def asked_table(*hands: str, answers=(), extra="S", **rest) -> Given:
    pending = asked(*(answers or (None,) * len(hands)), faction=extra)
    on_table = "D4" if extra == "D" else f"D3 {extra}1"
    return given(*hands, phase="detectives_answers", on_table=on_table, pending=pending, **rest)


@clause("CC-34")
def test_three_detectives_and_an_extra_card_bring_three_influence():
    table = given("D3 S2", "S1", "R1")
    after = table.when(0, PlayDetectives(extra="scientist")).says(
        CardsPlayed(seat=0, faction="detective", cards=heap("D3 S1"), extra="scientist", target=None),
        InfluenceGained(seat=0, amount=3, total=3, source="detective"),
        QuestionAsked(question="detectives", seat=0, faction="scientist"),
    )
    assert hand(after.position, 0) == row("S")
    assert after.position.pending == asked(None, None, None, faction="S")


@clause("CC-34")
def test_events_list_played_cards_in_the_canonical_order():
    then = given("D3 J1", "S1", factions="JDSRM").when(0, PlayDetectives(extra="journalist"))
    assert then.event(CardsPlayed).cards == row("JDDD")


@clause("CC-34", "CC-R3")
def test_the_extra_card_may_be_a_fourth_detective():
    then = given("D4", "S1").when(0, PlayDetectives(extra="detective"))
    assert then.event(CardsPlayed).cards == row("DDDD")


@clause("CC-35", "CC-R17")
def test_detectives_ask_seats_with_a_card_of_any_faction():
    table = asked_table("", "R1", "", "S1")
    assert [decision.seat for decision in table.ruleset.awaited(table.position)] == [1, 3]


@clause("CC-36", "CC-24", "CC-R33")
def test_only_a_card_like_the_extra_one_matches():
    table = asked_table("", "R1", "S1")
    table.when(1, MatchCard()).refused("CC-24")
    table.when(2, MatchCard()).says(AnswerLocked(seat=2, answer="match_card", faction=None, cards=None))


@clause("CC-36", "CC-R16")
def test_matches_are_carried_out_clockwise():
    table = asked_table("S2", "R1", "", "S1", answers=(MATCHED, DECLINED, None, MATCHED), active=2)
    after = table.when("referee", ResolveAnswers()).says(
        CardsDiscarded(seat=3, cards=row("S"), reason="detective"),
        InfluenceGained(seat=3, amount=1, total=1, source="detective"),
        CardsDiscarded(seat=0, cards=row("S"), reason="detective"),
        InfluenceGained(seat=0, amount=1, total=1, source="detective"),
        TableCleared(cards=heap("D3 S1")),
        TurnEnded(seat=2, next_seat=3, actions_left=1),
    )
    assert listed(after.position.discard_pile) == heap("D3 S3")
    assert hand(after.position, 0) == row("S")


@clause("CC-35")
def test_with_all_other_hands_empty_the_answers_are_due_at_once():
    table = given("D4", "", "")
    after = table.when(0, PlayDetectives(extra="detective")).tells("cards_played", "influence_gained", "question_asked")
    assert after.ruleset.awaited(after.position) == ()
    assert after.ruleset.due(after.position).move == ResolveAnswers()
    after.when("referee", ResolveAnswers()).tells("table_cleared", "turn_ended")
