"""The auction: opening it and turning cards (FF-29 to FF-36)."""

import pytest

from referee.kernel.judge import awaited_seats
from referee.kernel.seat import REFEREE
from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.auction import AuctionOpened, AuctionSkipped, CardAnnounced, CardRevealed
from referee.rulesets.fangfrisch.bell import Pass, Ring, ShowOffer
from referee.rulesets.fangfrisch.purchase import LotSold
from referee.rulesets.fangfrisch.selling import SellFish
from referee.rulesets.fangfrisch.turns import StepStarted, TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.fangfrisch.tables import an_auction, cards, given, seat

NOTHING = SellFish(lots=())


def awaited(table: Given) -> set[int]:
    return awaited_seats(FANGFRISCH, table.position)


@clause("FF-29", "FF-34")
def test_in_turn_pace_the_auction_opens_with_the_first_card() -> None:
    table = given(top="eel_1").when(0, NOTHING).says(AuctionOpened(seller=0), CardRevealed("eel_1", "offer"))
    assert table.position.phase == "auction"
    assert table.position.offer == ("eel_1",)


@clause("FF-29", "FF-42")
def test_in_live_pace_the_auction_opens_with_an_announcement_and_nobody_can_ring_yet() -> None:
    table = given(top="eel_1", pace="live").when(0, NOTHING).says(AuctionOpened(seller=0), CardAnnounced(seller=0))
    assert table.position.offer == ()
    assert awaited(table) == set()
    table.when(1, Ring(seen=0)).refused("FF-43")
    assert table.when(REFEREE, ShowOffer()).position.offer == ("eel_1",)


@clause("FF-34")
@pytest.mark.parametrize("card", ["octopus_3", "thief", "can"])
def test_jokers_and_action_cards_lie_in_the_offer_too(card: str) -> None:
    then = an_auction(top=card, pace="live").when(REFEREE, ShowOffer())
    assert then.events == (CardRevealed(card, "offer"),)
    assert then.position.offer == (*cards("eel_1 tuna_2"), card)


@clause("FF-30")
@pytest.mark.parametrize("pace", ["turn", "live"])
def test_with_four_or_five_seats_the_seller_does_not_ring(pace: str) -> None:
    for n in (4, 5):
        an_auction(n=n, pace=pace).when(0, Ring()).refused("FF-30")


@clause("FF-30")
def test_with_four_seats_the_seller_does_not_pass_either() -> None:
    table = an_auction()
    table.when(0, Pass()).refused("FF-30")
    assert awaited(table) == {1, 2, 3}


@clause("FF-30")
def test_with_three_seats_the_seller_takes_part() -> None:
    assert awaited(an_auction(n=3)) == {0, 1, 2}
    an_auction(n=3, pace="live").when(0, Ring(seen=2)).tells("answer_given")


@clause("FF-31", "FF-R7")
@pytest.mark.parametrize("move", [Ring(), Pass()])
def test_a_seat_without_ten_euros_takes_no_part(move: object) -> None:
    table = an_auction(seat(), seat(money=9), seat(money=10))
    table.when(1, move).refused("FF-31")
    table.when(2, move).tells("answer_given")
    assert awaited(table) == {2, 3}


@clause("FF-31", "FF-R8")
def test_a_poor_seat_sells_in_its_turn_and_earns_the_bonus() -> None:
    table = given(seat(money=0), seat(), seat(9), seat(9), top="eel_1").when(0, NOTHING)
    table = table.tells("auction_opened", "card_revealed")
    assert table.when(1, Ring()).position.seats[0].money == 1


@clause("FF-32", "FF-R9")
def test_no_auction_is_held_if_no_seat_may_take_part() -> None:
    """Example E11."""
    table = given(seat(45), seat(9), seat(4), seat(0), top="eel_1")
    table = table.when(0, NOTHING).says(AuctionSkipped(seller=0, idle_turns=1), TurnStarted(seller=1))
    assert table.position.deck[0] == "eel_1"
    table = table.when(1, NOTHING).tells("auction_opened", "card_revealed")
    assert awaited(table) == {0}
    assert table.position.idle_turns == 0


