"""Fish and the Council: EP-98 to EP-103, EP-106."""

from typing import Any

import pytest

from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished
from referee.rulesets.explorers_and_pirates.missions.council import GoodsDelivered
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, FishCaught, FishDieRolled, RollFish
from referee.rulesets.explorers_and_pirates.missions.tracks import MarkerAdvanced
from referee.rulesets.explorers_and_pirates.movement import MoveShip, ShipMoved
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

SHOAL = {"up": {"5,-1": "fish2"}}


def fishing(ships: dict[str, str] | None = None, **parts: Any) -> Given:
    return a_table(seat(ships=ships), seat(), phase="movement", **{**SHOAL, **parts})


@clause("EP-99", "EP-100")
def test_the_fish_die_puts_a_fish_on_its_shoal() -> None:
    table = fishing()
    after = table.when(0, RollFish(), ("fish_die", 2)).says(FishDieRolled(seat=0, die=2, hex="5,-1"))
    assert (after.position.fish, after.position.this_turn.fish_rolled) == (("5,-1",), True)
    after.when(0, RollFish()).refused("EP-99")
    table.when(0, RollFish(), ("fish_die", 3)).says(FishDieRolled(seat=0, die=3, hex=None))


@clause("EP-100")
def test_a_fish_or_a_pirate_keeps_another_fish_away() -> None:
    fishing(fish=("5,-1",)).when(0, RollFish(), ("fish_die", 2)).says(FishDieRolled(seat=0, die=2, hex=None))
    fishing(pirate=(1, "5,-1")).when(0, RollFish(), ("fish_die", 2)).says(FishDieRolled(seat=0, die=2, hex=None))


@clause("EP-99")
@pytest.mark.parametrize("scenario", ["land-ho", "pirate-lairs"])
def test_without_the_mission_there_is_no_fish_die(scenario: str) -> None:
    table = a_table(seat(), seat(), phase="movement", scenario=scenario)
    table.when(0, RollFish()).refused("EP-99")
    assert RollFish() not in table.legal(0)


@clause("EP-99")
def test_nobody_rolls_the_fish_die_while_all_six_fish_are_in_use() -> None:
    basins = {"2,0,N": "fish", "1,3,N": "fish", "4,-3,S": "fish"}
    ships = {"1-1": "4,0,NW fish", "1-2": "4,0,NW fish"}
    table = a_table(seat(harbors=basins), seat(ships=ships), phase="movement", fish=("5,-1",), **SHOAL)
    table.when(0, RollFish()).refused("EP-99")


@clause("EP-99", "EP-73", "EP-R14")
def test_rolling_the_fish_die_finishes_the_current_ship() -> None:
    table = fishing({"0-1": "4,0,NW"}, voyages={"0-1": {"used": 1}}, turn={"current_ship": "0-1"})
    after = table.when(0, RollFish(), ("fish_die", 2)).says(
        ShipFinished(seat=0, ship="0-1"), FishDieRolled(seat=0, die=2, hex="5,-1")
    )
    after.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).refused("EP-73")
    after.when(0, CatchFish(ship="0-1", hex="5,-1")).tells("fish_caught")


@clause("EP-101", "EP-30")
def test_an_empty_ship_that_points_at_a_shoal_takes_its_fish() -> None:
    table = fishing({"0-1": "4,0,NW", "0-2": "2,0,NE", "0-3": "4,0,NE unit"}, fish=("5,-1",))
    after = table.when(0, CatchFish(ship="0-1", hex="5,-1")).says(FishCaught(seat=0, ship="0-1", hex="5,-1"))
    assert (after.position.fish, after.position.seats[0].ships["0-1"].cargo) == ((), ("fish",))
    after.when(0, MoveShip(ship="0-1", path=("4,0,NE",))).tells("ship_moved")
    table.when(0, CatchFish(ship="0-2", hex="5,-1")).refused("EP-101")
    table.when(0, CatchFish(ship="0-3", hex="5,-1")).refused("EP-30")
    table.when(0, CatchFish(ship="0-1", hex="4,0")).refused("EP-101")
    fishing({"0-1": "4,0,NW"}).when(0, CatchFish(ship="0-1", hex="5,-1")).refused("EP-101")


@clause("EP-102", "EP-R19")
def test_goods_are_delivered_as_soon_as_the_ship_points_at_a_dock() -> None:
    table = fishing({"0-1": "4,0,NW fish"})
    path = ("3,0,NE", "3,0,NW")
    after = table.when(0, MoveShip(ship="0-1", path=path)).says(
        ShipMoved(seat=0, ship="0-1", path=("3,0,NE",), to="3,0,NE"),
        GoodsDelivered(seat=0, ship="0-1", fish=1, spices=0),
        MarkerAdvanced(seat=0, mission="fish", to=1),
        ShipMoved(seat=0, ship="0-1", path=("3,0,NW",), to="3,0,NW"),
    )
    assert after.position.this_turn.ships["0-1"].used == 2
    assert after.position.seats[0].ships["0-1"].cargo == ()


@clause("EP-102", "EP-106")
def test_units_stay_aboard_and_every_sack_counts() -> None:
    mixed = fishing({"0-1": "4,0,NW unit spice"})
    after = mixed.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells(
        "ship_moved", "goods_delivered", "marker_advanced"
    )
    assert after.position.seats[0].ships["0-1"].cargo == ("unit",)
    sacks = fishing({"0-1": "4,0,NW spice spice"})
    sacks.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).says(
        ShipMoved(seat=0, ship="0-1", path=("3,0,NE",), to="3,0,NE"),
        GoodsDelivered(seat=0, ship="0-1", fish=0, spices=2),
        MarkerAdvanced(seat=0, mission="spices", to=1),
        MarkerAdvanced(seat=0, mission="spices", to=2),
    )


@clause("EP-102")
def test_goods_loaded_at_a_dock_are_delivered_at_once() -> None:
    """The route 3,0,NW leads from the harbour settlement at 3,-1,S to the dock 3,0,N."""
    own = seat(harbors={"3,-1,S": "fish"}, ships={"0-1": "3,0,NW"})
    table = a_table(own, seat(), phase="movement", **SHOAL)
    after = table.when(0, TransferCargo(ship="0-1", harbor="3,-1,S", load=("fish",))).tells(
        "cargo_transferred", "goods_delivered", "marker_advanced"
    )
    assert after.position.seats[0].ships["0-1"].cargo == ()


@clause("EP-102")
def test_away_from_the_docks_nothing_is_delivered() -> None:
    fishing({"0-1": "4,0,NW"}, fish=("5,-1",)).when(0, CatchFish(ship="0-1", hex="5,-1")).tells("fish_caught")
    fishing({"0-1": "4,0,NW fish"}).when(0, MoveShip(ship="0-1", path=("4,0,NE",))).tells("ship_moved")


@clause("EP-103", "EP-42")
def test_the_two_corners_of_the_shared_side_carry_buildings() -> None:
    board = fishing().position.board
    assert set(board.ends["2,0,E"]) < set(board.corners_of["3,0"])
    assert "3,0" not in fishing().position.chart.pirate_places
    assert board.docks == {"3,0,N", "3,0,S"}
