"""Building: EP-22 to EP-27, EP-32, EP-58 to EP-66."""

import pytest

from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.building import (
    BuildHarbor,
    BuildRoad,
    BuildSettlement,
    BuildShip,
    HarborBuilt,
    RoadBuilt,
    SettlementBuilt,
    ShipBuilt,
    ShipRemoved,
)
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.position import SeatState
from referee.rulesets.explorers_and_pirates.production import RollDice
from tests.clauses import clause
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

RICH = "brick9 lumber9 wool9 grain9 ore9"
ROAD = {"brick": 1, "lumber": 1}
SETTLEMENT = {"brick": 1, "lumber": 1, "wool": 1, "grain": 1}
SHIP = {"lumber": 1, "wool": 1}
WEST_ROADS = "1,0,NW 0,0,NE 0,0,NW -1,0,E -1,1,NE -1,1,E 0,1,NW 0,1,NE 0,1,E 0,2,NW -1,2,E 0,3,NW -1,3,E 0,2,NE 0,2,E"


def settler_town(hand: str = RICH, **parts: object) -> SeatState:
    """A seat with a settlement at the discovered tile 5,-1."""
    return seat(hand, settlements="4,0,N", **parts)


@clause("EP-58", "EP-59")
def test_a_road_lies_on_a_free_path_and_touches_a_road_or_building_of_its_owner() -> None:
    table = a_table(settler_town(roads="4,0,NE"), seat(), up={"5,-1": "fields"})
    table.when(0, BuildRoad(edge="4,-1,E")).says(RoadBuilt(seat=0, edge="4,-1,E", cost=ROAD))
    table.when(0, BuildRoad(edge="4,0,NE")).refused("EP-59")
    table.when(0, BuildRoad(edge="4,0,NW")).refused("EP-59")
    table.when(0, BuildRoad(edge="0,0,NE")).refused("EP-58")
    after = table.when(0, BuildRoad(edge="4,-1,E")).position
    assert after.seats[0].roads == ("4,0,NE", "4,-1,E")
    assert (after.bank.brick, after.seats[0].resources.brick) == (11, 8)


@clause("EP-58", "EP-32")
@pytest.mark.parametrize("is_neutral", [False, True])
def test_another_building_interrupts_the_roads_of_a_seat(is_neutral: bool) -> None:
    other = seat() if is_neutral else seat(settlements="5,0,N")
    neutral = {"settlements": "5,0,N"} if is_neutral else {}
    up = {"5,-1": "fields", "6,-1": "hills"}
    table = a_table(settler_town(roads="4,0,NE 5,0,NW"), other, up=up, neutral=neutral)
    table.when(0, BuildRoad(edge="5,-1,E")).refused("EP-58")
    free = a_table(settler_town(roads="4,0,NE 5,0,NW"), seat(), up=up)
    free.when(0, BuildRoad(edge="5,-1,E")).tells("road_built")


@clause("EP-59", "EP-32")
def test_a_path_carries_one_road_of_any_owner() -> None:
    other = a_table(settler_town(), seat(roads="4,0,NE"), up={"5,-1": "fields"})
    other.when(0, BuildRoad(edge="4,0,NE")).refused("EP-59")
    neutral = a_table(settler_town(), seat(), up={"5,-1": "fields"}, neutral={"roads": "4,0,NE"})
    neutral.when(0, BuildRoad(edge="4,0,NE")).refused("EP-59")


@clause("EP-59", "EP-103")
def test_the_sides_of_the_council_that_border_sea_are_no_paths() -> None:
    table = a_table(seat(RICH, harbors={"2,0,N": ""}), seat())
    table.when(0, BuildRoad(edge="3,0,NW")).refused("EP-59")
    table.when(0, BuildRoad(edge="2,0,NE")).tells("road_built")


@clause("EP-23")
def test_no_road_lies_along_a_face_down_tile() -> None:
    table = a_table(settler_town(roads="4,0,NE 5,0,NW"), seat(), up={"5,-1": "fields"})
    table.when(0, BuildRoad(edge="5,-1,E")).refused("EP-23")


@clause("EP-20", "EP-23", "EP-R20")
def test_a_road_that_ends_at_a_face_down_tile_discovers_nothing() -> None:
    """The path 5,0,NW is a side of 5,-1 and of the sea hex 5,0; its end 5,0,N touches 6,-1."""
    ships = {"0-1": "4,0,NE", "0-2": "4,0,NE"}
    builder = seat("brick1 lumber1", settlements="4,0,N", roads="4,0,NE", ships=ships)
    table = a_table(builder, seat(), up={"5,-1": "fields"}, scenario="pirate-lairs")
    table.when(0, BuildRoad(edge="5,0,NW")).says(RoadBuilt(seat=0, edge="5,0,NW", cost=ROAD))
    assert not table.position.areas["6,-1"].up


