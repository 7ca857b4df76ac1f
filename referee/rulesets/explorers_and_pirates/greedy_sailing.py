"""How a plain but sensible player sails: each ship to where it is wanted most, and there it does what it came for."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.kernel.message import Move
from referee.rulesets.explorers_and_pirates.board import voyages
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.ids import Cargo, CornerId, EdgeId, HexId, ShipId
from referee.rulesets.explorers_and_pirates.missions.council import carries_goods
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip
from referee.rulesets.explorers_and_pirates.outlook import Outlook
from referee.rulesets.explorers_and_pirates.pieces import FRESH
from referee.rulesets.explorers_and_pirates.pirates import ChasePirate
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn

Spot = HexId | CornerId
"""Where a ship is wanted: a hex or a corner that it has to point at."""

A_TURN = 30
"""What a turn under way costs, in the units of what an errand is worth; a step costs 1."""


class Errand(NamedTuple):
    """Where a ship is wanted most, and the shortest way there; no way: it is there."""

    ship: ShipId
    spot: Spot
    worth: int
    path: tuple[EdgeId, ...]


def voyage(outlook: Outlook, moves: tuple[Move, ...]) -> Move:
    """The next act or step of a ship; the fish die before the ships move, or when nothing else is left to do."""
    turn = outlook.view.turn
    assert turn is not None
    others = tuple([move for move in moves if not isinstance(move, MoveShip)])
    fishes = RollFish() in others and bool(outlook.shoals)
    if fishes and turn.current_ship is None:
        return RollFish()
    chase = next((move for move in others if isinstance(move, ChasePirate)), None)
    if chase is not None:
        return chase
    acts = _acts(others)
    ways = {(move.ship, move.path[-1]): move for move in reversed(moves) if isinstance(move, MoveShip)}
    for errand in _errands(outlook, acts):
        if not errand.path:
            return acts[errand.ship, errand.spot]
        step = _step(outlook, errand, others, ways)
        if step is not None:
            return step
    return RollFish() if fishes else EndTurn()


def _acts(moves: tuple[Move, ...]) -> dict[tuple[ShipId, Spot], Move]:
    """What ships can do where they lie, by what they point at; as much as possible at once."""
    found: dict[tuple[ShipId, Spot], Move] = {}
    for move in moves:
        match move:
            case FoundSettlement(ship=ship, corner=corner):
                found[ship, corner] = move
            case BefriendVillage(ship=ship, hex=hex) | CatchFish(ship=ship, hex=hex):
                found[ship, hex] = move
            case LandUnits(ship=ship, hex=hex) | PickUpUnits(ship=ship, hex=hex):
                found[ship, hex] = move
            case TransferCargo(ship=ship, harbor=harbor, load=load, unload=()):
                before = found.get((ship, harbor))
                if not isinstance(before, TransferCargo) or len(before.load) < len(load):
                    found[ship, harbor] = move
    return found


def _errands(outlook: Outlook, acts: dict[tuple[ShipId, Spot], Move]) -> Iterator[Errand]:
    """The errand of each ship, the current ship first; no two ships go for the same."""
    turn, ships = outlook.view.turn, outlook.own.ships
    assert turn is not None
    wanted: dict[Spot, None] = {}
    for ship in sorted(ships, key=lambda ship: ship != turn.current_ship):
        errand = _errand(outlook, ship, acts, wanted)
        if errand is not None:
            yield errand
            if errand.spot not in outlook.lairs:
                wanted[errand.spot] = None


def _errand(
    outlook: Outlook, ship: ShipId, acts: dict[tuple[ShipId, Spot], Move], wanted: dict[Spot, None]
) -> Errand | None:
    """What is worth most to a ship, less the time that it takes."""
    edge = outlook.own.ships[ship].edge
    spots = {spot: worth for spot, worth in _spots(outlook, ship) if spot not in wanted}
    best, found = 0, None
    for spot, worth in spots.items():
        if worth > best and (ship, spot) in acts:
            best, found = worth, Errand(ship, spot, worth, ())
    left, speed = _points_left(outlook, ship), outlook.speed
    highest = max(spots.values(), default=0)
    near = outlook.board.near
    order = {spot: place for place, spot in enumerate(spots) if spot not in near[edge]}
    if _is_finished(outlook, ship):
        return found
    for goal, path in voyages(outlook.chart, edge, None).items():
        steps = len(path)
        cost = steps if steps <= left else steps + A_TURN * ((steps - left - 1) // speed + 1)
        if highest - cost <= best:
            break
        for spot in sorted([spot for spot in near[goal] if spot in order], key=order.__getitem__):
            if spots[spot] - cost > best:
                best, found = spots[spot] - cost, Errand(ship, spot, spots[spot], path)
    return found


def _is_finished(outlook: Outlook, ship: ShipId) -> bool:
    assert outlook.view.turn is not None
    return outlook.view.turn.ships.get(ship, FRESH).finished


def _points_left(outlook: Outlook, ship: ShipId) -> int:
    assert outlook.view.turn is not None
    sailed = outlook.view.turn.ships.get(ship, FRESH)
    return outlook.speed + (outlook.edition.wool_points if sailed.wool else 0) - sailed.used


def _spots(outlook: Outlook, ship: ShipId) -> Iterator[tuple[Spot, int]]:
    """Where a ship with such a cargo is wanted, and how much."""
    cargo = outlook.own.ships[ship].cargo
    if carries_goods(cargo):
        yield from ((dock, 300) for dock in sorted(outlook.board.docks))
    if "settler" in cargo:
        yield from ((site, 200 + 2 * outlook.worth(site)) for site in outlook.sites)
    if "unit" in cargo:
        yield from ((hex, 240) for hex in outlook.villages)
        yield from ((hex, 190 + 20 * (outlook.edition.lair_units - units)) for hex, units in outlook.lairs.items())
    yield from _loads(outlook, cargo)
    if not carries_goods(cargo):
        yield from ((hex, 160) for hex in outlook.board.areas if hex in outlook.chart.covered)


def _loads(outlook: Outlook, cargo: Cargo) -> Iterator[tuple[Spot, int]]:
    """Where a ship could take something aboard."""
    has_work = bool(outlook.lairs or outlook.villages)
    if not cargo:
        if outlook.pursues("fish"):
            yield from ((hex, 220) for hex in outlook.view.fish)
        settling = bool(outlook.sites) or not outlook.is_charted
        yield from ((corner, 210) for corner, basin in outlook.own.harbors.items() if "settler" in basin and settling)
    if cargo in ((), ("unit",)) and has_work:
        yield from ((corner, 180 + len(basin)) for corner, basin in outlook.own.harbors.items() if "unit" in basin)
        yield from ((hex, 170) for hex in outlook.left_behind)


def _step(
    outlook: Outlook, errand: Errand, moves: tuple[Move, ...], ways: dict[tuple[ShipId, EdgeId], MoveShip]
) -> Move | None:
    """As far on the way as the ship gets and may stop; with wool, if that brings it there this turn."""
    left, steps = _points_left(outlook, errand.ship), len(errand.path)
    wool = BuyMovement(ship=errand.ship)
    if left < steps <= left + outlook.edition.wool_points and wool in moves and outlook.hand["wool"] > 1:
        return wool
    for end in reversed(errand.path[:left]):
        if (errand.ship, end) in ways:
            return ways[errand.ship, end]
    return None
