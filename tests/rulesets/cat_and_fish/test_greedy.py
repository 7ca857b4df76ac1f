"""The choices of the greedy player and its three plans."""

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import settle
from referee.rulesets.cat_and_fish import CAT_AND_FISH
from referee.rulesets.cat_and_fish.advice.plans import PLANS
from referee.rulesets.cat_and_fish.board import TOUCHES, ZONE_OF
from referee.rulesets.cat_and_fish.catastrophes import PlaceMonster
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.names import HEXES
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import DuesCall, Options
from referee.rulesets.cat_and_fish.sailing import Sail
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.editions import editions_of
from tests.greedy import advice
from tests.rulesets.cat_and_fish.tables import Cat, a_position


@pytest.mark.parametrize(
    ("plan", "card"), [("gear", "fishing_net"), ("ships", "fishing_boat"), ("both", "fishing_boat")]
)
def test_each_plan_buys_its_first_card_first(plan, card):
    rich = Cat("c0", money=9)
    assert advice(CAT_AND_FISH, a_position(rich, Cat("c3"), phase="placement"), 0, plan) == PlaceMarker(space="buying")
    position = a_position(Cat("c0", money=9, placed="buying fishing"), Cat("c3"))
    assert advice(CAT_AND_FISH, position, 0, plan) == Buy(card=card)


def next_card(plan, cards):
    """The card that a rich seat with these cards buys next by a plan, or None."""
    position = a_position(Cat("c0", money=30, cards=cards, placed="buying"), Cat("c3"))
    move = advice(CAT_AND_FISH, position, 0, plan)
    return move.card if isinstance(move, Buy) else None


@pytest.mark.parametrize("plan", PLANS)
def test_each_plan_buys_all_its_cards_in_order_and_no_other(plan):
    cards = []
    while (card := next_card(plan, " ".join(cards))) is not None:
        cards.append(card)
    assert tuple(cards) == PLANS[plan]


def test_the_plans_differ_in_gear_and_ships_only():
    gear, ships = {"fishing_net", "fisherman"}, {"fishing_boat", "fishing_vessel"}
    assert [set(PLANS[plan]) & (gear | ships) for plan in ("gear", "ships", "both")] == [
        gear,
        ships,
        {"fishing_net", "fishing_boat"},
    ]
    assert len({frozenset(cards) - gear - ships for cards in PLANS.values()}) == 1


def test_a_card_is_skipped_that_the_seat_may_never_buy():
    """In an edition with three nets for four seats, the Fisherman is out of reach without one."""
    short = editions_of(CAT_AND_FISH)["short"]
    owners = [Cat(corner, cards="fishing_net") for corner in ("c2", "c3", "c5")]
    cat = Cat("c0", money=30, cards="membership cold_storage merchant", placed="buying")
    position = a_position(cat, *owners, edition=short.edition)
    assert advice(short, position, 0, "gear") == Buy(card="black_market")


def test_a_seat_saves_for_the_next_card_of_its_plan():
    position = a_position(Cat("c0", money=5, placed="buying fishing"), Cat("c3"))
    assert not isinstance(advice(CAT_AND_FISH, position, 0, "gear"), Buy)


@pytest.mark.parametrize(
    ("cards", "fitting"),
    [
        ("", ["gear", "ships", "both"]),
        ("membership", ["gear", "ships", "both"]),
        ("fishing_net", ["gear", "both"]),
        ("fishing_boat", ["ships", "both"]),
        ("fishing_net fisherman", ["gear"]),
        ("fishing_boat fishing_vessel merchant", ["ships"]),
        ("fishing_boat fishing_net wizard", ["both"]),
        ("fishing_boat fishing_vessel fishing_net", []),
    ],
)
def test_a_plan_is_recognised_by_the_cards_of_a_seat(cards, fitting):
    view = CAT_AND_FISH.view(a_position(Cat("c0", cards=cards), Cat("c3")), 0)
    plans = CAT_AND_FISH.advice.plans
    assert [name for name in plans if plans[name].fits(view, 0, CAT_AND_FISH.edition)] == fitting


@pytest.mark.parametrize("plan", PLANS)
def test_a_seat_keeps_its_plan_for_a_whole_game(plan):
    """The cards that a seat of this plan owns fit the plan at every moment."""
    chance = Seeded(plan)
    position = settle(CAT_AND_FISH, CAT_AND_FISH.blank(CAT_AND_FISH.variants[0], 3), chance)
    while awaited := CAT_AND_FISH.awaited(position):
        seat = awaited[0].seat
        view = CAT_AND_FISH.view(position, seat)
        assert CAT_AND_FISH.advice.plans[plan].fits(view, seat, CAT_AND_FISH.edition)
        _, position = CAT_AND_FISH.play(position, seat, advice(CAT_AND_FISH, position, seat, plan), chance)
        position = settle(CAT_AND_FISH, position, chance)
    bought = {card.kind for state in position.seats for card in state.cards} - {"fishing_rod", "summoner"}
    assert set(PLANS[plan][:4]) <= bought <= set(PLANS[plan])