@clause("FF-32")
def test_the_seller_may_sell_its_way_out_of_an_idle_turn_only_with_three_seats() -> None:
    rich_stall = seat(0, basin="eel_3 eel_3 eel_3 eel_3")
    poor = [seat(0), seat(0), seat(0)]
    sale = {"type": "sell_fish", "lots": [{"slot": "basin"}]}
    given(rich_stall, *poor[:2], n=3).when(0, sale).tells("fish_sold", "auction_opened", "card_revealed")
    given(rich_stall, *poor).when(0, sale).tells("fish_sold", "auction_skipped", "turn_started")


@clause("FF-33", "FF-R9")
def test_a_whole_round_of_idle_turns_closes_the_market() -> None:
    table = given(seat(9), seat(9), seat(4), seat(0), idle_turns=3, seller=2)
    then = table.when(2, NOTHING)
    assert then.events == (AuctionSkipped(seller=2, idle_turns=4), StepStarted("closing", None))
    assert then.position.offer == ()


@clause("FF-33")
def test_the_market_stays_open_before_the_round_is_full() -> None:
    table = given(seat(9), seat(9), seat(4), seat(0), idle_turns=2)
    table.when(0, NOTHING).tells("auction_skipped", "turn_started")


@clause("FF-33")
def test_the_market_stays_open_while_one_seat_can_pay() -> None:
    table = given(seat(10), seat(9), seat(4), seat(0), idle_turns=7)
    table.when(0, NOTHING).tells("auction_skipped", "turn_started")


@clause("FF-35", "FF-46")
def test_if_end_phase_is_the_first_card_the_next_card_is_turned_too() -> None:
    """Example E9."""
    table = given(seat(), seat(), seat(9), seat(9), top="end_phase crab_1").when(0, NOTHING)
    assert table.events == (
        AuctionOpened(seller=0),
        CardRevealed("end_phase", "aside"),
        CardRevealed("crab_1", "offer"),
    )
    table = table.tells("auction_opened", "card_revealed", "card_revealed")
    assert table.when(1, Ring()).event(LotSold).bonus == 1


@clause("FF-35", "FF-R3", "FF-R21")
def test_end_phase_does_not_change_the_offer_and_all_seats_answer_again() -> None:
    table = an_auction(n=3, top="end_phase crab_1")
    table = table.when(0, Pass()).tells("answer_given").when(1, Pass()).tells("answer_given")
    table = table.when(2, Pass()).tells("answer_given", "answers_shown", "card_revealed")
    assert table.position.aside == ("end_phase",)
    assert table.position.offer == cards("eel_1 tuna_2")
    assert awaited(table) == {0, 1, 2}


@clause("FF-36")
def test_market_close_ends_the_auction_and_nobody_gets_the_offer() -> None:
    table = an_auction(top="market_close", pace="live")
    then = table.when(REFEREE, ShowOffer())
    assert then.events == (CardRevealed("market_close", "aside"), StepStarted("closing", None))
    table = then.tells("card_revealed", "step_started")
    assert [each.money for each in table.position.seats] == [30, 30, 30, 30]
    table.when(1, Ring()).refused("FF-1")


@clause("FF-36")
def test_market_close_ends_the_auction_in_turn_pace_as_part_of_the_last_answer() -> None:
    table = an_auction(seat(), seat(9), seat(9), seat(), top="market_close")
    table.when(3, Pass()).tells("answer_given", "answers_shown", "card_revealed", "step_started")


@clause("FF-36")
def test_market_close_may_be_the_first_card_of_an_auction() -> None:
    then = given(top="market_close").when(0, NOTHING)
    then.tells("auction_opened", "card_revealed", "step_started")


@clause("FF-11")
def test_the_discard_pile_is_never_shuffled_back() -> None:
    table = given(top="market_close", discard="eel_1 eel_2").when(0, NOTHING)
    assert table.position.discard == cards("eel_1 eel_2")
    assert not {"eel_1", "eel_2"} & {event.card for event in table.events if isinstance(event, CardRevealed)}
