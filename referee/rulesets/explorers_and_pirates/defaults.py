"""What is played for a seat whose time has run out: the safe defaults of section 6."""

from collections.abc import Callable

from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.discards import Discard
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.founding import (
    PlaceHarbor,
    PlaceRoad,
    PlaceSettlement,
    PlaceSettlerShip,
    current_step,
    road_sites,
    ship_sites,
)
from referee.rulesets.explorers_and_pirates.ids import RESOURCES, Bag, CornerId
from referee.rulesets.explorers_and_pirates.missions.captures import ClaimHero
from referee.rulesets.explorers_and_pirates.offers import DeclineTrade, WithdrawTrade
from referee.rulesets.explorers_and_pirates.pieces import buildings, crowded, keeps_distance
from referee.rulesets.explorers_and_pirates.pirates import PlacePirate
from referee.rulesets.explorers_and_pirates.position import Position, key
from referee.rulesets.explorers_and_pirates.production import RollDice
from referee.rulesets.explorers_and_pirates.turns import EndTurn


def default(edition: Edition, position: Position, seat: Seat) -> Move:
    """The safe default of an awaited seat."""
    if position.phase in ("trade_build", "movement"):
        if position.offer is None:
            return EndTurn()
        return WithdrawTrade() if seat == position.active_seat else DeclineTrade()
    return DEFAULTS[position.phase](position, seat, edition)


def _placement(position: Position, seat: Seat, edition: Edition) -> Move:
    """The first legal placement in id order (EP-R39)."""
    match current_step(position).placement:
        case "place_harbor":
            return PlaceHarbor(corner=min(_free(position, position.board.map.harbor_sites)))
        case "place_settlement":
            return PlaceSettlement(corner=min(_free(position, tuple(position.board.island_corners))))
        case "place_road":
            return PlaceRoad(edge=min(road_sites(position, seat)))
        case "place_settler_ship":
            full = crowded(position, edition)
            return PlaceSettlerShip(edge=min(edge for edge in ship_sites(position, seat) if edge not in full))


def _free(position: Position, corners: tuple[CornerId, ...]) -> list[CornerId]:
    taken = buildings(position)
    return [corner for corner in corners if keeps_distance(position, corner, taken)]


def _discard(position: Position, seat: Seat, edition: Edition) -> Move:
    """From the most frequent resource on; ties in the order of the resources."""
    assert position.discards is not None
    hand = position.seats[seat].resources
    left = position.discards.need[key(seat)]
    given: Bag = {}
    for resource in sorted(RESOURCES, key=lambda each: -getattr(hand, each)):
        count = min(left, getattr(hand, resource))
        if count:
            given[resource] = count
        left -= count
    return Discard(resources={resource: given[resource] for resource in RESOURCES if resource in given})


def _pirate(position: Position, seat: Seat, edition: Edition) -> Move:
    """The first legal hex in hex order, and nobody is robbed."""
    own = position.pirate.hex if position.pirate and position.pirate.seat == seat else None
    return PlacePirate(hex=next(hex for hex in position.chart.pirate_places if hex != own))


DEFAULTS: dict[str, Callable[[Position, Seat, Edition], Move]] = {
    "founding": _placement,
    "roll": lambda position, seat, edition: RollDice(),
    "discard": _discard,
    "pirate": _pirate,
    "hero": lambda position, seat, edition: ClaimHero(advance=True),
}
