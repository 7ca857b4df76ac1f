"""Typhoon, oil and monster on the move: CF-55 to CF-58, CF-65, CF-79 to CF-81."""

import pytest

from referee.rulesets.cat_and_fish.catastrophes import (
    CatastropheMoved,
    MonsterPlaced,
    MoveMonster,
    MoveOil,
    MoveTyphoon,
    PlaceMonster,
)
from referee.rulesets.cat_and_fish.decks import MagicPlayed
from referee.rulesets.cat_and_fish.flight import FishLost, PawnFled, PenaltyPaid
from referee.rulesets.cat_and_fish.names import HEXES
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, awaited, given, later

OTHER = Cat("c3", placed="oil")


def moving(placed: str, magic: str = "", **rest: object) -> Given:
    return given(Cat("c0", placed=placed, magic=magic), OTHER, **rest)


def summoning(**rest: object) -> Given:
    return given(Cat("c0", cards="summoner", placed="summoner"), OTHER, **later(**rest))


def to_place(*cats: Cat, **rest: object) -> Given:
    cats = cats or (Cat("c0", cards="summoner"), Cat("c3"))
    return given(*cats, phase="monster", season="winter", **{"year": 3, **rest})


@clause("CF-55")
def test_the_typhoon_moves_exactly_one_step() -> None:
    table = moving("typhoon oil", tiles={"2,0": "salmon"})
    assert [move.to for move in table.legal(0) if isinstance(move, MoveTyphoon)] == ["2,0", "3,-1", "2,1"]
    table.when(0, MoveTyphoon("3,0")).refused("CF-55")
    table.when(0, MoveTyphoon("1,1")).refused("CF-55")
    after = table.when(0, MoveTyphoon("2,0")).says(CatastropheMoved(0, "typhoon", "3,0", "2,0", "salmon")).position
    assert after.typhoon == "2,0"
    assert after.seats[0].placed == ("oil",)


@clause("CF-55")
def test_the_oil_moves_exactly_one_step() -> None:
    table = moving("oil typhoon", tiles={"-2,0": "salmon"})
    assert [move.to for move in table.legal(0) if isinstance(move, MoveOil)] == ["-2,0", "-3,1", "-2,-1"]
    table.when(0, MoveOil("-3,0")).refused("CF-55")
    table.when(0, MoveOil("-1,-1")).refused("CF-55")
    after = table.when(0, MoveOil("-2,0")).says(CatastropheMoved(0, "oil", "-3,0", "-2,0", "salmon")).position
    assert after.oil == "-2,0"


@clause("CF-54", "CF-55")
def test_storm_goes_one_or_two_steps() -> None:
    table = moving("typhoon oil", magic="storm", tiles={"1,1": "salmon"})
    after = table.when(0, MoveTyphoon("1,1", storm=True)).says(
        MagicPlayed(0, "storm"), CatastropheMoved(0, "typhoon", "3,0", "1,1", "salmon")
    )
    assert after.position.seats[0].magic == ()
    table.when(0, MoveTyphoon("2,0", storm=True)).tells("magic_played", "catastrophe_moved")
    table.when(0, MoveTyphoon("3,0", storm=True)).refused("CF-55")
    table.when(0, MoveTyphoon("0,2", storm=True)).refused("CF-55")
    with_storm = [move.to for move in table.legal(0) if isinstance(move, MoveTyphoon) and move.storm]
    assert with_storm == ["2,0", "3,-1", "2,1", "2,-1", "1,1", "3,-2", "1,2"]


@clause("CF-55", "CF-R26")
def test_storm_does_not_strike_the_hex_passed() -> None:
    """The only way from 3,0 to 1,2 leads over 2,1, which b9 touches."""
    cat = Cat("b9", cards="fishing_boat fishing_vessel", placed="typhoon oil", magic="storm", store="tuna")
    table = given(cat, OTHER, typhoon="3,0", tiles={"2,1": "whale", "1,2": "tuna"}, empty="2,0")
    after = table.when(0, MoveTyphoon("1,2", storm=True)).says(
        MagicPlayed(0, "storm"), CatastropheMoved(0, "typhoon", "3,0", "1,2", "tuna")
    )
    assert after.position.board["2,1"] == "whale"
    assert after.position.seats[0].store == ("tuna",)


