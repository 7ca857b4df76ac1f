"""Turns and the hand limit (sections 4.2 and 4.4)."""

import pytest

from referee.kernel.seat import Seat
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import listed, total
from referee.rulesets.catham_city.factions.robocats import PlayRobocats
from referee.rulesets.catham_city.factions.scientists import PlayScientists
from referee.rulesets.catham_city.piles import CardsDiscarded
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import ActionEnded, DiscardExcess, ExcessDue, TurnEnded
from referee.table.undo import Past, why_final
from tests.clauses import clause
from tests.rulesets.catham_city.tables import a_position, asked, given, gives, hand, heap, row


@clause("CC-7")
def test_seats_take_turns_clockwise():
    table = given("", "", "", market="D3 S4")
    seen = []
    for _ in range(7):
        seat = table.position.active_seat
        seen.append(seat)
        first = listed(table.position.market)[0]
        table = table.when(seat, TakeCards(faction=first, count=1)).tells(
            "cards_taken", "market_refilled", "turn_ended"
        )
    assert seen == [0, 1, 2, 0, 1, 2, 0]


@clause("CC-8")
def test_a_turn_is_one_action():
    then = given("", "", market="D7").when(0, TakeCards(faction="detective", count=1))
    assert then.event(TurnEnded) == TurnEnded(seat=0, next_seat=1, actions_left=1)


@clause("CC-8", "CC-R24")
def test_an_expert_turn_is_exactly_two_actions_even_of_the_same_kind():
    table = given("S6", "", expert=True, actions_left=2)
    then = table.when(0, PlayScientists())
    assert then.event(ActionEnded) == ActionEnded(seat=0, actions_left=1)
    again = then.tells("cards_played", "influence_gained", "cards_drawn", "table_cleared", "action_ended")
    again.when(1, TakeCards(faction="detective", count=1)).refused("CC-4")
    then = again.when(0, PlayScientists())
    assert then.event(TurnEnded) == TurnEnded(seat=0, next_seat=1, actions_left=2)


@clause("CC-8", "CC-10", "CC-R24")
def test_the_excess_of_the_first_action_is_discarded_before_the_second_begins():
    table = given("D10", "", market="S7", expert=True, actions_left=2)
    over = table.when(0, TakeCards(faction="scientist", count=1)).tells("cards_taken", "market_refilled", "excess_due")
    assert over.position.actions_left == 2
    over.when(0, PlayScientists()).refused("CC-3")
    over.when(0, DiscardExcess(cards=row("D"))).says(
        CardsDiscarded(seat=0, cards=row("D"), reason="excess"), ActionEnded(seat=0, actions_left=1)
    )


@clause("CC-9", "CC-R6")
def test_there_is_no_passing():
    table = given("", "", market="D7")
    table.when(0, {"type": "pass"}).refused("CC-2")
    table.when(0, {"type": "decline"}).refused("CC-3")
    assert table.legal(0) == tuple(TakeCards(faction="detective", count=count) for count in range(1, 8))


@clause("CC-10", "CC-25")
def test_the_table_is_cleared_before_the_hand_limit_applies():
    then = given("R2 D8", "").when(0, PlayRobocats(mode="draw"))
    after = then.tells("cards_played", "cards_drawn", "table_cleared", "excess_due").position
    assert total(after.table) == 0
    assert listed(after.discard_pile) == heap("R2")
    assert after.pending is None


@clause("CC-16", "CC-R9")
def test_the_limit_is_applied_once_after_the_whole_effect():
    table = given(
        "S10",
        "D2",
        "D2",
        "M2",
        factions="JDSMH",
        phase="journalists_answers",
        on_table="J2",
        pending=asked(None, gives("D"), gives("D"), gives("M")),
    )
    then = table.when("referee", {"type": "resolve_answers"})
    assert then.events[-1] == ExcessDue(seat=0, count=3)
    assert hand(then.position, 0) == heap("D2 S10 M1")


@clause("CC-16")
def test_ten_cards_are_not_too_many():
    given("D9", "", market="S7").when(0, TakeCards(faction="scientist", count=1)).tells(
        "cards_taken", "market_refilled", "turn_ended"
    )


@clause("CC-17")
@pytest.mark.parametrize("cards", ["", "S", "SSS", "DDDD"])
def test_neither_fewer_nor_more_cards_than_the_excess_are_discarded(cards):
    table = given("D9 S3", "", phase="discard_excess")
    table.when(0, DiscardExcess(cards=row(cards))).refused("CC-17")


@clause("CC-17", "CC-R34")
@pytest.mark.parametrize("cards", ["DD", "DS", "SD", "SS"])
def test_the_seat_chooses_which_cards_are_excess(cards):
    table = given("D9 S3", "", phase="discard_excess")
    then = table.when(0, DiscardExcess(cards=row(cards)))
    assert then.event(CardsDiscarded).cards == tuple(sorted(row(cards)))
    after = then.tells("cards_discarded", "turn_ended").position
    assert total(after.seats[0].hand) == 10
    assert sorted(listed(after.discard_pile)) == sorted(row(cards))


@clause("CC-17")
def test_no_other_move_is_possible_before_the_excess_is_discarded():
    table = given("D9 S3", "", phase="discard_excess")
    table.when(0, TakeCards(faction="detective", count=1)).refused("CC-3")
    table.when(1, DiscardExcess(cards=row("DD"))).refused("CC-4")


@clause("CC-24")
def test_excess_that_is_not_held_cannot_be_discarded():
    given("D9 S3", "", phase="discard_excess").when(0, DiscardExcess(cards=row("RR"))).refused("CC-24")
    given("D9 S1 R2", "", phase="discard_excess").when(0, DiscardExcess(cards=row("SS"))).refused("CC-24")


@clause("CC-6")
def test_excess_of_a_faction_that_is_not_in_play_is_refused_before_its_number():
    given("D9 S3", "", phase="discard_excess").when(0, DiscardExcess(cards=row("P"))).refused("CC-6")


@clause("CC-18")
def test_only_the_active_seat_can_be_over_the_limit():
    table = given("H4 D6", "S10")
    then = table.when(0, {"type": "play_hackers", "count": 4, "target": 1}, ("hackers_reveal", row("HHSS")))
    after = then.tells(
        "hackers_given", "hand_revealed", "influence_gained", "revealed_cards_taken", "table_cleared", "turn_ended"
    ).position
    assert total(after.seats[1].hand) == 10
    assert total(after.seats[0].hand) == 8


def test_cards_that_were_discarded_are_known_though_most_hands_could_have_held_them():
    position = a_position(("D3 S3 R4 M1", "D2"), phase="discard_excess")
    discard = Past(2, Seat(0), DiscardExcess(cards=heap("M1")), position, 0, None, None)
    assert why_final(CATHAM_CITY, (discard,)) == "Version 2 showed everybody something that was hidden before."
