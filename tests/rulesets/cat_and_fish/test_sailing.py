"""Sailing: CF-29 to CF-36."""

import pytest

from referee.rulesets.cat_and_fish.decks import MagicPlayed
from referee.rulesets.cat_and_fish.names import CORNERS
from referee.rulesets.cat_and_fish.position import Options
from referee.rulesets.cat_and_fish.sailing import PawnSailed, PawnWarped, Sail
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, given, later

BOAT = "fishing_boat"
FLEET = "fishing_boat fishing_vessel"
MAGE = "wizard sorcerer"


def sailing(cat: Cat, **rest: object) -> Given:
    return given(cat, Cat("c3", placed="oil"), **rest)


def destinations(table: Given, **how: object) -> list[str]:
    """Where plain sailing leads, or sailing with these boosts."""
    plain = Sail("c0", **how)
    return [
        move.to
        for move in table.legal(0)
        if isinstance(move, Sail) and (move.boosts, move.warp) == (plain.boosts, plain.warp)
    ]


@clause("CF-29", "CF-R13")
def test_pawns_share_corners_and_never_block() -> None:
    table = given(Cat("c2", placed="sailing", magic="engine"), Cat("c3", placed="oil"), Cat("c3", placed="oil"))
    after = table.when(0, Sail("c3")).says(PawnSailed(0, "c2", "c3")).position
    assert [state.pawn for state in after.seats] == ["c3", "c3", "c3"]
    table.when(0, Sail("c4", boosts=("engine",))).tells("magic_played", "pawn_sailed")


@clause("CF-30")
def test_a_pawn_must_sail_to_another_corner() -> None:
    sailing(Cat("c2", placed="sailing")).when(0, Sail("c2")).refused("CF-30")
    mage = Cat("c2", cards=MAGE, placed="sailing")
    sailing(mage).when(0, Sail("c2", warp="sorcerer")).refused("CF-30")


@clause("CF-31", "CF-R9", "CF-R11")
@pytest.mark.parametrize(
    ("pawn", "cards", "reached"),
    [
        ("c2", "", ["c1", "c3"]),
        ("c2", BOAT, ["c1", "c3", "a6"]),
        ("a5", BOAT, ["a4", "a6"]),
        ("a5", FLEET, ["a4", "a6", "b9"]),
        ("b9", FLEET, ["a5", "b10"]),
        ("a6", BOAT, ["c2", "a5", "a7"]),
    ],
)
def test_one_sailing_goes_one_edge_along_the_lines_that_are_open(pawn: str, cards: str, reached: list[str]) -> None:
    assert destinations(sailing(Cat(pawn, cards=cards, placed="sailing"))) == reached


@clause("CF-31", "CF-R10")
def test_lines_need_their_ships() -> None:
    sailing(Cat("c2", placed="sailing")).when(0, Sail("a6")).refused("CF-31")
    sailing(Cat("a5", cards=BOAT, placed="sailing")).when(0, Sail("b9")).refused("CF-31")


@clause("CF-32", "CF-R12", "CF-R50")
def test_no_pawn_sails_next_to_a_catastrophe() -> None:
    table = sailing(Cat("a6", cards=BOAT, placed="sailing"), typhoon="0,2")
    table.when(0, Sail("a7")).refused("CF-32")
    assert destinations(table) == ["c2", "a5"]
    sailing(Cat("b10", cards=FLEET, placed="sailing"), oil="0,2").when(0, Sail("b11")).refused("CF-32")


@clause("CF-32")
def test_the_monster_makes_the_coast_unsafe() -> None:
    table = given(Cat("c1", cards="summoner", placed="sailing"), Cat("c4", placed="oil"), year=4, monster="0,1")
    table.when(0, Sail("c2")).refused("CF-32")


@clause("CF-33", "CF-R24")
@pytest.mark.parametrize(
    ("boosts", "furthest"),
    [(("engine",), "c5"), (("wind",), "c5"), (("strong_wind",), "a15"), (("engine", "wind"), "a15")],
)
def test_boosts_sail_further_and_may_be_combined(boosts: tuple[str, ...], furthest: str) -> None:
    cat = Cat("c1", cards=BOAT, placed="sailing oil", magic="engine wind strong_wind")
    table = sailing(cat)
    table.when(0, Sail(furthest)).refused("CF-33")
    after = table.when(0, Sail(furthest, boosts=boosts)).says(
        *(MagicPlayed(0, boost) for boost in boosts), PawnSailed(0, "c1", furthest)
    )
    assert len(after.position.seats[0].magic) == 3 - len(boosts)
    assert after.position.seats[0].placed == ("oil",)


