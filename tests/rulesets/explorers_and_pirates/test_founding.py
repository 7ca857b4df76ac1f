"""The founding phase: EP-10 to EP-16, and the founding of two seats step by step."""

from referee.kernel.changes import replace
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    founding_steps,
)
from referee.rulesets.explorers_and_pirates.placing import HarborPlaced, RoadPlaced, SettlementPlaced, SettlerShipPlaced
from referee.rulesets.explorers_and_pirates.position import SeatState
from referee.rulesets.explorers_and_pirates.production import ResourcesGained
from referee.rulesets.explorers_and_pirates.turns import TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.explorers_and_pirates.tables import a_position, a_table, fresh, seat


def founding(*seats: SeatState, step: int, scenario: str = "pirate-lairs") -> Given:
    """A table in the founding phase."""
    return a_table(*seats, scenario=scenario, phase="founding", founding_step=step, turn=None)


@clause("EP-10")
def test_three_seats_place_clockwise_then_in_reverse_then_clockwise() -> None:
    steps = [(step.placement, step.seat) for step in founding_steps(1, 3)]
    assert steps[:3] == [("place_harbor", seat) for seat in (1, 2, 0)]
    assert steps[3:6] == [("place_settlement", seat) for seat in (0, 2, 1)]
    ends = [("place_road", "place_settler_ship"), (1, 2, 0)]
    assert steps[6:] == [(placement, seat) for seat in ends[1] for placement in ends[0]]
    assert len(founding_steps(0, 4)) == 16


@clause("EP-10")
def test_after_the_last_ship_the_first_turn_starts() -> None:
    done = {"settlements": "0,0,N", "roads": "0,0,NE", "harbors": {"2,0,N": ""}, "ships": {"0-1": "2,0,NE settler"}}
    left = {"settlements": "0,3,N", "roads": "0,3,NE", "harbors": {"1,3,N": ""}}
    table = _two(seat(**done), seat(**left), step=11)
    table.when(1, PlaceSettlerShip(edge="1,3,NE")).says(
        SettlerShipPlaced(seat=1, ship="1-1", edge="1,3,NE"), TurnStarted(seat=0, number=1)
    )


def _two(*seats: SeatState, step: int) -> Given:
    """Two seats with their four neutral pieces."""
    neutral = {"harbors": "4,-3,S 2,0,S", "settlements": "3,-3,S 0,1,N"}
    position = a_position(*seats, scenario="pirate-lairs", phase="founding", founding_step=step, neutral=neutral)
    return Given(fresh().ruleset, replace(position, turn=None))


@clause("EP-11", "EP-22")
def test_a_harbour_settlement_stands_on_a_harbour_site_and_keeps_the_distance() -> None:
    table = fresh("pirate-lairs")
    table.when(0, PlaceHarbor(corner="0,1,N")).refused("EP-11")
    after = table.when(0, PlaceHarbor(corner="2,0,N")).says(HarborPlaced(seat=0, corner="2,0,N", neutral=False))
    after.when(1, PlaceHarbor(corner="2,0,N")).refused("EP-22")
    after.when(1, PlaceHarbor(corner="3,-1,S")).refused("EP-22")
    after.when(0, PlaceHarbor(corner="2,0,S")).refused("EP-18")
    after.when(1, PlaceSettlement(corner="0,1,N")).refused("EP-18")


@clause("EP-12", "EP-13")
def test_a_settlement_stands_on_the_island_and_brings_its_cards() -> None:
    table = _three_harbors()
    table.when(2, PlaceSettlement(corner="4,0,N")).refused("EP-12")
    table.when(2, PlaceSettlement(corner="2,0,N")).refused("EP-22")
    table.when(2, PlaceSettlement(corner="0,1,N")).says(
        SettlementPlaced(seat=2, corner="0,1,N", neutral=False),
        ResourcesGained(seat=2, resources={"wool": 1, "grain": 1, "ore": 1}, reason="start"),
    )
    table.when(2, PlaceSettlement(corner="1,4,N")).tells("settlement_placed", "resources_gained")


