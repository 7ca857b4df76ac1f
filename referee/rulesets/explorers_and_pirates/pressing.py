"""Moves that bring the game forward: the candidates name them several times.

A player who picks at random among all legal moves throws settlers overboard and sails in circles; games of the larger
scenarios would take hundreds of thousands of moves. With these weights a random choice among the candidates ends the
game. Lists of legal moves name each move once.
"""

from collections.abc import Iterable

from referee.kernel.candidates import Weighed
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.missions.council import carries_goods
from referee.rulesets.explorers_and_pirates.movement import MoveShip
from referee.rulesets.explorers_and_pirates.names import CornerId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import buildings
from referee.rulesets.explorers_and_pirates.position import Position, Ship, key
from referee.rulesets.explorers_and_pirates.sites import building_sites
from referee.rulesets.explorers_and_pirates.waters import heading

TIMES = 20
SELDOM = 10


def pressing(moves: Iterable[Move]) -> list[Weighed]:
    """Each move, named many times."""
    return [Weighed(move, TIMES) for move in moves]


def under_way(
    position: Position, seat: Seat, id: ShipId, ship: Ship, reach: int, edition: Edition
) -> tuple[Weighed, ...]:
    """The move that brings a ship as near as possible to the place where its cargo is needed."""
    goals = _goals(position, seat, ship, edition)
    path = heading(position.chart, ship.edge, goals)[:reach] if goals else ()
    return (Weighed(MoveShip(ship=id, path=path), TIMES),) if path else ()


def _goals(position: Position, seat: Seat, ship: Ship, edition: Edition) -> frozenset[CornerId]:
    """The corners where a ship can use its cargo, or the corners of face-down tiles."""
    if carries_goods(ship.cargo):
        return position.board.docks
    if "settler" in ship.cargo:
        return building_sites(position.chart, buildings(position)) or position.chart.covered_corners
    if "unit" in ship.cargo:
        hexes = [hex for hex, village in position.villages.items() if seat not in village.units]
        hexes += [
            hex
            for hex, lair in position.lairs.items()
            if not lair.captured and sum(lair.units.values()) < edition.lair_units
        ]
    else:
        hexes = [hex for hex, lair in position.lairs.items() if lair.captured and key(seat) in lair.units]
        hexes += position.fish
    if not hexes:
        return position.chart.covered_corners
    corners = position.board.corners_of
    return frozenset([corner for hex in hexes for corner in corners[hex]])
