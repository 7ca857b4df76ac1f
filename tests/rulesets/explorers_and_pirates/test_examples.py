"""The ten examples of the rulebook, and short cases; seats: red 0, blue 1, white 2, orange 3."""

from typing import Any

import pytest

from referee.kernel.seat import REFEREE
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.discovery import TileDiscovered
from referee.rulesets.explorers_and_pirates.edition import EDITION
from referee.rulesets.explorers_and_pirates.missions.captures import ClaimHero, HeroDetermined, ResolveCapture
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip
from referee.rulesets.explorers_and_pirates.pirates import CardStolen, ChasePirate, PirateChased, PlacePirate
from referee.rulesets.explorers_and_pirates.position import Pirate
from referee.rulesets.explorers_and_pirates.production import ResourcesGained, RollDice
from referee.rulesets.explorers_and_pirates.scoring import scores
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_position, a_table, seat, track

OUT = ("3,0,NW", "3,0,NE", "4,0,NW")


def voyage(position: Any, ship: str) -> Any:
    return position.this_turn.ships[ship]


@clause("EP-76", "EP-77", "EP-78")
def test_1_discovery() -> None:
    table = a_table(
        seat(ships={"0-1": "2,0,NE"}), seat(), scenario="land-ho", phase="movement",
        down={"5,-1": "mountains"}, top={"north": (9,)},
    )  # fmt: skip
    then = table.when(0, MoveShip(ship="0-1", path=OUT))
    found = then.event(TileDiscovered)
    assert (found.hex, found.tile, found.number) == ("5,-1", "mountains", 9)
    assert then.event(ResourcesGained).resources == {"ore": 1}
    assert (voyage(then.position, "0-1").used, voyage(then.position, "0-1").finished) == (3, True)
    table.when(0, MoveShip(ship="0-1", path=(*OUT, "4,0,NE"))).refused("EP-76")
    table.when(0, MoveShip(ship="0-1", path=OUT[:-1])).tells("ship_moved")


@clause("EP-81")
def test_2_founding() -> None:
    table = a_table(seat(ships={"0-1": "4,0,NW settler"}), seat(), phase="movement", up={"5,-1": "fields"})
    after = table.when(0, FoundSettlement(ship="0-1", corner="4,0,N")).tells("settlement_founded").position
    assert (after.seats[0].settlements, after.seats[0].ships) == (("4,0,N",), {})
    assert after.seats[0].resources == table.position.seats[0].resources
    table.when(0, FoundSettlement(ship="0-1", corner="4,-1,S")).refused("EP-81")


@clause("EP-80")
def test_3_transshipping() -> None:
    own = seat(harbors={"2,0,N": "settler"}, ships={"0-1": "2,0,NE unit unit", "0-2": "2,-1,E"})
    table = a_table(own, seat(), phase="movement")
    swap = TransferCargo(ship="0-1", harbor="2,0,N", load=("settler",), unload=("unit", "unit"))
    table = table.when(0, swap).tells("cargo_transferred")
    assert table.position.seats[0].harbors["2,0,N"] == ("unit", "unit")
    table = table.when(0, TransferCargo(ship="0-2", harbor="2,0,N", load=("unit", "unit"))).tells("cargo_transferred")
    state = table.position.seats[0]
    assert [state.harbors["2,0,N"], *(ship.cargo for ship in state.ships.values())] == [
        (), ("settler",), ("unit", "unit"),
    ]  # fmt: skip


@clause("EP-39", "EP-43", "EP-44")
def test_4_seven() -> None:
    seats = (seat(), seat("wool1", ships={"1-1": "3,0,E"}), seat("wool1"), seat("ore1", ships={"3-1": "3,0,E"}))
    table = a_table(*seats, phase="roll", turn={"roll": None}, pirate=(1, "6,0"))
    table = table.when(0, RollDice(), ("roll_dice", [2, 5])).tells("dice_rolled", "phase_started")
    table.when(0, PlacePirate(hex="4,0", victim=2)).refused("EP-44")
    then = table.when(0, PlacePirate(hex="4,0", victim=3), ("steal_card", "ore"))
    after = then.tells("pirate_returned", "pirate_placed", "card_stolen", "phase_started").position
    assert (after.pirate, after.phase) == (Pirate(seat=0, hex="4,0"), "trade_build")
    assert [state.resources.ore for state in after.seats] == [1, 0, 0, 0]


@clause("EP-82", "EP-83")
def test_5_chasing() -> None:
    seats = (seat(ships={"0-1": "3,0,NE", "0-2": "4,0,NE"}), seat("ore1", ships={"1-1": "4,-1,NE"}))
    table = a_table(*seats, phase="movement", up={"5,-1": "fields"}, pirate=(1, "4,0"))
    table = table.when(0, ChasePirate(ship="0-1"), ("chase_die", 3)).tells("pirate_chased")
    then = table.when(0, ChasePirate(ship="0-2"), ("chase_die", 6))
    assert then.event(PirateChased).success
    table = then.tells("pirate_chased", "pirate_returned", "phase_started")
    then = table.when(0, PlacePirate(hex="5,-2", victim=1))
    assert then.event(CardStolen).resource == "ore"
    table = then.tells("pirate_placed", "card_stolen", "phase_started")
    assert table.position.phase == "movement"
    table.when(0, MoveShip(ship="0-2", path=("4,0,NW",))).tells("ship_moved")


