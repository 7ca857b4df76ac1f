"""Building roads, settlements, harbour settlements and ships: EP-23 to EP-27, EP-58 to EP-66."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ending import ScoringEvent, wins_at_once
from referee.rulesets.explorers_and_pirates.ids import (
    Bag,
    Cargo,
    Corner,
    CornerId,
    Edge,
    EdgeId,
    HexId,
    ShipId,
    ShipName,
)
from referee.rulesets.explorers_and_pirates.pieces import (
    buildings,
    has_building,
    own_ship,
    require_distance,
    roads,
    ships_on,
    with_seat,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, Ship
from referee.rulesets.explorers_and_pirates.wealth import Goods, holds, paid

building = Chapter()


class BuildRoad(Move):
    """Build a road on a free path that touches your roads or buildings."""

    edge: Edge


class BuildSettlement(Move):
    """Build a settlement at the end of one of your roads."""

    corner: Corner


class BuildHarbor(Move):
    """Replace one of your settlements on the coast by a harbour settlement."""

    corner: Corner


class BuildShip(Move):
    """Build a ship at one of your harbour settlements."""

    edge: Edge
    replace: Annotated[
        ShipName | None, Meta(description="The ship that is taken back, if all three are on the board.")
    ] = None


class RoadBuilt(Event):
    """A seat built a road."""

    seat: Seat
    edge: EdgeId
    cost: Bag


class SettlementBuilt(ScoringEvent):
    """A seat built a settlement."""

    seat: Seat
    corner: CornerId
    cost: Bag


class HarborBuilt(ScoringEvent):
    """A harbour settlement took the place of a settlement."""

    seat: Seat
    corner: CornerId
    cost: Bag


class ShipRemoved(Event):
    """A ship was taken back; its cargo is lost."""

    seat: Seat
    ship: ShipId
    cargo: Cargo


class ShipBuilt(Event):
    """A seat built a ship."""

    seat: Seat
    ship: ShipId
    edge: EdgeId
    cost: Bag


def require_price(case: Case, price: Goods) -> None:
    """Refuse who cannot pay the full price (EP-27)."""
    require("EP-27", holds(case.position.seats[case.seat], price), "You cannot pay the price.")


def require_open(position: Position, seat: Seat, hexes: Iterable[HexId]) -> None:
    """Refuse roads and buildings at tiles that are face down (EP-23) or closed to the seat (EP-24, EP-25)."""
    around = tuple(hexes)
    areas, lairs, villages = position.areas, position.lairs, position.villages
    up = all(areas[hex].up for hex in around if hex in areas)
    require("EP-23", up, "Nothing is built at a face-down tile.")
    free = all(lairs[hex].captured for hex in around if hex in lairs)
    require("EP-24", free, "Nothing is built at a gold river whose lair is not captured.")
    friends = all(seat in villages[hex].units for hex in around if hex in villages)
    require("EP-25", friends, "Nothing is built at a village where you have no unit.")


def is_connected(position: Position, seat: Seat, edge: EdgeId) -> bool:
    """Whether a road there would touch an own building, or an own road not cut off by another's building (EP-58).

    No path leads from the island or from one area to another, so in each area a settler ship comes first (EP-61).
    """
    state, board = position.seats[seat], position.board
    for corner in board.ends[edge]:
        if has_building(state, corner):
            return True
        if any(other in state.roads for other in board.edges_at[corner]) and corner not in buildings(position):
            return True
    return False


@building.decides(BuildRoad)
def build_road(case: Case, move: BuildRoad) -> Says:
    """EP-58, EP-59."""
    position, seat = case.position, case.seat
    require("EP-26", len(position.seats[seat].roads) < case.edition.supply.road, "You have no road left.")
    free = move.edge in position.chart.paths and move.edge not in roads(position)
    require("EP-59", free, "A road lies on a path that carries no road.")
    require_open(position, seat, position.board.sides[move.edge])
    require("EP-58", is_connected(position, seat, move.edge), "A road touches your buildings or your roads.")
    price = case.edition.prices.road
    require_price(case, price)
    yield RoadBuilt(seat=seat, edge=move.edge, cost=price)


@building.decides(BuildSettlement)
@wins_at_once
def build_settlement(case: Case, move: BuildSettlement) -> Says:
    """EP-60."""
    position, seat = case.position, case.seat
    state, board = position.seats[seat], position.board
    require("EP-26", len(state.settlements) < case.edition.supply.settlement, "You have no settlement left.")
    at_road = any(edge in state.roads for edge in board.edges_at[move.corner])
    on_land = move.corner in position.chart.land_corners
    require("EP-60", at_road and on_land, "A settlement stands on land, at the end of your road.")
    require_distance(position, move.corner)
    require_open(position, seat, board.hexes_at[move.corner])
    price = case.edition.prices.settlement
    require_price(case, price)
    yield SettlementBuilt(seat=seat, corner=move.corner, cost=price)


@building.decides(BuildHarbor)
@wins_at_once
def build_harbor(case: Case, move: BuildHarbor) -> Says:
    """EP-62."""
    position, state = case.position, case.position.seats[case.seat]
    require("EP-26", len(state.harbors) < case.edition.supply.harbor, "You have no harbour settlement left.")
    coastal = move.corner in state.settlements and move.corner in position.chart.coast
    require("EP-62", coastal, "A harbour settlement replaces your settlement on the coast.")
    price = case.edition.prices.harbor
    require_price(case, price)
    yield HarborBuilt(seat=case.seat, corner=move.corner, cost=price)


@building.decides(BuildShip)
def build_ship(case: Case, move: BuildShip) -> Says:
    """EP-64 to EP-66."""
    position, state = case.position, case.position.seats[case.seat]
    all_out = len(state.ships) >= case.edition.supply.ship
    fitting = all_out == (move.replace is not None)
    require("EP-66", fitting, "A ship is taken back exactly if all of yours are on the board.")
    old = None if move.replace is None else own_ship(position, case.seat, move.replace)
    at_harbor = any(corner in state.harbors for corner in position.board.ends[move.edge])
    room = ships_on(position, move.edge, besides=move.replace) < case.edition.ships_per_route
    sails = move.edge in position.chart.routes
    require("EP-64", sails and at_harbor and room, "A ship starts on a sea route at your harbour that has room.")
    charted = move.edge not in position.chart.discoveries
    require("EP-65", charted, "A ship is not built where it points at a face-down tile.")
    price = case.edition.prices.ship
    require_price(case, price)
    if move.replace is not None and old is not None:
        position = yield ShipRemoved(seat=case.seat, ship=move.replace, cargo=old.cargo)
    yield ShipBuilt(seat=case.seat, ship=free_ship(position, case.seat), edge=move.edge, cost=price)


def free_ship(position: Position, seat: Seat) -> ShipId:
    """The smallest free id of a seat's ships (2.1)."""
    taken = position.seats[seat].ships
    return next(ship for ship in (ShipId(f"{seat}-{k}") for k in range(1, len(taken) + 2)) if ship not in taken)


