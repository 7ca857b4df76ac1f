"""Journalists (section 4.7)."""

import pytest

from referee.rulesets.catham_city.cards import counted, in_order, listed
from referee.rulesets.catham_city.factions.journalists import (
    CardGiven,
    CashIn,
    CashInDue,
    GiveCard,
    PlayJournalists,
)
from referee.rulesets.catham_city.piles import CardsDiscarded, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.position import Pending
from referee.rulesets.catham_city.questions import AnswerLocked, QuestionAsked
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.scoring import GameFinished, InfluenceGained
from referee.rulesets.catham_city.turns import ExcessDue, TurnEnded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import DECLINED, asked, given, gives, hand, heap, row

FIVE = "JDSRM"


def asked_table(*hands: str, answers=(), **rest) -> Given:
    pending = asked(*(answers or (None,) * len(hands)))
    rest = {"factions": FIVE, "phase": "journalists_answers", "on_table": "J2", "pending": pending} | rest
    return given(*hands, **rest)


def cash_in_table(hand: str, *others: str, cards: str, **rest) -> Given:
    pending = Pending(given=counted(in_order(row(FIVE)), heap(cards)))
    options = {"factions": FIVE, "phase": "journalists_cash_in", "on_table": "J2", "journalists_bonus": "active"}
    return given(hand, *others, pending=pending, **(options | rest))


def awaited(table: Given) -> list[int]:
    return [decision.seat for decision in table.ruleset.awaited(table.position)]


@clause("CC-28")
def test_two_journalists_bring_two_influence_and_then_the_question():
    table = given("J3 S1", "D2", "S1", factions=FIVE)
    after = table.when(0, PlayJournalists()).says(
        CardsPlayed(seat=0, faction="journalist", cards=row("JJ"), extra=None, target=None),
        InfluenceGained(seat=0, amount=2, total=2, source="journalist"),
        QuestionAsked(question="journalists", seat=0, faction=None),
    )
    assert after.position.phase == "journalists_answers"
    assert after.position.pending == asked(None, None, None)


@clause("CC-29", "CC-R1", "CC-R2")
@pytest.mark.parametrize("faction", ["scientist", "robocat"])
def test_a_deal_needs_two_cards_of_the_faction(faction):
    asked_table("", "S1 D4").when(1, GiveCard(faction=faction)).refused("CC-29")


@clause("CC-29")
@pytest.mark.parametrize("faction", ["detective", "journalist"])
def test_a_deal_of_any_faction_in_play_is_locked(faction):
    table = asked_table("", "J2 D2")
    table.when(1, GiveCard(faction=faction)).says(AnswerLocked(seat=1, answer="give_card", faction=faction, cards=None))


@clause("CC-29")
def test_a_seat_makes_at_most_one_deal():
    table = asked_table("", "J2 D2", "J2", answers=(None, gives("D"), None))
    table.when(1, GiveCard(faction="journalist")).refused("CC-4")


@clause("CC-29")
def test_a_deal_is_optional():
    asked_table("", "J2 D2").when(1, {"type": "decline"}).says(
        AnswerLocked(seat=1, answer="decline", faction=None, cards=None)
    )


@clause("CC-6")
def test_a_deal_with_a_faction_that_is_not_in_play_is_refused():
    asked_table("", "J2 D2").when(1, GiveCard(faction="hacker")).refused("CC-6")


@clause("CC-30", "CC-R17")
def test_journalists_ask_seats_with_two_cards_of_any_faction():
    assert awaited(asked_table("S5", "D1", "D1 S1", "", "J2")) == [2, 4]


@clause("CC-30")
def test_journalists_ask_seats_with_a_card_if_the_active_seat_profits():
    assert awaited(asked_table("S5", "D1", "D1 S1", "", "J2", journalists_bonus="active")) == [1, 2, 4]


@clause("CC-30", "CC-32")
def test_with_nobody_to_ask_the_answers_are_carried_out_at_once():
    table = asked_table("S5", "D1", "")
    assert table.ruleset.due(table.position).move == ResolveAnswers()
    table.when("referee", ResolveAnswers()).says(
        TableCleared(cards=row("JJ")), TurnEnded(seat=0, next_seat=1, actions_left=1)
    )


@clause("CC-31", "CC-R1", "CC-R16")
def test_deals_are_carried_out_clockwise_each_completely_before_the_next():
    table = asked_table("D2", "S2", "M3", "S1 R1", answers=(gives("D"), None, gives("M"), DECLINED), active=1)
    after = table.when("referee", ResolveAnswers()).says(
        CardGiven(seat=2, target=1, faction="mafia"),
        CardsDiscarded(seat=2, cards=row("M"), reason="journalist"),
        InfluenceGained(seat=2, amount=1, total=1, source="journalist"),
        CardGiven(seat=0, target=1, faction="detective"),
        CardsDiscarded(seat=0, cards=row("D"), reason="journalist"),
        InfluenceGained(seat=0, amount=1, total=1, source="journalist"),
        TableCleared(cards=row("JJ")),
        TurnEnded(seat=1, next_seat=2, actions_left=1),
    )
    hands = [hand(after.position, seat) for seat in range(4)]
    assert hands == [(), heap("D1 S2 M1"), heap("M1"), heap("S1 R1")]
    assert listed(after.position.discard_pile) == heap("J2 D1 M1")


