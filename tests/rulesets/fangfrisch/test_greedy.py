"""What a plain but sensible player does."""

from referee.rulesets.fangfrisch import FANGFRISCH
from referee.rulesets.fangfrisch.advice.greedy import WORTH_RINGING, Player, is_worth
from referee.rulesets.fangfrisch.bell import Pass, Ring
from referee.rulesets.fangfrisch.canning import ClearTrash
from referee.rulesets.fangfrisch.selling import Lot, SellFish
from referee.rulesets.fangfrisch.stowing import Placement, StowCards
from referee.rulesets.fangfrisch.thieving import StealCards, Theft
from tests.greedy import advice
from tests.rulesets.fangfrisch.tables import a_position, bought, seat


def test_the_bell_is_rung_for_what_fits_the_stall():
    offer = {"phase": "auction", "offer": "eel_3 thief"}
    assert advice(FANGFRISCH, a_position(seat(), seat(basin="eel_3 eel_1"), **offer), 1) == Ring()
    assert advice(FANGFRISCH, a_position(seat(), seat(basin="crab_3 crab_1"), **offer), 1) == Pass()


def test_the_last_money_is_kept_for_something_better():
    offer = {"phase": "auction", "offer": "eel_3"}
    assert advice(FANGFRISCH, a_position(seat(), seat(20, basin="eel_3 eel_1"), **offer), 1) == Ring()
    assert advice(FANGFRISCH, a_position(seat(), seat(19, basin="eel_3 eel_1"), **offer), 1) == Pass()


def test_large_lots_are_sold_and_small_ones_only_in_need():
    stall = {"crate_1": "eel_3 eel_3 eel_1", "crate_2": "crab_3", "basin": "tuna_1"}
    assert advice(FANGFRISCH, a_position(seat(30, **stall)), 0) == SellFish(lots=(Lot("crate_1"),))
    small = {"crate_2": "crab_3", "basin": "tuna_1"}
    assert advice(FANGFRISCH, a_position(seat(30, **small)), 0) == SellFish(lots=())
    assert advice(FANGFRISCH, a_position(seat(5, **small)), 0) == SellFish(lots=(Lot("crate_2"),))


def test_the_best_lot_is_sold_first_and_a_small_one_only_if_that_is_not_enough():
    stall = {"crate_1": "crab_3", "crate_2": "tuna_3 tuna_2", "basin": "eel_3 eel_1"}
    assert advice(FANGFRISCH, a_position(seat(5, **stall)), 0) == SellFish(lots=(Lot("crate_2"),)), "7 euros, 12 in all"
    best_two = SellFish(lots=(Lot("crate_2"), Lot("basin")))
    assert advice(FANGFRISCH, a_position(seat(0, **stall)), 0) == best_two, "7 and 5 euros"


def test_everything_is_sold_in_the_end():
    position = a_position(seat(crate_1="eel_1", basin="crab_1"), phase="final_sale", aside="end_phase market_close")
    assert advice(FANGFRISCH, position, 0) == SellFish(lots=(Lot("crate_1"), Lot("basin")))


def test_a_thief_takes_what_the_buyer_collects():
    position = a_position(
        seat(),
        seat(crate_1="eel_2"),
        seat(crate_1="crab_3", crate_2="eel_2"),
        phase="thieving",
        purchase=bought(1, thieves=1),
    )
    assert advice(FANGFRISCH, position, 1) == StealCards(thefts=(Theft(2, "crate_2"),))


def test_a_new_species_goes_to_the_basin():
    position = a_position(seat(), seat(crate_1="eel_2"), phase="stowing", purchase=bought(1, "crab_3 eel_1"))
    assert advice(FANGFRISCH, position, 1) == StowCards(place=Placement(crate_1=("eel_1",), basin=("crab_3",)))


def test_a_can_takes_the_most_fish():
    position = a_position(seat(), seat(trash="eel_1 crab_3 tuna_2"), phase="canning", purchase=bought(1, cans=1))
    assert sorted(advice(FANGFRISCH, position, 1).cards) == ["crab_3", "tuna_2"]
    assert isinstance(advice(FANGFRISCH, position, 1), ClearTrash)


def test_a_lot_is_sold_earlier_if_that_spoils_fish_of_others():
    stall = {"crate_1": "eel_3 eel_3", "crate_2": "crab_3"}
    alone = a_position(seat(30, **stall), seat(), seat())
    shared = a_position(seat(30, **stall), seat(crate_1="eel_2"), seat(crate_2="eel_2"))
    assert advice(FANGFRISCH, alone, 0) == SellFish(lots=())
    assert advice(FANGFRISCH, shared, 0) == SellFish(lots=(Lot("crate_1"),))


def test_a_lot_may_be_worth_a_little_less_if_another_seat_collects_it():
    offer = {"phase": "auction", "offer": "eel_2"}
    stall = seat(basin="eel_3 eel_2")
    worth = Player(
        FANGFRISCH.edition, FANGFRISCH.view(a_position(seat(), stall, seat(), **offer), 1), 1
    ).worth_of_offer()
    assert worth == WORTH_RINGING - 1
    assert advice(FANGFRISCH, a_position(seat(), stall, seat(), **offer), 1) == Pass()
    assert advice(FANGFRISCH, a_position(seat(), stall, seat(crate_1="eel_1"), **offer), 1) == Ring()
    assert advice(FANGFRISCH, a_position(seat(), stall, seat(9, crate_1="eel_1"), **offer), 1) == Pass()


def test_the_bell_is_rung_for_the_same_offers_in_both_paces():
    stall = seat(basin="eel_3 eel_1")
    views = [
        FANGFRISCH.view(a_position(seat(), stall, phase="auction", offer=offer), 1)
        for offer in ("eel_2 crab_1", "eel_3 crab_1")
    ]
    worths = [Player(FANGFRISCH.edition, view, 1).prospects(Ring()) for view in views]
    assert worths == [(-3,), (2,)]
    assert [is_worth(view, 1, Ring(), FANGFRISCH.edition) for view in views] == [False, True]


def worth_of_offer(offer, stall, *others):
    view = FANGFRISCH.view(a_position(seat(), stall, *others, phase="auction", offer=offer), 1)
    return Player(FANGFRISCH.edition, view, 1).worth_of_offer()


def test_a_thief_counts_for_the_card_that_it_would_steal_now():
    stall = seat(basin="eel_3 eel_1")
    assert worth_of_offer("eel_2 thief", stall) == 5, "nobody else has a card"
    assert worth_of_offer("eel_2 thief", stall, seat(crate_1="eel_2 crab_1")) == 5 + 1
    assert worth_of_offer("eel_2 thief", stall, seat(crate_1="crab_1 eel_1")) == 5 + 5
    assert worth_of_offer("eel_2 thief thief", stall, seat(crate_1="eel_1", basin="crab_1")) == 5 + 5 + 1
    position = a_position(seat(), stall, seat(crate_1="eel_1"), phase="auction", offer="eel_2 thief")
    assert advice(FANGFRISCH, position, 1) == Ring()
    position = a_position(seat(), stall, seat(), phase="auction", offer="eel_2 thief")
    assert advice(FANGFRISCH, position, 1) == Pass()


def test_a_can_counts_for_the_cards_in_the_trash_that_it_can_remove():
    assert worth_of_offer("can", seat()) == 0
    assert worth_of_offer("can", seat(trash="eel_1")) == 2, "the cards lie face down, so each counts for two fish"
    assert worth_of_offer("can", seat(trash="eel_1 eel_2 eel_3")) == 4
    assert worth_of_offer("can can", seat(trash="eel_1 eel_2 eel_3")) == 6
