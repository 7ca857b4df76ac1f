"""The advantages of a seat with units in villages: EP-107 to EP-110."""

from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Advantage, Edition
from referee.rulesets.explorers_and_pirates.position import Position


def advantages_of(position: Position, seat: Seat, edition: Edition) -> tuple[Advantage, ...]:
    """The advantages of the villages where a seat has a unit (EP-107)."""
    if not position.villages:
        return ()
    tiles = [position.areas[hex].tile for hex, village in position.villages.items() if seat in village.units]
    return tuple([advantage for tile in tiles for name, advantage in edition.villages.items() if name == tile])


def movement_points(position: Position, seat: Seat, edition: Edition) -> int:
    """The movement points of each ship of a seat in a turn, without those bought for wool (EP-70, EP-108)."""
    return edition.movement_points + sum([each.movement for each in advantages_of(position, seat, edition)])


def chase_faces(position: Position, seat: Seat, edition: Edition) -> tuple[int, ...]:
    """The faces of the die that chase a pirate ship away (EP-83, EP-109)."""
    gained = (each.chase for each in advantages_of(position, seat, edition))
    return (*edition.chase_faces, *(face for face in gained if face is not None))


def sales_per_turn(position: Position, seat: Seat, edition: Edition) -> int:
    """The number of cards that a seat may sell in a turn (EP-57, EP-110)."""
    return sum([each.sales for each in advantages_of(position, seat, edition)])
