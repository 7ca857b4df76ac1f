"""Fishing: CF-23 to CF-28."""

import pytest

from referee.rulesets.cat_and_fish.board import FISHING_DISTANCE
from referee.rulesets.cat_and_fish.decks import MagicPlayed
from referee.rulesets.cat_and_fish.fishing import Fish, FishCaught, TreasureFished
from referee.rulesets.cat_and_fish.names import HEXES
from referee.rulesets.cat_and_fish.restocking import HexesRestocked
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.cat_and_fish.tables import Cat, given


def fishing(cat: Cat, **rest: object) -> Given:
    return given(cat, Cat("c3", placed="oil"), **rest)


@clause("CF-23")
@pytest.mark.parametrize(
    ("cards", "store"),
    [("", "crab pink_bone"), ("", "whale whale"), ("cold_storage", "crab crab green_bone whale")],
)
def test_a_full_store_forbids_fishing_even_a_treasure(cards: str, store: str) -> None:
    table = fishing(Cat(cards=cards, store=store, placed="fishing"), tiles={"1,-1": "green_treasure"})
    table.when(0, Fish("1,-1")).refused("CF-23")


@clause("CF-23")
def test_cold_storage_has_four_places() -> None:
    table = fishing(Cat(cards="cold_storage", store="crab crab green_bone", placed="fishing"))
    assert len(table.when(0, Fish("1,-1")).tells("fish_caught").position.seats[0].store) == 4


@clause("CF-24", "CF-R15")
@pytest.mark.parametrize(("cards", "reach"), [("", 1), ("fishing_net", 2), ("fishing_net fisherman", 3)])
def test_better_gear_reaches_further_and_everything_nearer(cards: str, reach: int) -> None:
    table = fishing(Cat("c0", cards=cards, placed="fishing"))
    near = {hex for hex in HEXES if FISHING_DISTANCE["c0"][hex] <= reach and table.position.board[hex] is not None}
    assert {move.hex for move in table.legal(0) if isinstance(move, Fish)} == near
    for hex in HEXES:
        if FISHING_DISTANCE["c0"][hex] > reach:
            table.when(0, Fish(hex)).refused("CF-24")


@clause("CF-24", "CF-R14")
def test_the_rod_reaches_two_hexes_from_the_coast_and_three_from_a_line() -> None:
    coast = fishing(Cat("c0", placed="fishing"))
    assert [move.hex for move in coast.legal(0)[:-1]] == ["1,-1", "0,-1"]
    line = fishing(Cat("a0", cards="fishing_boat", placed="fishing"))
    assert [move.hex for move in line.legal(0)[:-1]] == ["1,-1", "0,-1", "1,-2"]


@clause("CF-24", "CF-R16")
def test_nobody_fishes_across_the_island() -> None:
    fishing(Cat("c0", cards="fishing_net", placed="fishing")).when(0, Fish("0,1")).refused("CF-24")


@clause("CF-25")
def test_the_hex_must_hold_a_tile() -> None:
    fishing(Cat("c0", placed="fishing"), empty="1,-1").when(0, Fish("1,-1")).refused("CF-25")
    beside = Cat("b6", cards="fishing_boat fishing_vessel fishing_net", placed="fishing")
    fishing(beside).when(0, Fish("3,0")).refused("CF-25")


@clause("CF-26", "CF-R17")
def test_the_tile_is_turned_up_and_kept_even_a_bone() -> None:
    table = fishing(Cat(store="crab", placed="fishing oil"), tiles={"0,-1": "green_bone"})
    table = table.when(0, Fish("0,-1")).says(FishCaught(0, "0,-1", "green_bone"))
    assert table.position.seats[0].store == ("crab", "green_bone")
    assert table.position.seats[0].placed == ("oil",)
    assert table.position.board["0,-1"] is None


@clause("CF-27")
def test_a_treasure_pays_two_euros_and_is_discarded() -> None:
    table = fishing(Cat(placed="fishing oil", money=1), tiles={"0,-1": "green_treasure"}, discards="crab")
    table = table.when(0, Fish("0,-1")).says(TreasureFished(0, "0,-1", "green_treasure", 2))
    assert table.position.seats[0].money == 3
    assert table.position.seats[0].store == ()
    assert table.position.seats[0].placed == ("oil",)
    assert table.position.discards.green == ("crab", "green_treasure")


