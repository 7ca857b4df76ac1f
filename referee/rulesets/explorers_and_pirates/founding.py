"""The founding phase: EP-10 to EP-16."""

from functools import cache
from typing import Literal, NamedTuple

from referee.kernel.message import Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ending import wins_at_once
from referee.rulesets.explorers_and_pirates.ids import Corner, CornerId, Edge, EdgeId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import require_distance, roads, ships_on
from referee.rulesets.explorers_and_pirates.placing import (
    HarborPlaced,
    RoadPlaced,
    SettlementPlaced,
    SettlerShipPlaced,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, clockwise
from referee.rulesets.explorers_and_pirates.production import ResourcesGained, cards_at
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
    """The placement that is awaited."""
    assert position.founding_step is not None
    return founding_steps(position.first_seat, len(position.seats))[position.founding_step]


@founding.decides(PlaceHarbor)
def place_harbor(case: Case, move: PlaceHarbor) -> Says:
    """EP-11."""
    require("EP-11", move.corner in case.position.board.map.harbor_sites, "This is no harbour site.")
    require_distance(case.position, move.corner)
    yield HarborPlaced(seat=case.seat, corner=move.corner, neutral=current_step(case.position).neutral)


@founding.decides(PlaceSettlement)
def place_settlement(case: Case, move: PlaceSettlement) -> Says:
    """EP-12, EP-13."""
    require("EP-12", move.corner in case.position.board.island_corners, "This is no corner of the island.")
    require_distance(case.position, move.corner)
    neutral = current_step(case.position).neutral
    position = yield SettlementPlaced(seat=case.seat, corner=move.corner, neutral=neutral)
    if not neutral:
        cards = cards_at(position, move.corner, case.edition)
        yield ResourcesGained(seat=case.seat, resources=cards, reason="start")


@founding.decides(PlaceRoad)
def place_road(case: Case, move: PlaceRoad) -> Says:
    """EP-14."""
    require(
        "EP-14", move.edge in road_sites(case.position, case.seat), "The road ends at your settlement, on a free path."
    )
    yield RoadPlaced(seat=case.seat, edge=move.edge, neutral=False)


@founding.decides(PlaceSettlerShip)
@wins_at_once
def place_settler_ship(case: Case, move: PlaceSettlerShip) -> Says:
    """EP-15; after the last ship the first turn starts (EP-10)."""
    free = ships_on(case.position, move.edge) < case.edition.ships_per_route
    at_harbor = move.edge in ship_sites(case.position, case.seat)
    require("EP-15", at_harbor and free, "The ship goes on a sea route at your harbour settlement that has room.")
    position = yield SettlerShipPlaced(seat=case.seat, ship=ShipId(f"{case.seat}-1"), edge=move.edge)
    if position.founding_step == len(founding_steps(position.first_seat, len(position.seats))):
        yield TurnStarted(seat=position.first_seat, number=1)


def road_sites(position: Position, seat: Seat) -> tuple[EdgeId, ...]:
    """The free paths that end at a seat's settlement."""
    taken, paths = roads(position), position.chart.paths
    at = position.board.edges_at
    corners: tuple[CornerId, ...] = position.seats[seat].settlements
    return tuple(edge for corner in corners for edge in at[corner] if edge in paths and edge not in taken)


def ship_sites(position: Position, seat: Seat) -> tuple[EdgeId, ...]:
    """The sea routes that end at a harbour settlement of a seat."""
    routes, at = position.chart.routes, position.board.edges_at
    return tuple(edge for corner in position.seats[seat].harbors for edge in at[corner] if edge in routes)
