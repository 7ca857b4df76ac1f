"""Mafia (section 4.12)."""

import pytest

from referee.rulesets.catham_city.factions.mafia import PlayMafia, SurrenderCards, SurrenderInfluence
from referee.rulesets.catham_city.piles import CardsDiscarded, TableCleared
from referee.rulesets.catham_city.playing import CardsPlayed
from referee.rulesets.catham_city.questions import AnswerLocked, QuestionAsked
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.scoring import InfluenceGained, InfluenceLost
from referee.rulesets.catham_city.turns import TurnEnded
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import PAYS_INFLUENCE, asked, given, hand, heap, row, surrenders


def asked_table(*hands: str, answers=(), **rest) -> Given:
    pending = asked(*(answers or (None,) * len(hands)))
    return given(*hands, phase="mafia_answers", on_table="M4", pending=pending, **rest)


@clause("CC-44")
def test_four_mafia_bring_two_influence_and_then_the_question():
    table = given("M5", "S3")
    after = table.when(0, PlayMafia()).says(
        CardsPlayed(seat=0, faction="mafia", cards=row("MMMM"), extra=None, target=None),
        InfluenceGained(seat=0, amount=2, total=2, source="mafia"),
        QuestionAsked(question="mafia", seat=0, faction=None),
    )
    assert after.position.phase == "mafia_answers"


@clause("CC-45")
def test_a_seat_chooses_between_cards_and_influence():
    table = asked_table("", "S2 D2", influence=(0, 1))
    table.when(1, SurrenderCards(cards=row("SD"))).says(
        AnswerLocked(seat=1, answer="surrender_cards", faction=None, cards=row("DS"))
    )
    table.when(1, SurrenderInfluence()).says(
        AnswerLocked(seat=1, answer="surrender_influence", faction=None, cards=None)
    )


@clause("CC-45", "CC-49", "CC-R16")
def test_each_seat_loses_what_it_chose_and_never_both():
    table = asked_table(
        "S3",
        "",
        "S2 D2",
        "R3",
        answers=(surrenders("S2"), None, surrenders("D1 S1"), PAYS_INFLUENCE),
        active=1,
        influence=(4, 5, 6, 7),
    )
    after = table.when("referee", ResolveAnswers()).says(
        CardsDiscarded(seat=2, cards=row("DS"), reason="mafia"),
        InfluenceLost(seat=3, amount=1, total=6, source="mafia"),
        CardsDiscarded(seat=0, cards=row("SS"), reason="mafia"),
        TableCleared(cards=row("MMMM")),
        TurnEnded(seat=1, next_seat=2, actions_left=1),
    )
    assert [seat.influence for seat in after.position.seats] == [4, 5, 6, 6]
    assert [len(hand(after.position, seat)) for seat in range(4)] == [1, 0, 2, 3]


@clause("CC-46")
@pytest.mark.parametrize("cards", ["", "S", "SSS"])
def test_neither_fewer_nor_more_than_two_cards_are_lost(cards):
    asked_table("", "S5").when(1, SurrenderCards(cards=row(cards))).refused("CC-46")


@clause("CC-24")
@pytest.mark.parametrize("cards", ["DD", "DS"])
def test_cards_that_are_not_held_cannot_be_lost(cards):
    asked_table("", "S5").when(1, SurrenderCards(cards=row(cards))).refused("CC-24")


@clause("CC-6")
def test_cards_of_a_faction_that_is_not_in_play_are_refused_before_their_number():
    asked_table("", "S5").when(1, SurrenderCards(cards=row("P"))).refused("CC-6")


@clause("CC-47")
def test_a_seat_without_influence_cannot_lose_it():
    asked_table("", "S5").when(1, SurrenderInfluence()).refused("CC-47")


@clause("CC-48", "CC-R17")
@pytest.mark.parametrize(
    ("hand", "influence", "is_asked"),
    [("S3", 0, True), ("S10", 5, True), ("S2", 1, True), ("S2", 0, False), ("S1", 5, False), ("", 5, False)],
)
def test_the_mafia_asks_seats_whose_hand_size_and_influence_leave_a_choice(hand, influence, is_asked):
    table = asked_table("", hand, influence=(0, influence))
    assert bool(table.ruleset.awaited(table.position)) == is_asked
    assert (table.ruleset.due(table.position) is None) == is_asked


@clause("CC-48", "CC-R15")
@pytest.mark.parametrize(
    ("hand", "influence", "loss"),
    [
        ("D1 S1", 0, CardsDiscarded(seat=1, cards=row("DS"), reason="mafia")),
        ("D1", 1, InfluenceLost(seat=1, amount=1, total=0, source="mafia")),
        ("", 1, InfluenceLost(seat=1, amount=1, total=0, source="mafia")),
        ("D1", 0, CardsDiscarded(seat=1, cards=row("D"), reason="mafia")),
    ],
)
def test_a_seat_without_a_choice_loses_what_the_table_fixes(hand, influence, loss):
    table = asked_table("", hand, influence=(0, influence))
    table.when("referee", ResolveAnswers()).says(
        loss, TableCleared(cards=row("MMMM")), TurnEnded(seat=0, next_seat=1, actions_left=1)
    )


@clause("CC-48")
def test_a_seat_with_nothing_loses_nothing():
    asked_table("", "").when("referee", ResolveAnswers()).tells("table_cleared", "turn_ended")


@clause("CC-49")
def test_chosen_and_fixed_losses_are_carried_out_together_clockwise():
    table = asked_table("", "S1", "S4", "", answers=(None, None, surrenders("S2"), None), influence=(0, 2, 0, 1))
    table.when("referee", ResolveAnswers()).says(
        InfluenceLost(seat=1, amount=1, total=1, source="mafia"),
        CardsDiscarded(seat=2, cards=row("SS"), reason="mafia"),
        InfluenceLost(seat=3, amount=1, total=0, source="mafia"),
        TableCleared(cards=heap("M4")),
        TurnEnded(seat=0, next_seat=1, actions_left=1),
    )