def _three_harbors() -> Given:
    table = fresh("pirate-lairs")
    for number, corner in enumerate(("2,0,N", "2,0,S", "4,-3,S")):
        table = table.when(number, PlaceHarbor(corner=corner)).tells("harbor_placed")
    return table


@clause("EP-14")
def test_the_road_starts_at_the_settlement() -> None:
    table = _three_harbors()
    for number, corner in ((2, "0,0,N"), (1, "0,3,N"), (0, "0,1,N")):
        table = table.when(number, PlaceSettlement(corner=corner)).tells("settlement_placed", "resources_gained")
    table.when(0, PlaceRoad(edge="1,0,E")).refused("EP-14")
    table.when(0, PlaceRoad(edge="0,0,NE")).refused("EP-14")
    after = table.when(0, PlaceRoad(edge="0,1,NE")).says(RoadPlaced(seat=0, edge="0,1,NE", neutral=False))
    after.when(0, PlaceSettlerShip(edge="2,1,NW")).refused("EP-15")
    after.when(0, PlaceSettlerShip(edge="1,0,E")).refused("EP-15")
    after.when(0, PlaceSettlerShip(edge="2,0,NE")).tells("settler_ship_placed")


@clause("EP-15")
def test_the_settler_ship_goes_on_a_route_at_the_harbour_of_its_owner() -> None:
    table = _three_harbors()
    for number, corner in ((2, "0,0,N"), (1, "0,3,N"), (0, "0,1,N")):
        table = table.when(number, PlaceSettlement(corner=corner)).tells("settlement_placed", "resources_gained")
    table = table.when(0, PlaceRoad(edge="0,1,NE")).tells("road_placed")
    edges = {move.edge for move in table.legal(0)}
    assert edges == {"2,0,NE", "2,-1,E"}
    ship = table.when(0, PlaceSettlerShip(edge="2,0,NE")).position.seats[0].ships["0-1"]
    assert ship.cargo == ("settler",)


@clause("EP-10", "EP-16", "EP-R30")
def test_two_seats_found_with_neutral_pieces_in_between() -> None:
    table = fresh("pirate-lairs", seats=2, first_seat=1)
    table.when(1, PlaceHarbor(corner="0,1,N")).refused("EP-11")
    table.when(0, PlaceHarbor(corner="2,0,N")).refused("EP-18")
    table = table.when(1, PlaceHarbor(corner="2,0,N")).tells("harbor_placed")
    table.when(0, PlaceHarbor(corner="3,-1,S")).refused("EP-22")
    table = table.when(0, PlaceHarbor(corner="2,0,S")).tells("harbor_placed")
    table.when(1, PlaceHarbor(corner="2,1,N")).refused("EP-22")
    table = table.when(1, PlaceHarbor(corner="4,-3,S")).says(HarborPlaced(seat=1, corner="4,-3,S", neutral=True))
    table = table.when(0, PlaceHarbor(corner="1,3,N")).tells("harbor_placed")
    table = table.when(0, PlaceSettlement(corner="0,0,N")).says(SettlementPlaced(seat=0, corner="0,0,N", neutral=True))
    table = table.when(1, PlaceSettlement(corner="0,3,N")).tells("settlement_placed")
    table = table.when(0, PlaceSettlement(corner="0,1,N")).tells("settlement_placed", "resources_gained")
    table = table.when(1, PlaceSettlement(corner="3,-3,S")).tells("settlement_placed", "resources_gained")
    table = table.when(1, PlaceRoad(edge="3,-2,NW")).tells("road_placed")
    table = table.when(1, PlaceSettlerShip(edge="2,0,NE")).tells("settler_ship_placed")
    table = table.when(0, PlaceRoad(edge="0,1,NE")).tells("road_placed")
    table = table.when(0, PlaceSettlerShip(edge="2,1,NW")).tells("settler_ship_placed", "turn_started")
    position = table.position
    assert (position.phase, position.active_seat) == ("roll", 1)
    own = [(state.resources.wool, state.resources.grain, state.resources.ore) for state in position.seats]
    assert own == [(1, 1, 1), (2, 1, 0)]
    assert (position.neutral.harbors, position.neutral.settlements) == (("4,-3,S", "1,3,N"), ("0,0,N", "0,3,N"))