@clause("CF-33")
def test_a_shorter_way_spends_the_cards_all_the_same() -> None:
    table = sailing(Cat("c1", placed="sailing oil", magic="engine engine"))
    after = table.when(0, Sail("c2", boosts=("engine", "engine"))).tells("magic_played", "magic_played", "pawn_sailed")
    assert after.position.seats[0].magic == ()


@clause("CF-33", "CF-R12")
def test_every_corner_on_the_way_must_be_safe_and_accessible() -> None:
    table = sailing(Cat("a6", cards=BOAT, placed="sailing", magic="engine strong_wind"), typhoon="0,2")
    table.when(0, Sail("a9", boosts=("engine",))).refused("CF-33")
    table.when(0, Sail("a9", boosts=("strong_wind",))).tells("magic_played", "pawn_sailed")
    boat = sailing(Cat("c1", cards=BOAT, placed="sailing", magic="engine wind strong_wind"))
    assert "b4" not in destinations(boat, boosts=("engine", "wind", "strong_wind"))
    far = sailing(Cat("c1", placed="sailing", magic="strong_wind engine"))
    assert destinations(far, boosts=("engine", "strong_wind")) == ["c0", "c2", "c5", "c3", "c4"]


@clause("CF-33")
def test_a_pawn_that_warped_beyond_its_lines_sails_back_only_onto_lines_that_it_has() -> None:
    table = sailing(Cat("b10", cards=f"{BOAT} {MAGE}", money=0, placed="sailing", magic="engine"))
    assert destinations(table) == []
    assert destinations(table, boosts=("engine",)) == []
    table.when(0, Sail("a7", boosts=("engine",))).refused("CF-33")
    table.when(0, Sail("b11")).refused("CF-31")


@clause("CF-34", "CF-R20", "CF-R21")
def test_the_sorcerer_brings_the_pawn_to_any_safe_corner_for_two_euros() -> None:
    table = sailing(Cat("c1", cards=MAGE, money=2, placed="sailing oil"))
    after = table.when(0, Sail("b15", warp="sorcerer")).says(PawnWarped(0, "c1", "b15", paid=2))
    assert (after.position.seats[0].pawn, after.position.seats[0].money) == ("b15", 0)
    assert after.position.seats[0].placed == ("oil",)
    unsafe = ["b7", "b8", "b22", "b23"]
    assert destinations(table, warp="sorcerer") == [corner for corner in CORNERS if corner not in ("c1", *unsafe)]
    table.when(0, Sail("b7", warp="sorcerer")).refused("CF-32")


@clause("CF-34")
def test_the_sorcerer_is_needed_and_paid() -> None:
    wizard = Cat("c1", cards="wizard", placed="sailing")
    sailing(wizard).when(0, Sail("b15", warp="sorcerer")).refused("CF-34")
    poor = Cat("c1", cards=MAGE, money=1, placed="sailing")
    sailing(poor).when(0, Sail("b15", warp="sorcerer")).refused("CF-34")


@clause("CF-20", "CF-R20")
def test_the_sorcerer_needs_a_sailing_action() -> None:
    sailing(Cat("c1", cards=MAGE, placed="oil")).when(0, Sail("b15", warp="sorcerer")).refused("CF-20")


@clause("CF-35", "CF-54")
def test_the_card_warp_waives_the_fee() -> None:
    table = sailing(Cat("c1", cards=MAGE, money=0, magic="warp", placed="sailing oil"))
    after = table.when(0, Sail("b15", warp="warp")).says(MagicPlayed(0, "warp"), PawnWarped(0, "c1", "b15", paid=0))
    assert after.position.seats[0].magic == ()
    assert len(destinations(table, warp="warp")) == 49


@clause("CF-34", "CF-35", "CF-R22")
def test_the_card_warp_needs_the_sorcerer_all_the_same() -> None:
    table = sailing(Cat("c1", cards="wizard", magic="warp", placed="sailing"))
    table.when(0, Sail("b15", warp="warp")).refused("CF-34")


