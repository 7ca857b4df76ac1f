"""The bell in both paces (FF-37 to FF-44)."""

from typing import Any

import pytest

from referee.kernel.audience import redact, redact_move
from referee.kernel.chance import Derived, Forced, Seeded
from referee.kernel.ruleset import Due
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.auction import CardAnnounced, CardRevealed
from referee.rulesets.fangfrisch.bell import AnswerGiven, AnswersShown, CloseBell, Pass, RevealCard, Ring, ShowOffer
from referee.rulesets.fangfrisch.position import LastLot
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
@pytest.mark.parametrize("buyer", [1, 3])
def test_luck_draws_the_buyer_among_the_seats_that_rang(buyer: int) -> None:
    table = an_auction(seat(), RANG, PASSED, seat())
    then = table.when(3, Ring(), ("draw_buyer", [buyer]))
    assert then.event(LotSold).buyer == buyer
    assert [each.money for each in then.position.seats] == [32] + [20 if each == buyer else 30 for each in (1, 2, 3)]


@clause("FF-39")
def test_a_seat_that_rings_alone_buys_without_luck() -> None:
    chance = Forced((), Seeded(0))
    events, _ = FANGFRISCH.play(an_auction(seat(), RANG, PASSED, seat()).position, 3, Pass(), chance)
    assert [event.buyer for event in events if isinstance(event, LotSold)] == [1]
    assert chance.drawn == []


@clause("FF-39", "FF-R5")
def test_every_seat_that_rings_buys_about_equally_often() -> None:
    """FF-39 once gave the lot to the next seller: 81 of 100 contested lots."""
    position, rounds = an_auction(seat(), RANG, RANG, seat()).position, 3000
    won = [0, 0, 0, 0]
    for number in range(rounds):
        events, _ = FANGFRISCH.play(position, 3, Ring(), Derived(b"key", number))
        won[next(event.buyer for event in events if isinstance(event, LotSold))] += 1
    error = (rounds * (1 / 3) * (2 / 3)) ** 0.5
    assert won[0] == 0
    assert all(abs(each - rounds / 3) < 3 * error for each in won[1:]), won


@clause("FF-39", "FF-R6")
@pytest.mark.parametrize("buyer", [0, 2])
def test_with_three_seats_the_seller_is_drawn_like_the_others(buyer: int) -> None:
    then = an_auction(RANG, PASSED, seat(), n=3).when(2, Ring(), ("draw_buyer", [buyer]))
    assert then.event(LotSold).buyer == buyer


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


@clause("FF-41")
def test_in_live_pace_rings_compete_until_the_referee_closes_the_bell() -> None:
    table = live().when(3, Ring(seen=2)).says(AnswerGiven(3, "ring")).when(1, Ring(seen=2)).says(AnswerGiven(1, "ring"))
    due = FANGFRISCH.due(table.position)
    assert due == Due(CloseBell(), after_ms=300, runs_on=True)
    for buyer in (1, 3):
        then = table.when(REFEREE, CloseBell(), ("draw_buyer", [buyer]))
        assert then.event(AnswersShown).answers == (None, "ring", None, "ring")
        assert then.event(LotSold).buyer == buyer
    then.tells("answers_shown", "lot_sold", "step_started").when(1, Ring(seen=2)).refused("FF-1")


@clause("FF-41")
def test_a_ring_while_a_card_is_announced_counts_for_the_offer_that_lies_there() -> None:
    table = live(is_announced=True, top="crab_1").when(1, Ring(seen=2)).tells("answer_given")
    table.when(REFEREE, ShowOffer()).refused("FF-42")
    table.when(0, RevealCard(seen=2)).refused("FF-42")
    then = table.when(REFEREE, CloseBell())
    assert then.event(LotSold).hand == ("eel_1", "tuna_2")
    assert then.position.deck[0] == "crab_1"
    assert not then.position.is_announced


@clause("FF-41", "FF-45")
def test_without_a_window_the_first_ring_buys_the_offer_as_it_lies() -> None:
    table = live(top="crab_1", bell_window_ms=0)
    table.when(3, Ring(seen=2)).tells("lot_sold", "step_started").when(1, Ring(seen=2)).refused("FF-1")
    table = table.when(REFEREE, ShowOffer()).tells("card_revealed")
    assert len(table.when(1, Ring(seen=3)).event(LotSold).hand) == 3


@clause("FF-41")
def test_a_bell_that_nobody_rang_is_not_closed() -> None:
    live().when(REFEREE, CloseBell()).refused("FF-41")


@clause("FF-38")
def test_in_live_pace_too_a_seat_rings_once_for_an_offer() -> None:
    live(seat(), RANG).when(1, Ring(seen=2)).refused("FF-38")


@clause("FF-41")
def test_in_live_pace_nobody_passes() -> None:
    live().when(1, Pass()).refused("FF-41")
    live().when(0, Pass()).refused("FF-41")