@clause("EP-24", "EP-96")
def test_nothing_is_built_at_a_lair_before_its_capture() -> None:
    up = {"5,-1": "gold_river"}
    builder = seat(RICH, settlements="3,-1,N", roads="4,0,NE")
    closed = a_table(builder, seat(), up=up)
    closed.when(0, BuildRoad(edge="4,-1,E")).refused("EP-24")
    closed.when(0, BuildSettlement(corner="4,0,N")).refused("EP-24")
    opened = a_table(builder, seat(), up=up, captured={"5,-1": True})
    opened.when(0, BuildRoad(edge="4,-1,E")).tells("road_built")
    opened.when(0, BuildSettlement(corner="4,0,N")).tells("settlement_built")


@clause("EP-25", "EP-107")
def test_only_a_seat_with_a_unit_in_a_village_builds_there() -> None:
    builder = seat(RICH, roads="4,0,NE")
    up = {"5,-1": "swift"}
    stranger = a_table(builder, seat(), up=up, friends={"5,-1": (1,)})
    stranger.when(0, BuildRoad(edge="4,-1,E")).refused("EP-25")
    stranger.when(0, BuildSettlement(corner="4,0,N")).refused("EP-25")
    friend = a_table(builder, seat(), up=up, friends={"5,-1": (1, 0)})
    friend.when(0, BuildRoad(edge="4,-1,E")).tells("road_built")
    friend.when(0, BuildSettlement(corner="4,0,N")).tells("settlement_built")


@clause("EP-26")
def test_a_seat_without_a_piece_left_cannot_build_one() -> None:
    roads = a_table(seat(RICH, settlements="1,0,N", roads=WEST_ROADS), seat())
    assert len(roads.position.seats[0].roads) == 15
    roads.when(0, BuildRoad(edge="1,0,NE")).refused("EP-26")
    five = "0,0,N 0,1,N 0,3,N 3,-3,S 4,-3,N"
    settlements = a_table(seat(RICH, settlements=five, roads="1,0,NE"), seat())
    settlements.when(0, BuildSettlement(corner="2,-1,S")).refused("EP-26")
    four = {"4,-3,S": "", "2,0,N": "", "2,0,S": "", "1,3,N": ""}
    harbors = a_table(seat(RICH, settlements="5,-4,S", harbors=four), seat())
    harbors.when(0, BuildHarbor(corner="5,-4,S")).refused("EP-26")


@clause("EP-27")
def test_a_seat_that_cannot_pay_builds_nothing() -> None:
    up = {"5,-1": "fields"}
    poor = seat("lumber1 ore9", settlements="4,0,N", roads="4,0,NE 5,0,NW", harbors={"2,0,N": ""})
    table = a_table(poor, seat(), up={**up, "6,-1": "hills"})
    table.when(0, BuildRoad(edge="4,-1,E")).refused("EP-27")
    table.when(0, BuildSettlement(corner="5,0,N")).refused("EP-27")
    table.when(0, BuildHarbor(corner="4,0,N")).refused("EP-27")
    table.when(0, BuildShip(edge="2,0,NE")).refused("EP-27")


@clause("EP-22", "EP-60")
def test_a_settlement_is_built_at_a_road_of_its_owner_and_keeps_the_distance() -> None:
    up = {"5,-1": "fields", "6,-1": "hills"}
    builder = settler_town(roads="4,0,NE 5,0,NW")
    table = a_table(builder, seat(), up=up)
    table.when(0, BuildSettlement(corner="5,-2,S")).refused("EP-60")
    table.when(0, BuildSettlement(corner="5,-1,S")).refused("EP-22")
    table.when(0, BuildSettlement(corner="4,0,N")).refused("EP-22")
    table.when(0, BuildSettlement(corner="5,0,N")).says(SettlementBuilt(seat=0, corner="5,0,N", cost=SETTLEMENT))


@clause("EP-32", "EP-22")
def test_neutral_buildings_keep_others_away() -> None:
    up = {"5,-1": "fields", "6,-1": "hills"}
    builder = settler_town(roads="4,0,NE 5,0,NW")
    table = a_table(builder, seat(), up=up, neutral={"settlements": "5,-1,N 6,0,N"})
    table.when(0, BuildSettlement(corner="5,0,N")).tells("settlement_built")
    near = a_table(builder, seat(), up=up, neutral={"harbors": "6,-1,S"})
    near.when(0, BuildSettlement(corner="5,0,N")).refused("EP-22")


@clause("EP-23")
def test_a_settlement_at_a_face_down_tile_is_refused() -> None:
    builder = seat(RICH, settlements="4,0,S", roads="4,1,NW 3,1,E 3,2,NE")
    table = a_table(builder, seat(), up={"4,1": "fields"}, scenario="pirate-lairs")
    table.when(0, BuildSettlement(corner="4,1,S")).refused("EP-23")


@clause("EP-62", "EP-63")
def test_a_harbour_settlement_replaces_a_settlement_on_the_coast() -> None:
    table = a_table(seat("grain2 ore2", settlements="2,0,N 1,0,S"), seat())
    table.when(0, BuildHarbor(corner="1,0,S")).refused("EP-62")
    table.when(0, BuildHarbor(corner="2,0,S")).refused("EP-62")
    after = table.when(0, BuildHarbor(corner="2,0,N")).says(
        HarborBuilt(seat=0, corner="2,0,N", cost={"grain": 2, "ore": 2})
    )
    state = after.position.seats[0]
    assert (state.settlements, state.harbors) == (("1,0,S",), {"2,0,N": ()})