@clause("CF-54")
def test_cards_must_be_in_hand_as_often_as_named() -> None:
    table = sailing(Cat("c1", cards=MAGE, magic="engine", placed="sailing"))
    table.when(0, Sail("c3", boosts=("engine", "engine"))).refused("CF-54")
    table.when(0, Sail("c3", boosts=("wind",))).refused("CF-54")
    table.when(0, Sail("b15", warp="warp")).refused("CF-54")


@clause("CF-36")
def test_boosts_and_a_warp_cannot_be_combined() -> None:
    table = sailing(Cat("c1", cards=MAGE, magic="engine warp", placed="sailing"))
    table.when(0, Sail("c3", boosts=("engine",), warp="sorcerer")).refused("CF-36")
    table.when(0, Sail("c3", boosts=("engine",), warp="warp")).refused("CF-36")


def test_sailing_is_checked_in_the_order_of_the_rules() -> None:
    """Marker, combination, boosts, Sorcerer and fee, warp card, another corner, safety, access, route."""
    both = Sail("c1", boosts=("engine",), warp="warp")
    sailing(Cat("c1", placed="oil")).when(0, both).refused("CF-20")
    sailing(Cat("c1", placed="sailing")).when(0, both).refused("CF-36")
    sailing(Cat("c1", placed="sailing")).when(0, Sail("c1", boosts=("engine",))).refused("CF-54")
    sailing(Cat("c1", placed="sailing")).when(0, Sail("c1", warp="warp")).refused("CF-34")
    sailing(Cat("c1", cards=MAGE, placed="sailing")).when(0, Sail("c1", warp="warp")).refused("CF-54")
    sailing(Cat("c1", placed="sailing")).when(0, Sail("c1")).refused("CF-30")
    sailing(Cat("c1", placed="sailing")).when(0, Sail("b7")).refused("CF-32")
    sailing(Cat("c1", placed="sailing")).when(0, Sail("b15")).refused("CF-31")
    sailing(Cat("c1", placed="sailing")).when(0, Sail("c3")).refused("CF-33")


def test_boosts_are_listed_as_different_bags() -> None:
    table = sailing(Cat("c1", magic="engine wind engine", placed="sailing"))
    bags = {move.boosts for move in table.legal(0) if isinstance(move, Sail) and move.boosts}
    assert bags == {
        ("engine",),
        ("wind",),
        ("engine", "engine"),
        ("engine", "wind"),
        ("engine", "engine", "wind"),
    }


def test_the_monster_on_the_coast_can_be_sailed_around_with_a_boat() -> None:
    cat = Cat("c1", cards=f"{BOAT} summoner", placed="sailing", magic="strong_wind engine wind")
    table = given(cat, Cat("c5", placed="oil"), **later(monster="0,1"))
    table.when(0, Sail("c4", boosts=("strong_wind",))).tells("magic_played", "pawn_sailed")
    table.when(0, Sail("c4", boosts=("engine",))).refused("CF-33")


@clause("CF-89", "CF-R22")
def test_with_magic_for_all_the_card_warp_costs_the_fee_without_the_sorcerer() -> None:
    for_all = Options(magic_for_all=True)
    table = given(Cat("c1", money=2, magic="warp", placed="sailing oil"), Cat("c3"), options=for_all)
    table = table.when(0, Sail("b15", warp="warp")).says(MagicPlayed(0, "warp"), PawnWarped(0, "c1", "b15", paid=2))
    assert table.position.seats[0].money == 0
    table.ruleset.check(table.position)
    poor = given(Cat("c1", money=1, magic="warp", placed="sailing"), Cat("c3"), options=for_all)
    poor.when(0, Sail("b15", warp="warp")).refused("CF-89")
    poor.when(0, Sail("b15", warp="sorcerer")).refused("CF-34")
    without = given(Cat("c1", money=5, placed="sailing"), Cat("c3"), options=for_all)
    without.when(0, Sail("b15", warp="warp")).refused("CF-54")


@clause("CF-89")
def test_with_magic_for_all_the_card_warp_is_free_with_the_sorcerer() -> None:
    cat = Cat("c1", cards=MAGE, money=0, magic="warp", placed="sailing oil")
    table = given(cat, Cat("c3"), options=Options(magic_for_all=True))
    table.when(0, Sail("b15", warp="warp")).says(MagicPlayed(0, "warp"), PawnWarped(0, "c1", "b15", paid=0))
