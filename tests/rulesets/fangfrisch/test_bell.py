"""The bell in both paces (FF-37 to FF-44)."""

from typing import Any

import pytest

from referee.kernel.audience import redact, redact_move
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.auction import CardRevealed
from referee.rulesets.fangfrisch.bell import AnswerGiven, AnswersShown, Pass, RevealCard, Ring
from referee.rulesets.fangfrisch.purchase import LotSold
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import an_auction, seat

RANG, PASSED = seat(answer="ring"), seat(answer="pass")


def live(*seats: Any, **rest: Any) -> Given:
    return an_auction(*seats, pace="live", **rest)


@clause("FF-37")
def test_seats_answer_in_any_order() -> None:
    for order in ((1, 2, 3), (3, 1, 2), (2, 3, 1)):
        table = an_auction(top="crab_1")
        for each in order[:-1]:
            table = table.when(each, Pass()).says(AnswerGiven(each, "pass"))
        table = table.when(order[-1], Pass()).tells("answer_given", "answers_shown", "card_revealed")
        assert table.position.offer[-1] == "crab_1"


@clause("FF-38")
@pytest.mark.parametrize("move", [Ring(), Pass()])
def test_an_answer_is_final(move: object) -> None:
    an_auction(seat(), PASSED).when(1, move).refused("FF-38")


@clause("FF-38", "FF-R36")
def test_an_answer_stays_hidden_until_all_are_shown() -> None:
    given = AnswerGiven(2, "ring")
    assert redact(given, 2) == given
    for reader in (0, 1, 3, None):
        assert not isinstance(redact(given, reader).answer, str)
        assert redact_move(Ring(), 2, reader) is redact_move(Pass(), 2, reader) is None
    assert redact_move(Ring(seen=3), 2, 2) == {"type": "ring", "seen": 3}


@clause("FF-39", "FF-R5")
@pytest.mark.parametrize(("seller", "buyer"), [(0, 1), (1, 3), (2, 3), (3, 1)])
def test_the_ringing_seat_nearest_to_the_left_of_the_seller_buys(seller: int, buyer: int) -> None:
    seats = [PASSED, RANG, PASSED, RANG]
    seats[seller] = seat()
    last = next(each for each in (2, 0) if each != seller)
    seats[last] = seat()
    then = an_auction(*seats, seller=seller).when(last, Pass())
    assert then.event(LotSold).buyer == buyer
    assert then.position.seats[4 - buyer].money == 30 + (2 if 4 - buyer == seller else 0)


@clause("FF-39", "FF-R6")
def test_the_seller_is_served_last() -> None:
    assert an_auction(RANG, PASSED, seat(), n=3).when(2, Ring()).event(LotSold).buyer == 2
    assert an_auction(RANG, PASSED, seat(), n=3).when(2, Pass()).event(LotSold).buyer == 0


@clause("FF-39")
def test_the_answers_are_shown_by_seat() -> None:
    then = an_auction(seat(), RANG, seat(9), seat()).when(3, Pass())
    assert then.event(AnswersShown).answers == (None, "ring", None, "pass")
    assert all(each.answer is None for each in then.position.seats)


@clause("FF-40")
def test_when_nobody_rang_the_next_card_is_turned_and_all_answer_anew() -> None:
    table = an_auction(seat(), PASSED, PASSED, seat(), top="crab_1")
    then = table.when(3, Pass())
    assert then.events[-1] == CardRevealed("crab_1", "offer")
    then.tells("answer_given", "answers_shown", "card_revealed").when(1, Ring()).tells("answer_given")


@clause("FF-41", "FF-45")
def test_in_live_pace_the_first_ring_buys_the_offer_as_it_lies() -> None:
    table = live(top="crab_1")
    table.when(3, Ring()).tells("lot_sold", "step_started").when(1, Ring()).refused("FF-1")
    table = table.when(REFEREE, RevealCard()).tells("card_revealed")
    assert len(table.when(1, Ring()).event(LotSold).hand) == 3


@clause("FF-41")
def test_in_live_pace_nobody_passes() -> None:
    live().when(1, Pass()).refused("FF-41")
    live().when(0, Pass()).refused("FF-41")


@clause("FF-42")
def test_in_live_pace_the_referee_and_the_seller_turn_cards() -> None:
    for actor in (REFEREE, 0):
        live(top="crab_1").when(actor, RevealCard()).says(CardRevealed("crab_1", "offer"))
    live().when(1, RevealCard()).refused("FF-2")


@clause("FF-42")
def test_in_turn_pace_nobody_turns_cards_by_hand() -> None:
    for actor in (REFEREE, 0, 1):
        an_auction().when(actor, RevealCard()).refused("FF-42")
    an_auction().when(1, {"type": "reveal_card", "seen": "two"}).refused("FF-42")


@clause("FF-43", "FF-R30")
@pytest.mark.parametrize("seen", [-1, 0, 1, 3, 10**18])
def test_a_move_for_another_offer_is_stale(seen: int) -> None:
    live().when(1, Ring(seen=seen)).refused("FF-43")
    live().when(0, RevealCard(seen=seen)).refused("FF-43")
    live().when(REFEREE, RevealCard(seen=seen)).refused("FF-43")
    an_auction().when(1, Ring(seen=seen)).refused("FF-43")
    an_auction().when(1, Pass(seen=seen)).refused("FF-43")


@clause("FF-43")
def test_a_move_that_names_the_offer_as_it_lies_is_fresh() -> None:
    live().when(1, Ring(seen=2)).tells("lot_sold", "step_started")
    live().when(REFEREE, RevealCard(seen=2)).tells("card_revealed")
    an_auction().when(1, Pass(seen=2)).tells("answer_given")


@clause("FF-3")
@pytest.mark.parametrize("seen", ["2", 2.5, None, True, [2]])
def test_seen_is_an_integer(seen: object) -> None:
    an_auction().when(1, {"type": "ring", "seen": seen}).refused("FF-3")
    live().when(0, {"type": "reveal_card", "seen": seen}).refused("FF-3")


@clause("FF-44", "FF-R31")
def test_the_seller_waits_before_it_turns_the_next_card() -> None:
    decisions = {each.seat: each for each in FANGFRISCH.awaited(live().position)}
    assert decisions.keys() == {0, 1, 2, 3}
    assert decisions[0].moves == ("reveal_card",)
    assert (decisions[0].not_before_s, decisions[0].not_before_clause) == (1, "FF-44")
    assert all(each.moves == ("ring",) and each.not_before_s == 0 for each in decisions.values() if each.seat)
    assert not any(each.obliged for each in decisions.values())


@clause("FF-44")
def test_with_three_seats_the_sellers_ring_waits_as_well() -> None:
    seller, *others = FANGFRISCH.awaited(live(n=3).position)
    assert seller.moves == ("ring", "reveal_card")
    assert (seller.not_before_s, seller.not_before_clause) == (1, "FF-44")
    assert [each.not_before_s for each in others] == [0, 0]


@clause("FF-44")
def test_with_three_seats_a_seller_without_ten_euros_only_turns_cards() -> None:
    seller, *_ = FANGFRISCH.awaited(live(seat(money=9), n=3).position)
    assert seller.moves == ("reveal_card",)


@clause("FF-44")
@pytest.mark.parametrize("seconds", [1, 4, 60])
def test_the_referees_card_is_due_after_the_seconds_agreed(seconds: int) -> None:
    due = FANGFRISCH.due(live(reveal_seconds=seconds).position)
    assert due is not None
    assert (due.move, due.after_s) == (RevealCard(), seconds)
    assert FANGFRISCH.due(an_auction(reveal_seconds=seconds).position) is None
