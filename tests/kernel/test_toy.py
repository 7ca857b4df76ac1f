"""The rules of the toy, clause by clause."""

from typing import Any

import pytest

from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE
from tests.clauses import clause
from tests.given import Given
from tests.toy import TOY
from tests.toy.bidding import Bid, BidMade, CardOffered, CardSold, CardThrownAway, OfferCard, RevealBids
from tests.toy.edition import EDITION
from tests.toy.haggling import CloseHaggling, CoinsShared, ShareCoins
from tests.toy.position import Options, Position, SeatState
from tests.toy.scoring import GameFinished, ScoreGame
from tests.toy.setup import SetUp
from tests.toy.turns import CardDrawn, DrawCard, MarketClosed, TurnStarted


def a_position(**changes: Any) -> Position:
    """Three seats, five coins each; the fish that nobody has lie in the deck."""
    seats = changes.pop("seats", (SeatState(hand=("carp",), coins=5),) * 3)
    table = {"phase": "turn", "active_seat": 0, "options": Options(), **changes}
    used = [fish for seat in seats for fish in (*seat.hand, *seat.bought)]
    used += [*table.get("thrown_away", ()), *([table["offer"]] if table.get("offer") else [])]
    deck = list(EDITION.deck)
    for fish in used:
        deck.remove(fish)
    return Position(seats=seats, deck=tuple(deck), **table)


def bidding(*bids: int | None, **changes: Any) -> Position:
    """Seat 0 offers an eel; the bids of the seats 1, 2 and so on."""
    others = tuple(SeatState(coins=5, bid=bid) for bid in bids)
    return a_position(phase="bidding", offer="eel", seats=(SeatState(coins=5), *others), **changes)


@clause("TY-S1")
@pytest.mark.parametrize("seats", [0, 1, 5])
def test_two_to_four_seats_play(seats: int) -> None:
    with pytest.raises(Rejection, match="TY-S1"):
        TOY.blank(Options(), seats)


@clause("TY-S2")
def test_the_first_seat_is_one_of_the_seats() -> None:
    with pytest.raises(Rejection, match="TY-S2"):
        TOY.blank(Options(first_seat=2), 2)


@clause("TY-S2", "TY-S3")
def test_the_set_up_deals_hands_and_coins() -> None:
    table = Given(TOY, TOY.blank(Options(), 2))
    then = table.when(REFEREE, SetUp(), ("draw_first_seat", 1), ("shuffle_deck", EDITION.deck))
    assert then.position.active_seat == 1
    assert then.position.seats == (
        SeatState(hand=EDITION.deck[:2], coins=5),
        SeatState(hand=EDITION.deck[2:4], coins=5),
    )
    assert then.position.deck == EDITION.deck[4:]


@clause("TY-1")
def test_a_finished_game_accepts_no_move() -> None:
    Given(TOY, a_position(phase="finished", turns=16)).when(0, DrawCard()).refused("TY-1")


@clause("TY-2")
@pytest.mark.parametrize("move", [{"type": "swim"}, {"type": "offer_card"}, {"type": "draw_card", "card": "eel"}])
def test_a_move_is_known_and_has_its_parameters(move: dict[str, Any]) -> None:
    Given(TOY, a_position()).when(0, move).refused("TY-2")


@clause("TY-3")
def test_a_move_belongs_to_its_phase() -> None:
    Given(TOY, a_position()).when(0, Bid(coins=1)).refused("TY-3")


@clause("TY-4")
def test_only_an_awaited_seat_moves() -> None:
    Given(TOY, a_position()).when(1, DrawCard()).refused("TY-4")
    Given(TOY, bidding(1, 2)).when(1, Bid(coins=1)).refused("TY-4")
    Given(TOY, bidding(1, 2)).when(1, RevealBids()).refused("TY-4")
    Given(TOY, bidding(1, None)).when(REFEREE, RevealBids()).refused("TY-4")


@clause("TY-5", "TY-10")
def test_the_active_seat_draws_the_top_card() -> None:
    position = a_position()
    then = Given(TOY, position).when(0, DrawCard())
    then.says(CardDrawn(seat=0, card=position.deck[0]), TurnStarted(seat=1))


@clause("TY-5")
def test_nothing_is_drawn_into_a_full_hand() -> None:
    full = SeatState(hand=("carp", "pike", "eel"), coins=5)
    Given(TOY, a_position(seats=(full, full, full))).when(0, DrawCard()).refused("TY-5")