@clause("EP-62")
def test_the_frame_is_coast_as_well() -> None:
    west = a_table(seat("grain2 ore2", settlements="0,0,N"), seat())
    west.when(0, BuildHarbor(corner="0,0,N")).tells("harbor_built")


@clause("EP-64")
def test_a_ship_is_built_at_a_harbour_settlement_of_its_owner() -> None:
    table = a_table(seat(RICH, harbors={"2,0,N": ""}), seat(harbors={"2,0,S": ""}))
    table.when(0, BuildShip(edge="2,0,NE")).says(ShipBuilt(seat=0, ship="0-1", edge="2,0,NE", cost=SHIP))
    table.when(0, BuildShip(edge="2,1,NW")).refused("EP-64")
    table.when(0, BuildShip(edge="2,0,NW")).refused("EP-64")
    full = a_table(seat(RICH, harbors={"2,0,N": ""}), seat(ships={"1-1": "2,0,NE", "1-2": "2,0,NE"}))
    full.when(0, BuildShip(edge="2,0,NE")).refused("EP-64")
    full.when(0, BuildShip(edge="2,-1,E")).tells("ship_built")


@clause("EP-65", "EP-R10")
def test_a_new_ship_discovers_nothing() -> None:
    up = {"5,-1": "fields"}
    table = a_table(seat(RICH, harbors={"4,0,N": ""}), seat(), up=up)
    table.when(0, BuildShip(edge="4,0,NE")).tells("ship_built")
    table.when(0, BuildShip(edge="4,0,NW")).tells("ship_built")
    corner = a_table(seat(RICH, harbors={"5,-1,S": ""}), seat(), up=up)
    corner.when(0, BuildShip(edge="5,0,NW")).refused("EP-65")


@clause("EP-66", "EP-31")
def test_a_fourth_ship_replaces_one_on_the_board() -> None:
    ships = {"0-1": "4,0,NW", "0-2": "2,0,NE unit", "0-3": "2,0,NE"}
    builder = seat(RICH, harbors={"2,0,N": ""}, ships=ships)
    table = a_table(builder, seat(ships={"1-1": "3,0,NE"}), up={"5,-1": "fields"})
    table.when(0, BuildShip(edge="2,-1,E")).refused("EP-66")
    table.when(0, BuildShip(edge="2,0,NE", replace="0-1")).refused("EP-64")
    after = table.when(0, BuildShip(edge="2,0,NE", replace="0-2")).says(
        ShipRemoved(seat=0, ship="0-2", cargo=("unit",)), ShipBuilt(seat=0, ship="0-2", edge="2,0,NE", cost=SHIP)
    )
    assert after.position.seats[0].ships["0-2"].cargo == ()


@clause("EP-66", "EP-70")
def test_a_seat_takes_back_only_its_own_ship_and_only_if_it_must() -> None:
    builder = seat(RICH, harbors={"2,0,N": ""}, ships={"0-1": "2,0,NE", "0-2": "2,0,NE"})
    table = a_table(builder, seat())
    table.when(0, BuildShip(edge="2,-1,E", replace="0-1")).refused("EP-66")
    table.when(0, BuildShip(edge="2,-1,E")).says(ShipBuilt(seat=0, ship="0-3", edge="2,-1,E", cost=SHIP))
    three = seat(RICH, harbors={"2,0,N": ""}, ships={"0-1": "2,0,NE", "0-2": "2,0,NE", "0-3": "2,-1,E"})
    full = a_table(three, seat(ships={"1-1": "3,0,NE"}))
    full.when(0, BuildShip(edge="2,-1,E", replace="1-1")).refused("EP-70")


@clause("EP-61")
def test_the_first_building_of_an_area_cannot_be_built_by_road() -> None:
    table = a_table(seat(RICH, harbors={"2,0,N": ""}, roads="2,0,NE"), seat(), up={"5,-1": "fields"})
    assert not [move for move in table.legal(0) if isinstance(move, BuildSettlement) and move.corner == "4,0,N"]
    table.when(0, BuildSettlement(corner="4,0,N")).refused("EP-60")
    table.when(0, BuildRoad(edge="4,0,NE")).refused("EP-58")


@clause("EP-32", "EP-63")
def test_neutral_harbours_serve_nobody() -> None:
    ships = {"0-1": "2,0,NE unit"}
    table = a_table(seat(RICH, ships=ships), seat(), neutral={"harbors": "2,0,N"}, phase="movement")
    table.when(0, TransferCargo(ship="0-1", harbor="2,0,N", unload=("unit",))).refused("EP-80")
    roll = a_table(seat(), seat(), neutral={"settlements": "0,1,N"}, phase="roll", turn={"roll": None})
    events = roll.when(0, RollDice(), ("roll_dice", [4, 6])).events
    assert not any(type(event).__name__ == "ResourcesGained" for event in events)
    assert EXPLORERS_AND_PIRATES.ranking(table.position)[0].score == 0
