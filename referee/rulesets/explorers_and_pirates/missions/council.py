"""Deliveries at the docks of the Council: EP-102, EP-106."""

from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.missions.tracks import advance
from referee.rulesets.explorers_and_pirates.names import Cargo, Mission, Piece, ShipId
from referee.rulesets.explorers_and_pirates.pieces import with_ship
from referee.rulesets.explorers_and_pirates.position import Position, SaysOn

council = Chapter()

GOODS: dict[Piece, Mission] = {"fish": "fish", "spice": "spices"}
"""The goods that the Council takes, each with its mission."""


class GoodsDelivered(Event):
    """A ship delivered all its fish and spice sacks at a dock."""

    seat: Seat
    ship: ShipId
    fish: int
    spices: int


def carries_goods(cargo: Cargo) -> bool:
    """Whether fish or spice is aboard."""
    return not GOODS.keys().isdisjoint(cargo)


def deliver(position: Position, seat: Seat, ship: ShipId) -> SaysOn:
    """Deliver the goods of a ship that points at a dock; a delivery is forced (EP-102)."""
    there = position.seats[seat].ships[ship]
    if there.edge not in position.board.docked or not carries_goods(there.cargo):
        return position
    fish, spices = there.cargo.count("fish"), there.cargo.count("spice")
    position = yield GoodsDelivered(seat=seat, ship=ship, fish=fish, spices=spices)
    for piece, mission in GOODS.items():
        for _ in range(there.cargo.count(piece)):
            position = yield from advance(position, mission, seat)
    return position


@council.applies(GoodsDelivered)
def goods_delivered(position: Position, event: GoodsDelivered) -> Position:
    """Move the goods from the hold to the reserve."""
    cargo = position.seats[event.seat].ships[event.ship].cargo
    return with_ship(position, event.ship, cargo=tuple(piece for piece in cargo if piece not in GOODS))
