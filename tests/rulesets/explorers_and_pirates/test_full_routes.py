"""Routes that carry two ships: a third one may pass, and act there, but not stay (EP-75, EP-R15)."""

from typing import Any

import pytest

from referee.kernel.changes import replace
from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.rulesets.explorers_and_pirates import EXPLORERS_AND_PIRATES
from referee.rulesets.explorers_and_pirates.board import BOARDS
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip, ShipMoved
from referee.rulesets.explorers_and_pirates.position import SeatState
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn
from tests.clauses import clause
from tests.conformance.samples import as_json
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_table, seat

FULL = {"1-1": "3,0,NW", "1-2": "3,0,NW"}
TO_FULL = MoveShip(ship="0-1", path=("3,0,NW",))


def beside(edge: str = "2,0,NE", others: dict[str, str] = FULL, gold: int = 0, **parts: Any) -> Given:
    """Seat 0 sails with a ship near a route with two ships of seat 1."""
    own = seat("wool1", gold=gold, harbors={"2,0,N": ""}, ships={"0-1": edge, "0-2": "2,-1,E"})
    return a_table(own, seat(ships=others), phase="movement", **parts)


@clause("EP-71", "EP-75", "EP-R15")
def test_a_ship_may_halt_on_a_full_route_if_it_can_sail_on() -> None:
    table = beside()
    assert TO_FULL in table.legal(0)
    passing = table.when(0, TO_FULL).says(ShipMoved(seat=0, ship="0-1", path=("3,0,NW",), to="3,0,NW"))
    passing.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells("ship_moved")
    table.when(0, MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE"))).tells("ship_moved")


@clause("EP-75", "EP-R15")
def test_a_ship_cannot_be_left_on_a_full_route() -> None:
    passing = beside().when(0, TO_FULL).tells("ship_moved")
    passing.when(0, EndTurn()).refused("EP-75")
    passing.when(0, RollFish()).refused("EP-75")
    passing.when(0, MoveShip(ship="0-2", path=("3,-1,NW",))).refused("EP-75")
    legal = passing.legal(0)
    assert not any(isinstance(move, (EndTurn, RollFish)) for move in legal)
    assert {move.ship for move in legal if isinstance(move, MoveShip)} == {"0-1"}
    away = passing.when(0, MoveShip(ship="0-1", path=("2,0,NE",))).tells("ship_moved")
    away.when(0, EndTurn()).tells("turn_ended", "turn_started")


@clause("EP-75")
def test_the_last_movement_point_does_not_lead_to_a_full_route() -> None:
    table = beside(voyages={"0-1": {"used": 3}})
    table.when(0, TO_FULL).refused("EP-75")
    assert TO_FULL not in table.legal(0)
    more = table.when(0, BuyMovement(ship="0-1")).tells("movement_bought")
    more.when(0, TO_FULL).tells("ship_moved")


@clause("EP-75")
def test_a_way_on_to_other_full_routes_is_no_way_on() -> None:
    """Only 3,-1,NW and 2,0,NE are one step away from 2,-1,E, and both are full."""
    to_the_coast = MoveShip(ship="0-1", path=("2,0,NE", "2,-1,E"))
    others = crowd("2,-1,E", "3,-1,NW", "2,0,NE")
    own = seat(ships={"0-1": "3,0,NW"})
    with_three = a_table(own, *others, phase="movement", voyages={"0-1": {"used": 1}})
    with_three.when(0, to_the_coast).refused("EP-75")
    a_table(own, *others, phase="movement").when(0, to_the_coast).tells("ship_moved")


@clause("EP-75", "EP-47")
def test_a_way_on_that_needs_a_tribute_counts_only_for_a_seat_with_gold() -> None:
    """Two of the four routes next to 3,0,NE are full, the others are along the pirate ship on 4,0."""
    others = crowd("3,0,NE", "3,-1,E", "3,0,NW")
    step = MoveShip(ship="0-1", path=("3,0,NW", "3,0,NE"))
    for gold in (0, 1):
        own = seat(gold=gold, ships={"0-1": "2,0,NE"})
        table = a_table(own, *others, phase="movement", voyages={"0-1": {"used": 1}}, pirate=(1, "4,0"))
        if gold:
            table.when(0, step).tells("ship_moved").when(0, EndTurn()).refused("EP-75")
        else:
            table.when(0, step).refused("EP-75")


def crowd(*edges: str) -> tuple[SeatState, SeatState]:
    """Seats 1 and 2 with two ships on each of three routes."""
    first, second, third = edges
    return (
        seat(ships={"1-1": first, "1-2": first, "1-3": second}),
        seat(ships={"2-1": second, "2-2": third, "2-3": third}),
    )


@clause("EP-75", "EP-101", "EP-R15")
def test_a_ship_catches_a_fish_in_passing_a_full_route() -> None:
    table = beside(edge="3,0,NE", others={"1-1": "4,0,NW", "1-2": "4,0,NW"}, up={"5,-1": "fish2"}, fish=("5,-1",))
    passing = table.when(0, MoveShip(ship="0-1", path=("4,0,NW",))).tells("ship_moved")
    loaded = passing.when(0, CatchFish(ship="0-1", hex="5,-1")).tells("fish_caught")
    loaded.when(0, EndTurn()).refused("EP-75")
    loaded.when(0, MoveShip(ship="0-1", path=("3,0,NE",))).tells("ship_moved", "goods_delivered", "marker_advanced")


@clause("EP-75", "EP-80", "EP-R15")
def test_a_ship_loads_in_passing_a_full_route() -> None:
    own = seat(harbors={"2,0,N": "settler"}, ships={"0-1": "3,0,NW"})
    table = a_table(own, seat(ships={"1-1": "2,0,NE", "1-2": "2,0,NE"}), phase="movement")
    passing = table.when(0, MoveShip(ship="0-1", path=("2,0,NE",))).tells("ship_moved")
    loaded = passing.when(0, TransferCargo(ship="0-1", harbor="2,0,N", load=("settler",))).tells("cargo_transferred")
    assert loaded.position.seats[0].ships["0-1"].cargo == ("settler",)


@clause("EP-75", "EP-81", "EP-R15")
def test_a_ship_founds_in_passing_a_full_route_and_the_turn_can_end() -> None:
    own = seat(ships={"0-1": "3,0,NE settler"})
    others = seat(ships={"1-1": "4,0,NW", "1-2": "4,0,NW"})
    table = a_table(own, others, phase="movement", up={"5,-1": "fields"})
    passing = table.when(0, MoveShip(ship="0-1", path=("4,0,NW",))).tells("ship_moved")
    founded = passing.when(0, FoundSettlement(ship="0-1", corner="4,0,N")).tells("settlement_founded")
    founded.when(0, EndTurn()).tells("turn_ended", "turn_started")


@clause("EP-75", "EP-82", "EP-83")
def test_another_ship_may_chase_while_one_is_passing() -> None:
    own = seat(ships={"0-1": "2,0,NE", "0-2": "4,0,NE"})
    table = a_table(own, seat(ships=FULL), phase="movement", pirate=(1, "5,0"), up={"5,-1": "sea"})
    passing = table.when(0, TO_FULL).tells("ship_moved")
    chased = passing.when(0, {"type": "chase_pirate", "ship": "0-2"}, ("chase_die", 6))
    back = chased.tells("pirate_chased", "pirate_returned", "phase_started").when(0, {"type": "pass_pirate"})
    back.tells("pirate_passed", "phase_started").when(0, EndTurn()).refused("EP-75")


@clause("EP-75", "EP-R39")
def test_the_safe_default_of_a_passing_ship_is_the_shortest_way_to_a_route_with_room() -> None:
    passing = beside().when(0, TO_FULL).tells("ship_moved")
    default = EXPLORERS_AND_PIRATES.default(passing.position, 0)
    assert default == MoveShip(ship="0-1", path=("2,0,E",))
    assert default in passing.legal(0)


def nearly_won(ships: str, others: str) -> Given:
    """Seat 0 has 13 of 15 points; its first fish brings a point and the card."""
    board, corners = BOARDS["fish-for-catan"], list[str]()
    for corner in board.hexes_at:
        if corner in board.island_corners and not {corner, *board.next_corners[corner]} & set(corners):
            corners.append(corner)
    own = seat(
        settlements=" ".join(corners[:5]), harbors=dict.fromkeys(corners[5:9], ""), ships={"0-1": f"{ships} fish"}
    )
    return a_table(
        own, seat(ships=dict.fromkeys(("1-1", "1-2"), others)),
        scenario="fish-for-catan", phase="movement", up={"5,-1": "fields"},
    )  # fmt: skip


@clause("EP-102", "EP-111", "EP-75")
def test_a_game_that_is_won_in_passing_a_full_route_can_be_read_again() -> None:
    """The delivery on 3,0,NE wins, so the ship does not sail on from the two others there."""
    table = nearly_won("4,0,NW", "3,0,NE")
    over = table.when(0, MoveShip(ship="0-1", path=("3,0,NE", "4,0,NW"))).tells(
        "ship_moved", "goods_delivered", "marker_advanced", "game_finished"
    )
    assert [ship.edge for state in over.position.seats for ship in state.ships.values()] == ["3,0,NE"] * 3
    again = read_position(EXPLORERS_AND_PIRATES, as_json(over.position))
    assert again == over.position
    over.when(0, EndTurn()).refused("EP-18")


@clause("EP-75")
@pytest.mark.parametrize(
    ("changes", "invariant"),
    [
        ({"phase": "trade_build"}, "can sail on"),
        ({"current": None}, "at most 2 lie on 3,0,NW"),
        ({"used": 4}, "can sail on"),
    ],
)
def test_a_third_ship_on_a_route_is_that_of_a_movement_under_way(changes: dict[str, Any], invariant: str) -> None:
    passing = beside().when(0, TO_FULL).tells("ship_moved").position
    turn = passing.this_turn
    voyage = replace(turn.ships["0-1"], used=changes.get("used", 1))
    turn = replace(turn, ships={"0-1": voyage}, current_ship=changes.get("current", "0-1"))
    with pytest.raises(Malformed, match=invariant):
        EXPLORERS_AND_PIRATES.check(replace(passing, phase=changes.get("phase", "movement"), turn=turn))