def test_ships_leave_the_coast_as_soon_as_they_are_bought():
    position = a_position(Cat("c0", money=5, placed="buying"), Cat("c3", placed="fishing"), phase="placement")
    assert advice(CAT_AND_FISH, position, 0, "ships") == PlaceMarker(space="sailing")
    position = a_position(Cat("c0", cards="fishing_boat", placed="sailing"), Cat("c3"))
    assert advice(CAT_AND_FISH, position, 0, "ships") == Sail(to="a0")


def test_ships_sail_on_towards_the_best_fish():
    cards = "fishing_boat fishing_vessel"
    for pawn, to in (("a1", {"b1"}), ("b1", {"b0", "b2"})):
        position = a_position(Cat(pawn, cards=cards, placed="sailing"), Cat("c3"))
        assert advice(CAT_AND_FISH, position, 0, "ships").to in to


def test_a_corner_that_is_fished_empty_is_left():
    empty = "1,-2 2,-3 1,-3"
    ship = Cat("b0", cards="fishing_boat fishing_vessel", money=0)
    position = a_position(ship, Cat("c3"), phase="placement", empty=empty, treasure_deck=())
    assert advice(CAT_AND_FISH, position, 0, "ships") == PlaceMarker(space="sailing")
    sailing = Cat("b0", cards="fishing_boat fishing_vessel", money=0, placed="sailing")
    position = a_position(sailing, Cat("c3", placed="oil"), phase="placement", empty=empty, treasure_deck=())
    assert advice(CAT_AND_FISH, position, 0, "ships") == PlaceMarker(space="fishing")


def idle(**rest):
    """A seat whose second marker finds nothing to fish, to sell or to buy."""
    coast = {"money": 0, "placed": "selling", **rest}
    return Cat(**{"pawn": "c0", **coast})


def second_marker(cat, plan, **rest):
    position = a_position(
        cat, Cat("c3", placed="fishing"), phase="placement", empty=" ".join(HEXES), treasure_deck=(), **rest
    )
    return advice(CAT_AND_FISH, position, 0, plan).space


def test_no_magic_is_drawn_that_the_seat_cannot_use():
    deck = "engine wind good_haul change warp storm blank"
    assert second_marker(idle(), "gear", magic_deck=deck) in ("typhoon", "oil")
    ship = idle(pawn="a0", cards="fishing_boat")
    assert second_marker(ship, "ships", magic_deck=deck) == "magic_library"
    assert second_marker(ship, "ships", magic_deck="change warp storm blank") in ("typhoon", "oil")


def test_change_and_warp_are_drawn_by_those_who_can_use_them():
    assert second_marker(idle(), "gear", magic_deck="change warp") in ("typhoon", "oil")
    assert second_marker(idle(cards="wizard"), "gear", magic_deck="change warp") == "magic_library"
    assert second_marker(idle(cards="wizard sorcerer"), "gear", magic_deck="change warp") == "magic_library"
    for_all = Options(magic_for_all=True)
    assert second_marker(idle(), "gear", magic_deck="change warp", options=for_all) == "magic_library"


def test_a_catastrophe_is_chosen_where_it_strikes_another_seat():
    victim = Cat("b8", cards="fishing_boat fishing_vessel", placed="fishing")
    position = a_position(idle(), victim, phase="placement", empty=" ".join(HEXES), treasure_deck=(), typhoon="3,-1")
    assert advice(CAT_AND_FISH, position, 0, "gear") == PlaceMarker(space="typhoon")
    striker = Cat("c0", placed="typhoon")
    move = advice(CAT_AND_FISH, a_position(striker, victim, typhoon="3,-1"), 0, "gear")
    assert move.to in TOUCHES["b8"]


def test_good_haul_is_played_where_the_corner_is_empty():
    ship = Cat("b0", cards="fishing_boat fishing_vessel", magic="good_haul", placed="fishing")
    move = advice(CAT_AND_FISH, a_position(ship, Cat("c3"), empty="1,-2 2,-3 1,-3"), 0, "ships")
    assert (move.good_haul, ZONE_OF[move.hex]) == (True, 3)


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
    assert advice(CAT_AND_FISH, full, 0, "gear") == Sell(tiles=("tuna", "tuna"))