@building.applies(RoadBuilt)
def road_built(position: Position, event: RoadBuilt) -> Position:
    """Paid and added."""
    roads_now = (*position.seats[event.seat].roads, event.edge)
    return with_seat(paid(position, event.seat, event.cost), event.seat, roads=roads_now)


@building.applies(SettlementBuilt)
def settlement_built(position: Position, event: SettlementBuilt) -> Position:
    """Paid and added."""
    settlements = (*position.seats[event.seat].settlements, event.corner)
    return with_seat(paid(position, event.seat, event.cost), event.seat, settlements=settlements)


@building.applies(HarborBuilt)
def harbor_built(position: Position, event: HarborBuilt) -> Position:
    """Paid; the settlement goes back, the basin is empty (EP-63)."""
    state = position.seats[event.seat]
    settlements = without(state.settlements, (event.corner,))
    harbors = {**state.harbors, event.corner: ()}
    return with_seat(paid(position, event.seat, event.cost), event.seat, settlements=settlements, harbors=harbors)


@building.applies(ShipRemoved)
def ship_removed(position: Position, event: ShipRemoved) -> Position:
    """Ship and cargo go back to where they came from."""
    ships = {id: ship for id, ship in position.seats[event.seat].ships.items() if id != event.ship}
    return with_seat(position, event.seat, ships=ships)


@building.applies(ShipBuilt)
def ship_built(position: Position, event: ShipBuilt) -> Position:
    """Paid; the hold is empty."""
    ships = {**position.seats[event.seat].ships, event.ship: Ship(edge=event.edge, cargo=())}
    return with_seat(paid(position, event.seat, event.cost), event.seat, ships=ships)
