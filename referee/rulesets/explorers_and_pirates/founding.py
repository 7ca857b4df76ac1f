"""The founding phase: EP-10 to EP-16."""

from functools import cache
from typing import Literal, NamedTuple

from referee.kernel.chapter import Chapter
from referee.kernel.message import Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.explorers_and_pirates.names import Corner, CornerId, Edge, EdgeId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import ground, require_distance, roads, ship_fault
from referee.rulesets.explorers_and_pirates.placing import (
    HarborPlaced,
    RoadPlaced,
    SettlementPlaced,
    SettlerShipPlaced,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.production import ResourcesGained, cards_at
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once
from referee.rulesets.explorers_and_pirates.turns import TurnStarted

founding = Chapter()

Placement = Literal["place_harbor", "place_settlement", "place_road", "place_settler_ship"]


class Step(NamedTuple):
    """One placement of the founding phase."""

    placement: Placement
    seat: Seat
    neutral: bool = False


class PlaceHarbor(Move):
    """Place your harbour settlement, or a neutral one, on a harbour site."""

    corner: Corner


class PlaceSettlement(Move):
    """Place your settlement, or a neutral one, on a corner of the island."""

    corner: Corner


class PlaceRoad(Move):
    """Place your road at your settlement."""

    edge: Edge


class PlaceSettlerShip(Move):
    """Place your ship with a settler aboard at your harbour settlement."""

    edge: Edge


@cache
def founding_steps(first: Seat, count: int) -> tuple[Step, ...]:
    """All placements in order (EP-10, with two seats EP-16)."""
    order = clockwise(first, count)
    steps = [Step("place_harbor", seat) for seat in order]
    if count == 2:
        steps += [Step("place_harbor", seat, neutral=True) for seat in order]
        steps += [Step("place_settlement", seat, neutral=True) for seat in reversed(order)]
    steps += [Step("place_settlement", seat) for seat in reversed(order)]
    for seat in order:
        steps += [Step("place_road", seat), Step("place_settler_ship", seat)]
    return tuple(steps)


def current_step(position: Position) -> Step:
    """The placement that comes next."""
    assert position.founding_step is not None
    return founding_steps(position.first_seat, len(position.seats))[position.founding_step]


@founding.decides(PlaceHarbor)
def place_harbor(case: Case, move: PlaceHarbor) -> Says:
    """Check EP-11; then place the harbour settlement."""
    sites = case.position.board.map.harbor_sites
    require("EP-11", move.corner in sites, f"{move.corner} is none of the {len(sites)} harbour sites.")
    require_distance(case.position, move.corner)
    yield HarborPlaced(seat=case.seat, corner=move.corner, neutral=current_step(case.position).neutral)


@founding.decides(PlaceSettlement)
def place_settlement(case: Case, move: PlaceSettlement) -> Says:
    """Check EP-12; then place the settlement, and pay out its first cards (EP-13)."""
    on_island = move.corner in case.position.board.island_corners
    require("EP-12", on_island, f"{move.corner} is not a corner of the starting island.")
    require_distance(case.position, move.corner)
    neutral = current_step(case.position).neutral
    position = yield SettlementPlaced(seat=case.seat, corner=move.corner, neutral=neutral)
    if not neutral:
        cards = cards_at(position, move.corner, case.edition)
        yield ResourcesGained(seat=case.seat, resources=cards, reason="start")


@founding.decides(PlaceRoad)
def place_road(case: Case, move: PlaceRoad) -> Says:
    """Check EP-14; then place the road."""
    if move.edge not in road_sites(case.position, case.seat):
        raise Rejection("EP-14", _road_fault(case.position, case.seat, move.edge))
    yield RoadPlaced(seat=case.seat, edge=move.edge, neutral=False)


@founding.decides(PlaceSettlerShip)
@wins_at_once
def place_settler_ship(case: Case, move: PlaceSettlerShip) -> Says:
    """Check EP-15; then place the ship. After the last ship the first turn starts (EP-10)."""
    fault = ship_fault(case.position, case.seat, move.edge, case.edition, besides=None)
    if fault is not None:
        raise Rejection("EP-15", fault)
    position = yield SettlerShipPlaced(seat=case.seat, ship=ShipId(f"{case.seat}-1"), edge=move.edge)
    if position.founding_step == len(founding_steps(position.first_seat, len(position.seats))):
        yield TurnStarted(seat=position.first_seat, number=1)


def road_sites(position: Position, seat: Seat) -> tuple[EdgeId, ...]:
    """The paths without a road that end at a seat's settlement."""
    taken, paths = roads(position), position.chart.paths
    at = position.board.edges_at
    corners: tuple[CornerId, ...] = position.seats[seat].settlements
    return tuple(edge for corner in corners for edge in at[corner] if edge in paths and edge not in taken)


def _road_fault(position: Position, seat: Seat, edge: EdgeId) -> str:
    """Why the first road cannot lie on an edge."""
    if not set(position.seats[seat].settlements) & set(position.board.ends[edge]):
        return f"{edge} does not end at your settlement."
    if edge not in position.chart.paths:
        return f"{edge} is not a path: {ground(position, position.board.sides[edge])}."
    return f"{edge} already carries a road."