@clause("CF-55", "CF-57")
def test_storm_passes_no_hex_that_may_not_be_entered() -> None:
    """From 3,-3 to 1,-2 the ways lead over 2,-2, 2,-3 and nothing else."""
    free = moving("typhoon", magic="storm", typhoon="3,-3")
    free.when(0, MoveTyphoon("1,-2", storm=True)).tells("magic_played", "catastrophe_moved")
    barred = given(
        Cat("c2", cards="summoner", placed="typhoon", magic="storm"),
        Cat("c3", placed="oil"),
        **later(typhoon="3,-3", oil="2,-2", monster="2,-3"),
    )
    barred.when(0, MoveTyphoon("1,-2", storm=True)).refused("CF-55")


@clause("CF-55", "CF-56")
def test_storm_passes_no_hex_of_zone_1() -> None:
    """From 1,-2 two ways lead to 2,-1: over 2,-2, and over 1,-1 in zone 1."""
    seas = {"typhoon": "1,-2", "oil": "-3,0"}
    free = given(Cat("c3", placed="typhoon", magic="storm"), OTHER, **seas)
    free.when(0, MoveTyphoon("2,-1", storm=True)).tells("magic_played", "catastrophe_moved")
    barred = given(Cat("c3", placed="typhoon", magic="storm"), OTHER, **{**seas, "oil": "2,-2"})
    barred.when(0, MoveTyphoon("2,-1", storm=True)).refused("CF-55")


@clause("CF-56", "CF-R50")
def test_typhoon_and_oil_stay_out_of_zone_1() -> None:
    table = moving("typhoon oil", typhoon="2,0", oil="-2,0")
    table.when(0, MoveTyphoon("1,0")).refused("CF-56")
    table.when(0, MoveOil("-1,0")).refused("CF-56")
    assert [move.to for move in table.legal(0) if isinstance(move, MoveTyphoon)] == [
        "2,-1",
        "1,1",
        "3,-1",
        "3,0",
        "2,1",
    ]


@clause("CF-57", "CF-R52")
def test_two_catastrophes_never_lie_on_one_hex() -> None:
    table = moving("typhoon oil", typhoon="2,0", oil="3,0")
    table.when(0, MoveTyphoon("3,0")).refused("CF-57")
    table.when(0, MoveOil("2,0")).refused("CF-57")
    monster = summoning(monster="2,0", oil="1,1")
    monster.when(0, MoveMonster("3,0")).refused("CF-57")
    monster.when(0, MoveMonster("1,1")).refused("CF-57")


@clause("CF-58")
@pytest.mark.parametrize("tile", ["tuna", "pink_bone", "pink_treasure"])
def test_any_tile_on_the_hex_entered_is_discarded_and_the_hex_left_stays_empty(tile: str) -> None:
    table = moving("typhoon oil", tiles={"2,1": tile}, discards="shark")
    after = table.when(0, MoveTyphoon("2,1")).says(CatastropheMoved(0, "typhoon", "3,0", "2,1", tile)).position
    assert after.discards.pink == ("shark", tile)
    assert after.board["2,1"] is after.board["3,0"] is None


@clause("CF-58")
def test_an_empty_hex_has_nothing_to_discard() -> None:
    table = moving("typhoon oil", empty="2,1")
    table.when(0, MoveTyphoon("2,1")).says(CatastropheMoved(0, "typhoon", "3,0", "2,1", None))


@clause("CF-65")
def test_the_monster_moves_one_step_in_all_zones() -> None:
    table = summoning(monster="-1,2", empty="-1,1")
    steps = ["0,1", "-1,1", "0,2", "-2,2", "-1,3", "-2,3"]
    assert [move.to for move in table.legal(0) if isinstance(move, MoveMonster)] == steps
    table.when(0, MoveMonster("-1,2")).refused("CF-55")
    table.when(0, MoveMonster("-1,0")).refused("CF-55")
    table.when(0, MoveMonster("-1,1")).says(
        CatastropheMoved(0, "monster", "-1,2", "-1,1", None), PenaltyPaid(1, "monster", 2), PawnFled(1, "c3", "c2")
    )