@clause("EP-86", "EP-87")
def test_6_mission_points() -> None:
    everybody = track((0, 1, 2, 3))
    missions = {"lairs": track((), (0, 2), (), (3, 1)), "fish": everybody, "spices": everybody}
    assert scores(a_position(seat(), seat(), seat(), seat(), missions=missions), EDITION) == (1, 2, 1, 3)


@clause("EP-89", "EP-92", "EP-93", "EP-94", "EP-96", "EP-97")
def test_7_capture() -> None:
    seats = (seat(ships={"0-1": "3,0,NE unit unit"}), seat(ships={"1-1": "4,0,NE"}))
    table = a_table(*seats, phase="movement", up={"5,-1": "gold_river"}, units={"5,-1": {"1": 1}})
    table = table.when(0, MoveShip(ship="0-1", path=("4,0,NW",))).tells("ship_moved")
    table = table.when(0, LandUnits(ship="0-1", hex="5,-1", count=2)).tells("units_landed")
    table = table.when(0, EndTurn()).tells("phase_started")
    then = table.when(REFEREE, ResolveCapture(), ("hero_dice", [[5, 6]]))
    assert then.event(HeroDetermined).seat == 0
    table = Given(table.ruleset, then.position)
    assert [state.gold for state in table.position.seats] == [2, 2]
    assert table.position.missions["lairs"] == track((), (0, 1))
    table = Given(table.ruleset, table.when(0, ClaimHero(advance=True)).position)
    assert table.position.missions["lairs"] == track((), (1,), (0,))
    assert table.position.lairs["5,-1"].units == {"1": 1, "0": 1}
    assert table.position.lairs["5,-1"].captured
    assert (table.position.active_seat, table.position.phase) == (1, "roll")
    later = a_table(*seats, phase="movement", active_seat=1, up={"5,-1": "gold_river"}, captured={"5,-1": True},
                    units={"5,-1": {"1": 1, "0": 1}})  # fmt: skip
    later.when(1, PickUpUnits(ship="1-1", hex="5,-1", count=1)).tells("units_picked_up")


@clause("EP-100", "EP-101", "EP-102")
def test_8_fish() -> None:
    table = a_table(seat(ships={"0-1": "3,0,NE"}), seat(), phase="movement", up={"5,-1": "fish2"})
    table = table.when(0, RollFish(), ("fish_die", 2)).tells("fish_die_rolled")
    table = table.when(0, MoveShip(ship="0-1", path=("4,0,NW",))).tells("ship_moved")
    table = table.when(0, CatchFish(ship="0-1", hex="5,-1")).tells("fish_caught")
    back = table.when(0, MoveShip(ship="0-1", path=("3,0,NE",)))
    after = back.tells("ship_moved", "goods_delivered", "marker_advanced").position
    assert after.missions["fish"][1] == (0,)
    assert voyage(after, "0-1").used == 2


@clause("EP-105", "EP-108", "EP-102")
def test_9_spice_and_swift_voyage() -> None:
    table = a_table(seat("wool1", ships={"0-1": "2,0,NE unit"}), seat(), phase="movement", up={"5,-1": "swift"})
    table = table.when(0, MoveShip(ship="0-1", path=OUT)).tells("ship_moved")
    table = table.when(0, BefriendVillage(ship="0-1", hex="5,-1")).tells("village_befriended")
    assert table.position.seats[0].ships["0-1"].cargo == ("spice",)
    table.when(0, MoveShip(ship="0-1", path=("3,0,NE", "3,0,NW", "2,0,NE"))).refused("EP-72")
    home = table.when(0, MoveShip(ship="0-1", path=("3,0,NE", "3,0,NW")))
    after = home.tells("ship_moved", "goods_delivered", "marker_advanced", "ship_moved").position
    assert voyage(after, "0-1").used == 5
    wool = Given(table.ruleset, after).when(0, BuyMovement(ship="0-1")).tells("movement_bought")
    wool.when(0, MoveShip(ship="0-1", path=("3,0,NE", "3,0,NW"))).tells("ship_moved")


@clause("EP-109")
@pytest.mark.parametrize(
    ("villages", "succeeds", "fails"),
    [(("pirate5",), (5, 6), (4,)), (("pirate4",), (4, 6), (5,)), (("pirate5", "pirate4"), (4, 5, 6), (3,))],
)
def test_10_pirate_bonus(villages: tuple[str, ...], succeeds: tuple[int, ...], fails: tuple[int, ...]) -> None:
    homes = {"pirate5": "5,-1", "pirate4": "4,1"}
    up = {hex: tile for tile, hex in homes.items()}
    friends = {homes[tile]: (0,) for tile in villages}
    table = a_table(seat(ships={"0-1": "3,0,NE"}), seat(), phase="movement", up=up, friends=friends, pirate=(1, "4,0"))
    for die in (*succeeds, *fails):
        event = table.when(0, ChasePirate(ship="0-1"), ("chase_die", die)).event(PirateChased)
        assert event.success == (die in succeeds)
