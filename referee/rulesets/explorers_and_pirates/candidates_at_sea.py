"""Candidates of the movement phase: where ships can go, and what they can do where they are."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.kernel.candidates import Candidates, Proved, proved_if
from referee.kernel.changes import without
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import (
    BuyMovement,
    Course,
    MoveShip,
    course_of,
    voyage_of,
)
from referee.rulesets.explorers_and_pirates.names import Cargo, CornerId, EdgeId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import fish_left, fits, parts_of, passing_ship
from referee.rulesets.explorers_and_pirates.pirates import ChasePirate
from referee.rulesets.explorers_and_pirates.position import Position, Ship, key
from referee.rulesets.explorers_and_pirates.pressing import pressing, under_way
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.wealth import holds

Moves = Iterable[Move]


def movement_candidates(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """The moves of all ships, and the fish die."""
    state, board, passing = position.seats[seat], position.board, passing_ship(position, edition)
    pirate = (position.pirate.hex,) if position.pirate is not None else ()
    stirring = (*pirate, *position.lairs, *position.fish)
    for id, ship in state.ships.items():
        voyage = voyage_of(position, id)
        if not voyage.finished:
            if passing in (None, id):  # EP-75
                course = course_of(position, edition, seat, id)
                solvent = course.pirate is None or state.gold >= edition.tribute_gold  # EP-27
                yield from proved_if(solvent, passages(course, id))
                yield from under_way(position, seat, id, ship, course.left, edition)
            if state.resources.wool > 0:
                once = not voyage.wool and holds(state, edition.prices.movement)  # EP-74, EP-27
                yield from proved_if(once, Proved((BuyMovement(ship=id),)))
        if ship.cargo or not board.pointed_at[ship.edge].isdisjoint(stirring):
            yield from pressing(_acts(position, seat, id, ship, edition))
        yield from _transfers(position, seat, id, ship, edition)
    if "fish" in scenario_of(position).missions and not position.this_turn.fish_rolled:
        yield from proved_if(passing is None and fish_left(position, edition) > 0, Proved((RollFish(),)))  # EP-99


@lru_cache(maxsize=4096)
def passages(course: Course, id: ShipId) -> Proved:
    """A shortest path to every route that a ship may stop on, if its seat can pay a tribute that is due."""
    if course.pirate is None and not course.full:
        return Proved(tuple([MoveShip(id, path) for path in course.ways.values()]))
    return Proved(tuple(_passages(course, id)))


def way_out(position: Position, edition: Edition) -> MoveShip | None:
    """The shortest way of the current ship from a full route to one with room, the first in id order (EP-75).

    None if the current ship is on no full route, or cannot get away.
    """
    passing, seat = passing_ship(position, edition), position.active_seat
    if passing is None:
        return None
    course = course_of(position, edition, seat, passing)
    solvent = position.seats[seat].gold >= edition.tribute_gold
    ways = [
        move
        for move in passages(course, passing).moves
        if isinstance(move, MoveShip) and move.path[-1] not in course.full and (solvent or not move.pay_tribute)
    ]
    return min(ways, key=lambda move: (len(move.path), move.path), default=None)


def _passages(course: Course, id: ShipId) -> Iterator[MoveShip]:
    """For each route the shortest path, or the paths along and around a pirate ship."""
    for edge, path in course.ways.items():  # EP-71, EP-72, EP-76
        if edge not in course.full or course.can_sail_on(path, solvent=True):  # EP-75
            if course.costs_tribute(path):
                yield from _passages_along_pirate(course, id, path)
            else:
                yield MoveShip(id, path)


def _passages_along_pirate(course: Course, id: ShipId, path: tuple[EdgeId, ...]) -> Iterator[MoveShip]:
    """The shortest path without tribute, and the one with tribute if it is shorter or the only one (EP-47)."""
    free = () if course.costs_tribute(()) else course.detours.get(path[-1], ())
    if free:
        yield MoveShip(ship=id, path=free)
    if len(free) != len(path):
        yield MoveShip(ship=id, path=path, pay_tribute=True)


def _acts(position: Position, seat: Seat, id: ShipId, ship: Ship, edition: Edition) -> Moves:
    """The acts of a ship that need no movement."""
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


def _transfers(position: Position, seat: Seat, id: ShipId, ship: Ship, edition: Edition) -> Candidates:
    """Every distinct transfer that the hold has room for; loading an empty ship is pressing."""
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