@clause("FF-42")
def test_in_live_pace_the_seller_announces_a_card_and_the_referee_shows_it() -> None:
    table = live(top="crab_1").when(0, RevealCard(seen=2)).says(CardAnnounced(0))
    assert FANGFRISCH.due(table.position) == Due(ShowOffer(), after_ms=300)
    table.when(0, RevealCard(seen=2)).refused("FF-42")
    table = table.when(REFEREE, ShowOffer()).says(CardRevealed("crab_1", "offer"))
    assert not table.position.is_announced
    for actor in (1, REFEREE):
        live().when(actor, RevealCard(seen=2)).refused("FF-2")
    live().when(0, ShowOffer()).refused("FF-2")
    live(seat(), RANG).when(1, CloseBell()).refused("FF-2")


@clause("FF-42", "FF-R38")
def test_nobody_can_know_a_card_before_it_is_shown() -> None:
    events = live(top="crab_1").when(0, RevealCard(seen=2)).events
    assert "crab_1" not in str(events)


@clause("FF-42")
def test_in_turn_pace_nobody_turns_cards_by_hand() -> None:
    for actor in (REFEREE, 0, 1):
        for move in (RevealCard(), ShowOffer(), CloseBell()):
            an_auction().when(actor, move).refused("FF-42")
    an_auction().when(1, {"type": "reveal_card", "seen": "two"}).refused("FF-42")


@clause("FF-43", "FF-R30")
@pytest.mark.parametrize("seen", [-1, 0, 1, 3, 10**18])
def test_a_move_for_another_offer_is_stale(seen: int) -> None:
    live().when(1, Ring(seen=seen)).refused("FF-43")
    live().when(0, RevealCard(seen=seen)).refused("FF-43")
    an_auction().when(1, Ring(seen=seen)).refused("FF-43")
    an_auction().when(1, Pass(seen=seen)).refused("FF-43")


@clause("FF-43")
def test_in_live_pace_a_move_must_name_its_offer() -> None:
    live().when(1, Ring()).refused("FF-43")
    live().when(0, RevealCard()).refused("FF-43")
    live().when(1, Ring(seen=2)).tells("answer_given")


@clause("FF-43", "FF-R30")
def test_offers_of_equal_size_have_different_numbers() -> None:
    """A late ring for an offer of two cards never buys the two cards of a later auction."""
    later = an_auction(pace="live", discard="crab_1 crab_2", last_lot=LastLot(2, 3, 2))
    assert later.position.offer_number == 4
    later.when(1, Ring(seen=2)).refused("FF-43")
    later.when(1, Ring(seen=4)).tells("answer_given")


@clause("FF-3")
@pytest.mark.parametrize("seen", ["2", 2.5, None, True, [2]])
def test_seen_is_an_integer(seen: object) -> None:
    an_auction().when(1, {"type": "ring", "seen": seen}).refused("FF-3")
    live().when(0, {"type": "reveal_card", "seen": seen}).refused("FF-3")


@clause("FF-44", "FF-R31")
def test_the_seller_waits_before_it_announces_the_next_card() -> None:
    decisions = {each.seat: each for each in FANGFRISCH.awaited(live().position)}
    assert decisions.keys() == {0, 1, 2, 3}
    assert decisions[0].moves == ("reveal_card",)
    assert (decisions[0].not_before_s, decisions[0].not_before_clause) == (2, "FF-44")
    assert all(each.moves == ("ring",) and each.not_before_s == 0 for each in decisions.values() if each.seat)
    assert all(each.race_ms == (300 if each.seat else None) for each in decisions.values())
    assert not any(each.obliged for each in decisions.values())


@clause("FF-44", "FF-R6")
def test_with_three_seats_the_sellers_ring_does_not_wait() -> None:
    decisions = FANGFRISCH.awaited(live(n=3).position)
    assert [(each.seat, each.moves, each.not_before_s) for each in decisions] == [
        (0, ("ring",), 0),
        (0, ("reveal_card",), 2),
        (1, ("ring",), 0),
        (2, ("ring",), 0),
    ]


@clause("FF-44")
def test_with_three_seats_a_seller_without_ten_euros_only_announces_cards() -> None:
    seller, *_ = FANGFRISCH.awaited(live(seat(money=9), n=3).position)
    assert seller.moves == ("reveal_card",)


@clause("FF-44")
@pytest.mark.parametrize(("seconds", "after_ms"), [(1, 2000), (2, 2000), (4, 4000), (60, 60_000)])
def test_the_referees_card_is_due_after_the_seconds_agreed_but_no_sooner_than_the_sellers(
    seconds: int, after_ms: int
) -> None:
    assert FANGFRISCH.due(live(reveal_seconds=seconds).position) == Due(ShowOffer(), after_ms=after_ms)
    assert FANGFRISCH.due(an_auction(reveal_seconds=seconds).position) is None
