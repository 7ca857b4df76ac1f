"""What a seat may try in its movement phase: where its ships can go, and what they can do where they lie."""

from collections.abc import Iterable

from referee.kernel.changes import without
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import voyages
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ids import Cargo, CornerId, EdgeId, HexId, ShipId
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import (
    BuyMovement,
    MoveShip,
    points_left,
    tribute_hex,
    voyage_of,
)
from referee.rulesets.explorers_and_pirates.pieces import crowded, fits, parts_of
from referee.rulesets.explorers_and_pirates.pirates import ChasePirate
from referee.rulesets.explorers_and_pirates.position import Position, Ship, key
from referee.rulesets.explorers_and_pirates.pressing import pressing, under_way
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement

Moves = Iterable[Move]


def movement_candidates(position: Position, seat: Seat, edition: Edition) -> Moves:
    """The moves of all ships, and the fish die."""
    full = crowded(position, edition)
    wool = position.seats[seat].resources.wool > 0
    for id, ship in position.seats[seat].ships.items():
        voyage = voyage_of(position, id)
        if not voyage.finished:
            reach = points_left(position, seat, voyage, edition)
            yield from _ways(position, id, ship.edge, full, reach, tribute_hex(position, seat, voyage))
            yield from pressing(under_way(position, seat, id, ship, reach, edition))
            if wool:
                yield BuyMovement(ship=id)
        yield from pressing(_acts(position, seat, id, ship, edition))
        yield from _transfers(position, seat, id, ship, edition)
    if "fish" in scenario_of(position).missions:
        yield RollFish()


def _ways(
    position: Position, id: ShipId, start: EdgeId, full: frozenset[EdgeId], reach: int, shunned: HexId | None
) -> Moves:
    """A shortest path to every route in reach that has room."""
    for edge, path in voyages(position.chart, start, None).items():
        if len(path) > reach:
            return
        if edge not in full:
            if shunned is None:
                yield MoveShip(ship=id, path=path)
            else:
                yield from _ways_past(position, id, start, path, reach, shunned)


def _ways_past(
    position: Position, id: ShipId, start: EdgeId, path: tuple[EdgeId, ...], reach: int, pirate: HexId
) -> Moves:
    """The shortest path that costs no tribute, and the one that does if it is shorter or the only one (EP-47)."""
    sides = position.board.sides
    if not any(pirate in sides[edge] for edge in (start, *path)):
        yield MoveShip(ship=id, path=path)
        return
    free = () if pirate in sides[start] else voyages(position.chart, start, pirate).get(path[-1], ())
    if 0 < len(free) <= reach:
        yield MoveShip(ship=id, path=free)
    if len(free) != len(path):
        yield MoveShip(ship=id, path=path, pay_tribute=True)


def _acts(position: Position, seat: Seat, id: ShipId, ship: Ship, edition: Edition) -> Moves:
    """What a ship can do without moving."""
    board = position.board
    ends = board.ends[ship.edge]
    if "settler" in ship.cargo:
        yield from (FoundSettlement(ship=id, corner=corner) for corner in ends)
    pointed = board.pointed_at[ship.edge]
    if position.pirate is not None and position.pirate.hex in pointed:
        yield ChasePirate(ship=id)
    if "unit" in ship.cargo:
        count = ship.cargo.count("unit")
        yield from (BefriendVillage(ship=id, hex=hex) for hex in position.villages if hex in pointed)
        for hex, lair in position.lairs.items():
            if hex in pointed and not lair.captured:
                yield from (LandUnits(ship=id, hex=hex, count=landed) for landed in range(1, count + 1))
    yield from (CatchFish(ship=id, hex=hex) for hex in position.fish if hex in pointed)
    for hex, lair in position.lairs.items():
        if lair.captured and hex in pointed:
            here = lair.units.get(key(seat), 0)
            yield from (PickUpUnits(ship=id, hex=hex, count=taken) for taken in range(1, here + 1))


def _transfers(position: Position, seat: Seat, id: ShipId, ship: Ship, edition: Edition) -> Moves:
    """Every distinct exchange of a hold with a basin that it has room for; loading an empty ship is pressing."""
    harbors = position.seats[seat].harbors
    for corner in position.board.ends[ship.edge]:
        if corner in harbors and (ship.cargo or harbors[corner]):
            moves = _exchanges(id, ship.cargo, corner, harbors[corner], edition)
            yield from moves if ship.cargo else pressing(moves)


def _exchanges(id: ShipId, hold: Cargo, corner: CornerId, basin: Cargo, edition: Edition) -> Moves:
    for load in ((), *parts_of(basin)):
        for unload in ((), *parts_of(hold)):
            if (load or unload) and fits((*without(hold, unload), *load), edition):
                yield TransferCargo(ship=id, harbor=corner, load=load, unload=unload)