@clause("CC-31", "CC-65", "CC-R4")
def test_a_giver_that_reaches_the_threshold_wins_and_later_deals_are_void():
    table = asked_table("S2", "D2", "M2", answers=(None, gives("D"), gives("M")), influence=(14, 15, 15))
    after = table.when("referee", ResolveAnswers()).says(
        CardGiven(seat=1, target=0, faction="detective"),
        CardsDiscarded(seat=1, cards=row("D"), reason="journalist"),
        InfluenceGained(seat=1, amount=1, total=16, source="journalist"),
        GameFinished(winner=1, scores=(14, 16, 15), ranks=(3, 1, 2)),
    )
    assert hand(after.position, 2) == heap("M2")
    assert listed(after.position.table) == row("JJ")


@clause("CC-32", "CC-18")
def test_cards_received_count_for_the_hand_limit():
    hands = ("S8", "D2", "D2", "D2", "M2", "M2")
    answers = (None, gives("D"), gives("D"), gives("D"), gives("M"), gives("M"))
    then = asked_table(*hands, answers=answers).when("referee", ResolveAnswers())
    assert then.events[-2:] == (TableCleared(cards=row("JJ")), ExcessDue(seat=0, count=3))


@clause("CC-33", "CC-R1", "CC-24")
def test_if_the_active_seat_profits_a_single_card_can_be_given():
    table = asked_table("", "S1 D4", journalists_bonus="active")
    table.when(1, GiveCard(faction="scientist")).tells("answer_locked")
    table.when(1, GiveCard(faction="robocat")).refused("CC-24")


@clause("CC-33")
def test_given_cards_go_clockwise_to_the_active_hand_and_then_can_be_cashed_in():
    table = asked_table(
        "S1", "S1", "", "D1", answers=(gives("S"), gives("S"), None, gives("D")), active=2, journalists_bonus="active"
    )
    after = table.when("referee", ResolveAnswers()).says(
        CardGiven(seat=3, target=2, faction="detective"),
        CardGiven(seat=0, target=2, faction="scientist"),
        CardGiven(seat=1, target=2, faction="scientist"),
        CashInDue(seat=2, cards=heap("D1 S2")),
    )
    assert after.position.phase == "journalists_cash_in"
    assert after.position.pending.given == after.position.seats[2].hand
    assert awaited(after) == [2]


@clause("CC-33")
def test_without_a_gift_there_is_nothing_to_cash_in():
    table = asked_table("", "S1", answers=(None, DECLINED), journalists_bonus="active")
    table.when("referee", ResolveAnswers()).tells("table_cleared", "turn_ended")


@clause("CC-33")
@pytest.mark.parametrize(("cards", "amount"), [("S", 1), ("SS", 2), ("DS", 2), ("SDS", 3)])
def test_any_part_of_the_given_cards_is_cashed_in_together(cards, amount):
    table = cash_in_table("D1 S4", "R1", "R1", "R1", cards="D1 S2")
    then = table.when(0, CashIn(cards=row(cards)))
    after = then.tells("cards_discarded", "influence_gained", "table_cleared", "turn_ended")
    assert then.event(CardsDiscarded) == CardsDiscarded(seat=0, cards=tuple(sorted(row(cards))), reason="journalist")
    assert then.event(InfluenceGained) == InfluenceGained(seat=0, amount=amount, total=amount, source="journalist")
    assert len(hand(after.position, 0)) == 5 - amount


@clause("CC-33")
def test_cashing_in_nothing_is_possible_and_the_hand_limit_applies():
    table = cash_in_table("D1 S10", "R1", cards="D1")
    table.when(0, CashIn(cards=())).says(TableCleared(cards=row("JJ")), ExcessDue(seat=0, count=1))


@clause("CC-33")
@pytest.mark.parametrize("cards", ["DD", "R", "SSS"])
def test_no_faction_is_cashed_in_more_often_than_it_was_given(cards):
    cash_in_table("D2 S4 R1", "R1", "R1", "R1", cards="D1 S2").when(0, CashIn(cards=row(cards))).refused("CC-33")


@clause("CC-6")
def test_cashing_in_a_faction_that_is_not_in_play_is_refused():
    cash_in_table("D1", "R1", cards="D1").when(0, CashIn(cards=row("H"))).refused("CC-6")


@clause("CC-33", "CC-64")
def test_cashing_in_can_end_the_game():
    table = cash_in_table("D1 S10", "R1", cards="D1", influence=(15, 3))
    table.when(0, CashIn(cards=row("D"))).says(
        CardsDiscarded(seat=0, cards=row("D"), reason="journalist"),
        InfluenceGained(seat=0, amount=1, total=16, source="journalist"),
        GameFinished(winner=0, scores=(16, 3), ranks=(1, 2)),
    )
