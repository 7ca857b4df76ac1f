"""Events of pieces that are placed free of charge, at a fixed start or in the founding phase."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.names import CornerId, EdgeId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import with_state
from referee.rulesets.explorers_and_pirates.position import Position, Ship

placing = Chapter()


class HarborPlaced(Event):
    """A harbour settlement was placed."""

    seat: Seat | None
    """The seat that placed it; null for neutral pieces of a fixed start."""
    corner: CornerId
    neutral: bool


class SettlementPlaced(Event):
    """A settlement was placed."""

    seat: Seat | None
    corner: CornerId
    neutral: bool


class RoadPlaced(Event):
    """A road was placed."""

    seat: Seat | None
    edge: EdgeId
    neutral: bool


class SettlerShipPlaced(Event):
    """A seat placed a ship with a settler aboard."""

    seat: Seat
    ship: ShipId
    edge: EdgeId


def next_step(position: Position) -> Position:
    """The position with the next founding step, if it is in the founding phase."""
    if position.phase != "founding" or position.founding_step is None:
        return position
    return replace(position, founding_step=position.founding_step + 1)


@placing.applies(HarborPlaced)
def harbor_placed(position: Position, event: HarborPlaced) -> Position:
    """Add the harbour settlement, with an empty basin, to its owner or to the neutral pieces."""
    if event.neutral or event.seat is None:
        neutral = position.neutral
        harbors = (*neutral.harbors, event.corner)
        return next_step(replace(position, neutral=replace(neutral, harbors=harbors)))
    own = {**position.seats[event.seat].harbors, event.corner: ()}
    return next_step(with_state(position, event.seat, harbors=own))


@placing.applies(SettlementPlaced)
def settlement_placed(position: Position, event: SettlementPlaced) -> Position:
    """Add the settlement to its owner or to the neutral pieces."""
    if event.neutral or event.seat is None:
        neutral = position.neutral
        settlements = (*neutral.settlements, event.corner)
        return next_step(replace(position, neutral=replace(neutral, settlements=settlements)))
    own = (*position.seats[event.seat].settlements, event.corner)
    return next_step(with_state(position, event.seat, settlements=own))


@placing.applies(RoadPlaced)
def road_placed(position: Position, event: RoadPlaced) -> Position:
    """Add the road to its owner or to the neutral pieces."""
    if event.neutral or event.seat is None:
        neutral = position.neutral
        return next_step(replace(position, neutral=replace(neutral, roads=(*neutral.roads, event.edge))))
    return next_step(with_state(position, event.seat, roads=(*position.seats[event.seat].roads, event.edge)))


@placing.applies(SettlerShipPlaced)
def settler_ship_placed(position: Position, event: SettlerShipPlaced) -> Position:
    """Add the ship with its settler."""
    ship = Ship(edge=event.edge, cargo=("settler",))
    return next_step(with_state(position, event.seat, ships={**position.seats[event.seat].ships, event.ship: ship}))
