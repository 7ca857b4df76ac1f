"""Building roads, settlements, harbour settlements and ships: EP-23 to EP-27, EP-58 to EP-66."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.names import (
    Bag,
    Cargo,
    Corner,
    CornerId,
    Edge,
    EdgeId,
    HexId,
    ShipId,
    ShipName,
    joined,
)
from referee.rulesets.explorers_and_pirates.pieces import (
    buildings,
    ground,
    own_ship,
    require_distance,
    require_supply,
    roads,
    ship_fault,
    with_state,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, Ship
from referee.rulesets.explorers_and_pirates.scoring import ScoringEvent, wins_at_once
from referee.rulesets.explorers_and_pirates.sites import barred_hexes
from referee.rulesets.explorers_and_pirates.wealth import holds, in_words, paid, shortage

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
        ShipName | None, Meta(description="The ship to take back; required if all three are on the board.")
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
    """A seat replaced a settlement by a harbour settlement."""

    seat: Seat
    corner: CornerId
    cost: Bag


class ShipRemoved(Event):
    """A seat took back a ship; its cargo is lost."""

    seat: Seat
    ship: ShipId
    cargo: Cargo


class ShipBuilt(Event):
    """A seat built a ship."""

    seat: Seat
    ship: ShipId
    edge: EdgeId
    cost: Bag


def require_price(case: Case, piece: str, price: Bag) -> None:
    """Refuse a seat that cannot pay the full price (EP-27)."""
    state = case.position.seats[case.seat]
    if not holds(state, price):
        raise Rejection("EP-27", f"{piece} costs {in_words(price)}; you have {shortage(state, price)}.")


def require_open(position: Position, seat: Seat, hexes: tuple[HexId, ...]) -> None:
    """Refuse roads and buildings at tiles that are face down (EP-23) or closed to the seat (EP-24, EP-25)."""
    barred = barred_hexes(position, position.chart, seat)
    if barred.isdisjoint(hexes):
        return
    for hex in hexes:
        if hex in position.chart.covered:
            raise Rejection("EP-23", f"The tile {hex} is face down: nobody builds there.")
    for hex in hexes:
        if hex in barred and hex in position.lairs:
            raise Rejection("EP-24", f"The pirate lair on {hex} is not captured: nobody builds there.")
    strange = joined([hex for hex in hexes if hex in barred])
    raise Rejection("EP-25", f"You have no unit in the village on {strange}: you cannot build there.")


def edges_in_reach(position: Position, seat: Seat) -> dict[EdgeId, None]:
    """The edges at a seat's buildings, and at its roads where nobody has built (EP-58).

    No path leads from the island or from one area to another, so in each area a settler ship comes first (EP-61).
    """
    state, board, built = position.seats[seat], position.board, buildings(position)
    ends = [end for edge in state.roads for end in board.ends[edge] if end not in built]
    corners = (*state.settlements, *state.harbors, *ends)
    return dict.fromkeys([edge for corner in corners for edge in board.edges_at[corner]])


@building.decides(BuildRoad)
def build_road(case: Case, move: BuildRoad) -> Says:
    """Check EP-58 and EP-59; then build the road."""
    position, seat = case.position, case.seat
    edge, price = move.edge, case.edition.prices.road
    require_supply(len(position.seats[seat].roads), case.edition.supply.road, "roads")
    sides = position.board.sides[edge]
    if edge not in position.chart.paths:
        raise Rejection("EP-59", f"{edge} is not a path: {ground(position, sides)}.")
    if edge in roads(position):
        raise Rejection("EP-59", f"{_road_on(position, seat, edge)} lies on {edge}.")
    require_open(position, seat, sides)
    if edge not in edges_in_reach(position, seat):
        raise Rejection("EP-58", _reach_fault(position, seat, edge))
    require_price(case, "A road", price)
    yield RoadBuilt(seat=seat, edge=edge, cost=price)


def _road_on(position: Position, seat: Seat, edge: EdgeId) -> str:
    """The road on an edge, as its reader would call it."""
    if edge in position.neutral.roads:
        return "A neutral road"
    owner = next(number for number, state in enumerate(position.seats) if edge in state.roads)
    return "Your road" if owner == seat else f"A road of seat {owner}"


def _reach_fault(position: Position, seat: Seat, edge: EdgeId) -> str:
    """Why a road on an edge does not touch the seat's roads and buildings (EP-58)."""
    state, board = position.seats[seat], position.board
    for end in board.ends[edge]:
        if any(road in state.roads for road in board.edges_at[end]):
            return f"The building on {end} is not yours, and your road to {end} does not lead past it."
    return f"{edge} ends at {joined(board.ends[edge])}, where you have neither a building nor a road."