@clause("TY-6")
def test_only_a_fish_in_hand_is_offered() -> None:
    table = Given(TOY, a_position())
    table.when(0, OfferCard(card="eel")).refused("TY-6")
    table.when(0, OfferCard(card="carp")).says(CardOffered(seat=0, card="carp"))


@clause("TY-7", "TY-R1")
def test_the_others_bid_what_they_have() -> None:
    table = Given(TOY, bidding(None, None))
    table.when(1, Bid(coins=6)).refused("TY-7")
    table.when(1, Bid(coins=5)).says(BidMade(seat=1, coins=5)).when(2, Bid(coins=0)).says(BidMade(seat=2, coins=0))
    table.when(0, Bid(coins=1)).refused("TY-4")


@clause("TY-8")
def test_the_highest_bid_buys_and_the_first_of_equal_ones() -> None:
    then = Given(TOY, bidding(3, 4, 4)).when(REFEREE, RevealBids())
    after = then.says(CardSold(seat=0, buyer=2, card="eel", price=4)).position
    assert [seat.coins for seat in after.seats] == [9, 5, 1, 5]
    assert after.seats[2].bought == ("eel",)


@clause("TY-8")
def test_a_fish_without_a_bid_is_thrown_away() -> None:
    then = Given(TOY, bidding(0, 0)).when(REFEREE, RevealBids())
    assert then.says(CardThrownAway(seat=0, card="eel"), TurnStarted(seat=1)).position.thrown_away == ("eel",)


@clause("TY-9")
@pytest.mark.parametrize("shares", [(0, 0, 0), (1, 1, 0), (6, 0, 0), (1, 0), (1, 0, 0, 0)])
def test_coins_are_handed_out_to_others_only(shares: tuple[int, ...]) -> None:
    haggling = a_position(phase="haggling", buyer=1)
    Given(TOY, haggling).when(1, ShareCoins(shares=shares)).refused("TY-9")


@clause("TY-9")
def test_haggling_ends_with_a_gift_or_when_its_time_is_over() -> None:
    haggling = a_position(phase="haggling", buyer=1)
    gift = CoinsShared(seat=1, shares=(2, 0, 3))
    after = Given(TOY, haggling).when(1, ShareCoins(shares=(2, 0, 3))).says(gift, TurnStarted(seat=1)).position
    assert [seat.coins for seat in after.seats] == [7, 0, 8]
    assert TOY.due(haggling).after_ms == 1000 * EDITION.patience_s
    Given(TOY, haggling).when(REFEREE, CloseHaggling()).says(TurnStarted(seat=1))


@clause("TY-9")
def test_without_the_option_nobody_haggles() -> None:
    position = bidding(0, 2, options=Options(haggling=False))
    Given(TOY, position).when(REFEREE, RevealBids()).tells("card_sold", "turn_started")


@clause("TY-10")
def test_a_seat_that_can_do_nothing_is_passed_over() -> None:
    sold = ("carp",) * 3 + ("pike",) * 4 + ("eel",) * 4
    seats = (SeatState(coins=5, bought=sold), SeatState(coins=5), SeatState(hand=("carp",), coins=5))
    haggling = a_position(phase="haggling", buyer=1, seats=seats)
    Given(TOY, haggling).when(REFEREE, CloseHaggling()).says(TurnStarted(seat=2))


@clause("TY-11")
def test_the_game_ends_when_all_is_sold_or_the_time_is_up() -> None:
    seats = (SeatState(coins=5, bought=EDITION.deck), SeatState(coins=5))
    all_sold = a_position(phase="haggling", buyer=1, seats=seats)
    Given(TOY, all_sold).when(REFEREE, CloseHaggling()).says(MarketClosed(reason="sold_out"))
    late = a_position(phase="haggling", buyer=1, turns=15)
    Given(TOY, late).when(REFEREE, CloseHaggling()).says(MarketClosed(reason="time_up"))


@clause("TY-12", "TY-13")
def test_fish_and_coins_count_and_coins_break_a_tie() -> None:
    seats = (SeatState(coins=4, bought=("eel",)), SeatState(coins=7, bought=("carp",)), SeatState(coins=4))
    then = Given(TOY, a_position(phase="closing", turns=16, seats=seats)).when(REFEREE, ScoreGame())
    then.says(GameFinished(scores=(8, 8, 4), ranks=(2, 1, 3)))


@clause("TY-13")
def test_seats_that_are_equal_in_everything_share_a_rank() -> None:
    then = Given(TOY, a_position(phase="closing", turns=16)).when(REFEREE, ScoreGame())
    then.says(GameFinished(scores=(5, 5, 5), ranks=(1, 1, 1)))
