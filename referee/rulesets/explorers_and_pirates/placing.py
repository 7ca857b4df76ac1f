"""Pieces that come onto the board free of charge, at a fixed start or in the founding phase: their events."""

from referee.kernel.changes import replace
from referee.kernel.message import Event
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ids import CornerId, EdgeId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import with_seat
from referee.rulesets.explorers_and_pirates.position import Position, Ship

placing = Chapter()


class HarborPlaced(Event):
    """A harbour settlement stands on the board."""

    seat: Seat | None
    """The seat that placed it; null for neutral pieces of a fixed start."""
    corner: CornerId
    neutral: bool


class SettlementPlaced(Event):
    """A settlement stands on the board."""

    seat: Seat | None
    corner: CornerId
    neutral: bool


class RoadPlaced(Event):
    """A road lies on the board."""

    seat: Seat | None
    edge: EdgeId
    neutral: bool


class SettlerShipPlaced(Event):
    """A ship with a settler aboard lies on a sea route."""

    seat: Seat
    ship: ShipId
    edge: EdgeId


def next_step(position: Position) -> Position:
    """In the founding phase every placement is one step."""
    if position.phase != "founding" or position.founding_step is None:
        return position
    return replace(position, founding_step=position.founding_step + 1)


@placing.applies(HarborPlaced)
def harbor_placed(position: Position, event: HarborPlaced) -> Position:
    """The harbour settlement has an empty basin."""
    if event.neutral or event.seat is None:
        neutral = position.neutral
        harbors = (*neutral.harbors, event.corner)
        return next_step(replace(position, neutral=replace(neutral, harbors=harbors)))
    own = {**position.seats[event.seat].harbors, event.corner: ()}
    return next_step(with_seat(position, event.seat, harbors=own))


@placing.applies(SettlementPlaced)
def settlement_placed(position: Position, event: SettlementPlaced) -> Position:
    """The settlement is its owner's, or neutral."""
    if event.neutral or event.seat is None:
        neutral = position.neutral
        settlements = (*neutral.settlements, event.corner)
        return next_step(replace(position, neutral=replace(neutral, settlements=settlements)))
    own = (*position.seats[event.seat].settlements, event.corner)
    return next_step(with_seat(position, event.seat, settlements=own))


@placing.applies(RoadPlaced)
def road_placed(position: Position, event: RoadPlaced) -> Position:
    """The road is its owner's, or neutral."""
    if event.neutral or event.seat is None:
        neutral = position.neutral
        return next_step(replace(position, neutral=replace(neutral, roads=(*neutral.roads, event.edge))))
    return next_step(with_seat(position, event.seat, roads=(*position.seats[event.seat].roads, event.edge)))


@placing.applies(SettlerShipPlaced)
def settler_ship_placed(position: Position, event: SettlerShipPlaced) -> Position:
    """A ship with a settler."""
    ship = Ship(edge=event.edge, cargo=("settler",))
    return next_step(with_seat(position, event.seat, ships={**position.seats[event.seat].ships, event.ship: ship}))