@building.decides(BuildSettlement)
@wins_at_once
def build_settlement(case: Case, move: BuildSettlement) -> Says:
    """Check EP-60; then build the settlement."""
    position, seat = case.position, case.seat
    state, board = position.seats[seat], position.board
    require_supply(len(state.settlements), case.edition.supply.settlement, "settlements")
    if move.corner not in position.chart.land_corners:
        around = ground(position, board.hexes_at[move.corner])
        raise Rejection("EP-60", f"{move.corner} touches no land: {around}.")
    at_road = any(edge in state.roads for edge in board.edges_at[move.corner])
    require("EP-60", at_road, f"None of your {len(state.roads)} roads ends at {move.corner}.")
    require_distance(position, move.corner)
    require_open(position, seat, board.hexes_at[move.corner])
    price = case.edition.prices.settlement
    require_price(case, "A settlement", price)
    yield SettlementBuilt(seat=seat, corner=move.corner, cost=price)


@building.decides(BuildHarbor)
@wins_at_once
def build_harbor(case: Case, move: BuildHarbor) -> Says:
    """Check EP-62; then turn the settlement into a harbour settlement."""
    position, state = case.position, case.position.seats[case.seat]
    require_supply(len(state.harbors), case.edition.supply.harbor, "harbour settlements")
    done = move.corner in state.harbors
    require("EP-62", not done, f"Your building on {move.corner} is a harbour settlement already.")
    there = "the building there is not yours" if move.corner in buildings(position) else "nobody has built there"
    require("EP-62", move.corner in state.settlements, f"You have no settlement on {move.corner}: {there}.")
    require(
        "EP-62", move.corner in position.chart.coast, f"No sea route ends at {move.corner}: it is not on the coast."
    )
    price = case.edition.prices.harbor
    require_price(case, "A harbour settlement", price)
    yield HarborBuilt(seat=case.seat, corner=move.corner, cost=price)


@building.decides(BuildShip)
def build_ship(case: Case, move: BuildShip) -> Says:
    """Check EP-64 to EP-66; then take back the ship in `replace`, if any, and build the new one."""
    position, state = case.position, case.position.seats[case.seat]
    out, most = len(state.ships), case.edition.supply.ship
    if (out >= most) != (move.replace is not None):
        full = f"All {most} of your ships are on the board: name the one to take back in `replace`."
        spare = f"You take back no ship while {most - out} of your {most} are in your supply: leave out `replace`."
        raise Rejection("EP-66", full if out >= most else spare)
    old = None if move.replace is None else own_ship(position, case.seat, move.replace)
    fault = ship_fault(position, case.seat, move.edge, case.edition, besides=move.replace)
    if fault is not None:
        raise Rejection("EP-64", fault)
    hidden = position.chart.discoveries.get(move.edge)
    if hidden is not None:
        raise Rejection("EP-65", f"A new ship on {move.edge} would point at the face-down tile {hidden}.")
    price = case.edition.prices.ship
    require_price(case, "A ship", price)
    if move.replace is not None and old is not None:
        position = yield ShipRemoved(seat=case.seat, ship=move.replace, cargo=old.cargo)
    yield ShipBuilt(seat=case.seat, ship=free_ship(position, case.seat), edge=move.edge, cost=price)


def free_ship(position: Position, seat: Seat) -> ShipId:
    """The smallest free id of a seat's ships (2.1)."""
    taken = position.seats[seat].ships
    return next(ship for ship in (ShipId(f"{seat}-{k}") for k in range(1, len(taken) + 2)) if ship not in taken)


@building.applies(RoadBuilt)
def road_built(position: Position, event: RoadBuilt) -> Position:
    """Pay the price, add the piece."""
    roads_now = (*position.seats[event.seat].roads, event.edge)
    return with_state(paid(position, event.seat, event.cost), event.seat, roads=roads_now)


@building.applies(SettlementBuilt)
def settlement_built(position: Position, event: SettlementBuilt) -> Position:
    """Pay the price, add the piece."""
    settlements = (*position.seats[event.seat].settlements, event.corner)
    return with_state(paid(position, event.seat, event.cost), event.seat, settlements=settlements)


@building.applies(HarborBuilt)
def harbor_built(position: Position, event: HarborBuilt) -> Position:
    """Pay the price, return the settlement, add a harbour settlement with an empty basin (EP-63)."""
    state = position.seats[event.seat]
    settlements = without(state.settlements, (event.corner,))
    harbors = {**state.harbors, event.corner: ()}
    return with_state(paid(position, event.seat, event.cost), event.seat, settlements=settlements, harbors=harbors)


@building.applies(ShipRemoved)
def ship_removed(position: Position, event: ShipRemoved) -> Position:
    """Return the ship and its cargo."""
    ships = {id: ship for id, ship in position.seats[event.seat].ships.items() if id != event.ship}
    return with_state(position, event.seat, ships=ships)


@building.applies(ShipBuilt)
def ship_built(position: Position, event: ShipBuilt) -> Position:
    """Pay the price, add a ship with an empty hold."""
    ships = {**position.seats[event.seat].ships, event.ship: Ship(edge=event.edge, cargo=())}
    return with_state(paid(position, event.seat, event.cost), event.seat, ships=ships)
