"""The choices of the greedy player."""

from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.board import TOUCHES, ZONE_OF
from referee.rulesets.cat_and_fish.catastrophes import PlaceMonster
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import DuesCall
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from tests.greedy import advice
from tests.rulesets.cat_and_fish.tables import Cat, a_position


def test_gear_comes_first():
    assert advice(CAT_AND_FISH, a_position(phase="placement"), 0) == PlaceMarker(space="buying")
    position = a_position(Cat("c0", placed="buying fishing"), Cat("c3"))
    assert advice(CAT_AND_FISH, position, 0) == Buy(card="fishing_net")


def test_no_card_is_bought_too_late_to_pay_off():
    position = a_position(phase="placement", year=5)
    assert advice(CAT_AND_FISH, position, 0) != PlaceMarker(space="buying")


def test_the_farthest_zone_in_reach_is_fished():
    position = a_position(Cat("c0", cards="fishing_net", placed="fishing"), Cat("c3"))
    assert ZONE_OF[advice(CAT_AND_FISH, position, 0).hex] == 2


def test_a_full_store_is_sold():
    seats = Cat("c0", money=0, store="tuna shark"), Cat("c3")
    assert advice(CAT_AND_FISH, a_position(*seats, phase="placement"), 0) == PlaceMarker(space="selling")
    seats = Cat("c0", store="tuna pink_bone", placed="selling fishing"), Cat("c3")
    assert advice(CAT_AND_FISH, a_position(*seats), 0) == Sell(tiles=("tuna", "pink_bone"))


def test_a_fish_waits_for_a_better_season():
    position = a_position(Cat("c0", store="crab tuna", placed="selling"), Cat("c3"), season="summer")
    assert advice(CAT_AND_FISH, position, 0) == Sell(tiles=("tuna",))


def test_cheap_fish_pay_the_dues():
    def due(store):
        call = DuesCall(seats=(0,), answers={})
        return a_position(Cat("c0", store=store), Cat("c3"), phase="dues", season="winter", pending=call)

    assert advice(CAT_AND_FISH, due("tuna crab"), 0) == PayDues(with_="fish", tile="crab")
    assert advice(CAT_AND_FISH, due("tuna salmon"), 0) == PayDues(with_="money")


def test_the_monster_strikes_others_only():
    position = a_position(Cat("c0", cards="summoner"), Cat("c2"), Cat("c2"), phase="monster", season="winter", year=3)
    assert advice(CAT_AND_FISH, position, 0) == PlaceMonster(hex="1,0")


def test_a_thief_takes_the_dearest_fish():
    position = a_position(Cat("c0", placed="thief"), Cat("c3", store="crab shark"), season="winter", thief=0)
    assert advice(CAT_AND_FISH, position, 0) == Steal(seat=1, tile="shark")


def test_the_monster_spares_its_master_among_many():
    crowd = [Cat("c0", cards="summoner"), Cat("c0"), Cat("c0"), Cat("c0")]
    position = a_position(*crowd, phase="monster", season="winter", year=3)
    assert advice(CAT_AND_FISH, position, 0).hex not in TOUCHES["c0"]


def test_a_full_store_is_sold_before_anything_is_bought():
    full = a_position(Cat("c0", money=4, store="tuna tuna", placed="selling buying"), Cat("c3"))
    assert advice(CAT_AND_FISH, full, 0) == Sell(tiles=("tuna", "tuna"))