@clause("CF-28", "CF-54", "CF-R27")
def test_good_haul_fills_the_empty_hexes_around_the_pawn_and_one_of_them_may_be_fished() -> None:
    cat = Cat("a0", cards="fishing_boat", magic="good_haul wind", placed="fishing oil")
    table = fishing(cat, empty="1,-1 1,-2 1,0 0,-2", piles="squid salmon")
    table = table.when(0, Fish("1,-2", good_haul=True)).says(
        MagicPlayed(0, "good_haul"),
        HexesRestocked("green", ("1,-1",), ("squid",)),
        HexesRestocked("blue", ("1,-2",), ("salmon",)),
        FishCaught(0, "1,-2", "salmon"),
    )
    assert table.position.seats[0].magic == ("wind",)
    assert table.position.board["1,-1"] == "squid"
    assert table.position.board["1,0"] is table.position.board["0,-2"] is None


@clause("CF-28")
def test_good_haul_needs_an_empty_hex_around_the_pawn() -> None:
    cat = Cat("c0", magic="good_haul", placed="fishing")
    fishing(cat, empty="1,0").when(0, Fish("1,-1", good_haul=True)).refused("CF-28")


@clause("CF-28")
def test_good_haul_fills_no_hex_under_a_catastrophe() -> None:
    sea = {"year": 4, "monster": "1,1", "empty": "0,1"}
    fleet = "fishing_boat summoner fishing_net"
    cat = Cat("a8", cards=fleet, magic="good_haul", placed="fishing oil")
    table = fishing(cat, **sea)
    assert table.when(0, Fish("0,1", good_haul=True)).event(HexesRestocked).hexes == ("0,1",)


@clause("CF-28")
def test_good_haul_may_fish_a_tile_that_was_there_before() -> None:
    cat = Cat("c0", magic="good_haul", placed="fishing oil")
    table = fishing(cat, empty="1,-1", tiles={"0,-1": "crab"})
    table.when(0, Fish("0,-1", good_haul=True)).tells("magic_played", "hexes_restocked", "fish_caught")


@clause("CF-54")
def test_good_haul_must_be_in_hand() -> None:
    fishing(Cat(magic="wind", placed="fishing"), empty="1,-1").when(0, Fish("1,-1", good_haul=True)).refused("CF-54")


def test_fishing_is_checked_in_the_order_of_the_rules() -> None:
    """Marker, store, card, hexes to fill, distance, tile."""
    haul = Fish("0,3", good_haul=True)
    fishing(Cat(placed="oil", store="crab crab")).when(0, haul).refused("CF-20")
    fishing(Cat(placed="fishing", store="crab crab")).when(0, haul).refused("CF-23")
    fishing(Cat(placed="fishing")).when(0, haul).refused("CF-54")
    fishing(Cat(placed="fishing", magic="good_haul"), empty="0,3").when(0, haul).refused("CF-28")
    fishing(Cat(placed="fishing", magic="good_haul"), empty="0,3 1,-1").when(0, haul).refused("CF-24")
    net = Cat(placed="fishing", cards="fishing_net", magic="good_haul")
    fishing(net, empty="1,-2 1,-1").when(0, Fish("1,-2", good_haul=True)).refused("CF-25")


def test_fishing_with_good_haul_is_listed() -> None:
    table = fishing(Cat("c0", magic="good_haul", placed="fishing"), empty="1,-1")
    assert table.legal(0)[:-1] == (Fish("0,-1"), Fish("1,-1", good_haul=True), Fish("0,-1", good_haul=True))


@clause("CF-28")
def test_a_good_haul_that_is_false_is_as_if_left_out() -> None:
    table = given(Cat(placed="fishing oil", magic="good_haul"), Cat("c3"), tiles={"1,-1": "crab"}, empty="0,-1")
    table = table.when(0, {"type": "fish", "hex": "1,-1", "good_haul": False}).says(FishCaught(0, "1,-1", "crab"))
    assert table.position.seats[0].magic == ("good_haul",)