@clause("CF-65")
def test_a_victim_of_the_monster_pays_loses_a_fish_and_flees() -> None:
    cats = (Cat("c0", cards="summoner", placed="summoner oil"), Cat("c3", money=5, store="crab green_bone"))
    table = given(*cats, **later(monster="-1,2", tiles={"0,1": "shrimp"}))
    then = table.when(0, MoveMonster("0,1"))
    then.says(
        CatastropheMoved(0, "monster", "-1,2", "0,1", "shrimp"),
        PenaltyPaid(1, "monster", 2),
        FishLost(1, "monster", "crab"),
        PawnFled(1, "c3", "c4"),
    )
    assert then.position.seats[1].store == ("green_bone",)
    assert then.position.seats[0].placed == ("oil",)


@clause("CF-20")
def test_a_catastrophe_needs_a_marker_on_its_space() -> None:
    table = moving("fishing")
    table.when(0, MoveTyphoon("2,0")).refused("CF-20")
    table.when(0, MoveOil("-2,0")).refused("CF-20")
    table.when(0, MoveMonster("-2,0")).refused("CF-20")


@clause("CF-54")
def test_storm_must_be_in_hand() -> None:
    moving("typhoon").when(0, MoveTyphoon("2,0", storm=True)).refused("CF-54")


def test_moves_of_catastrophes_are_checked_in_the_order_of_the_rules() -> None:
    """Marker, card, zone, other catastrophe, steps."""
    moving("oil").when(0, MoveTyphoon("1,0", storm=True)).refused("CF-20")
    moving("typhoon").when(0, MoveTyphoon("1,0", storm=True)).refused("CF-54")
    moving("typhoon").when(0, MoveTyphoon("1,0")).refused("CF-56")
    moving("typhoon").when(0, MoveTyphoon("-3,0")).refused("CF-57")
    moving("typhoon").when(0, MoveTyphoon("-2,0")).refused("CF-55")


@clause("CF-79", "CF-R38")
def test_the_new_owner_of_the_summoner_must_place_the_monster() -> None:
    table = to_place()
    assert awaited(table) == [0]
    table.when(1, PlaceMonster("0,3")).refused("CF-3")
    table.when(0, {"type": "end_turn"}).refused("CF-2")


@clause("CF-79", "CF-80", "CF-81", "CF-R37")
def test_the_monster_is_lifted_and_placed_again_where_neither_typhoon_nor_oil_is() -> None:
    table = to_place(year=4, monster="0,3", tiles={"0,-3": "tuna"})
    open_hexes = [hex for hex in HEXES if hex not in ("3,0", "-3,0")]
    assert [move.hex for move in table.legal(0)] == open_hexes
    then = table.when(0, PlaceMonster("0,-3"))
    then.says(MonsterPlaced(0, "0,3", "0,-3", "tuna"))
    assert then.position.phase == "year_end"
    assert then.position.monster == "0,-3"
    assert then.position.discards.pink == ("tuna",)
    assert then.position.board["0,3"] is None
    table.when(0, PlaceMonster("0,3")).says(MonsterPlaced(0, "0,3", "0,3", None))


@clause("CF-80")
@pytest.mark.parametrize("hex", ["3,0", "-3,0"])
def test_the_monster_is_not_placed_on_typhoon_or_oil(hex: str) -> None:
    to_place().when(0, PlaceMonster(hex)).refused("CF-80")


@clause("CF-81")
def test_placing_the_monster_strikes_clockwise_from_the_placing_seat() -> None:
    cats = (Cat("c0", money=1), Cat("c0", cards="summoner"), Cat("c1"))
    table = to_place(*cats, tiles={"1,-1": "crab"})
    table = table.when(1, PlaceMonster("1,-1")).says(
        MonsterPlaced(1, None, "1,-1", "crab"),
        PenaltyPaid(1, "monster", 2),
        PenaltyPaid(2, "monster", 2),
        PenaltyPaid(0, "monster", 1),
        PawnFled(1, "c0", "c5"),
        PawnFled(2, "c1", "c2"),
        PawnFled(0, "c0", "c5"),
    )
    assert table.position.phase == "year_end"


@clause("CF-55")
def test_a_storm_that_is_false_is_as_if_left_out() -> None:
    table = given(Cat(placed="typhoon", magic="storm"), Cat("c3"))
    table.when(0, {"type": "move_typhoon", "to": "1,1", "storm": False}).refused("CF-55")
    after = table.when(0, {"type": "move_typhoon", "to": "2,0", "storm": False}).position
    assert after.seats[0].magic == ("storm",)
