"""How a plain but sensible player sails: each ship goes where it is most useful, and acts there."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.kernel.message import Move
from referee.rulesets.explorers_and_pirates.advice.prospects import Prospects
from referee.rulesets.explorers_and_pirates.cargo import TransferCargo
from referee.rulesets.explorers_and_pirates.missions.council import carries_goods
from referee.rulesets.explorers_and_pirates.missions.fish import CatchFish, RollFish
from referee.rulesets.explorers_and_pirates.missions.lairs import LandUnits, PickUpUnits
from referee.rulesets.explorers_and_pirates.missions.spices import BefriendVillage
from referee.rulesets.explorers_and_pirates.movement import BuyMovement, MoveShip
from referee.rulesets.explorers_and_pirates.names import Cargo, CornerId, EdgeId, HexId, ShipId
from referee.rulesets.explorers_and_pirates.pieces import FRESH
from referee.rulesets.explorers_and_pirates.pirates import ChasePirate
from referee.rulesets.explorers_and_pirates.settlers import FoundSettlement
from referee.rulesets.explorers_and_pirates.turns import EndTurn
from referee.rulesets.explorers_and_pirates.waters import voyages

Spot = HexId | CornerId
"""A hex or a corner that a ship must point at to be useful."""

A_TURN = 30
"""The cost of a turn at sea, in the unit of the worth of errands; a step costs 1."""


OVERSEAS = 200
"""The worth of a settlement in an area, without its yield."""
ON_ISLAND = 95
"""The same on the starting island; less than that of a discovery, which may find a better place overseas."""


class Errand(NamedTuple):
    """The most useful place for a ship, and the shortest path there; an empty path: it is there."""

    ship: ShipId
    spot: Spot
    worth: int
    path: tuple[EdgeId, ...]


def voyage(prospects: Prospects, moves: tuple[Move, ...]) -> Move:
    """The next act or step of a ship, or the fish die: before the ships move, or when nothing else is left."""
    turn = prospects.view.turn
    assert turn is not None
    others = tuple([move for move in moves if not isinstance(move, MoveShip)])
    fishes = RollFish() in others and bool(prospects.shoals)
    if fishes and turn.current_ship is None:
        return RollFish()
    chase = next((move for move in others if isinstance(move, ChasePirate)), None)
    if chase is not None:
        return chase
    acts = _acts(others)
    ways = {(move.ship, move.path[-1]): move for move in reversed(moves) if isinstance(move, MoveShip)}
    for errand in _errands(prospects, acts):
        if not errand.path:
            return acts[errand.ship, errand.spot]
        step = _step(prospects, errand, others, ways)
        if step is not None:
            return step
    return RollFish() if fishes else _ending(prospects, moves)


def _ending(prospects: Prospects, moves: tuple[Move, ...]) -> Move:
    """The end of the turn, or the shortest way from a full route to one with room, if possible free (EP-75)."""
    if EndTurn() in moves:
        return EndTurn()
    ways = [move for move in moves if isinstance(move, MoveShip) and not prospects.is_full(move.path[-1], move.ship)]
    return min(ways, key=lambda move: (move.pay_tribute, len(move.path)), default=EndTurn())


def _acts(moves: tuple[Move, ...]) -> dict[tuple[ShipId, Spot], Move]:
    """The acts that ships can make where they are, by what they point at; the largest act for each."""
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


def _errands(prospects: Prospects, acts: dict[tuple[ShipId, Spot], Move]) -> Iterator[Errand]:
    """The errand of each ship, the current ship first; no two ships have the same errand."""
    turn, ships = prospects.view.turn, prospects.own.ships
    assert turn is not None
    wanted: dict[Spot, None] = {}
    for ship in sorted(ships, key=lambda ship: ship != turn.current_ship):
        errand = _errand(prospects, ship, acts, wanted)
        if errand is not None:
            yield errand
            if errand.spot not in prospects.lairs:
                wanted[errand.spot] = None


def _errand(
    prospects: Prospects, ship: ShipId, acts: dict[tuple[ShipId, Spot], Move], wanted: dict[Spot, None]
) -> Errand | None:
    """The errand of a ship with the most worth, less the time that it takes."""
    edge = prospects.own.ships[ship].edge
    spots = {spot: worth for spot, worth in _spots(prospects, ship) if spot not in wanted}
    best, found = 0, None
    for spot, worth in spots.items():
        if worth > best and (ship, spot) in acts:
            best, found = worth, Errand(ship, spot, worth, ())
    left, speed = _points_left(prospects, ship), prospects.speed
    highest = max(spots.values(), default=0)
    near = prospects.board.near
    order = {spot: place for place, spot in enumerate(spots) if spot not in near[edge]}
    if _is_finished(prospects, ship):
        return found
    for goal, path in voyages(prospects.chart, edge, None).items():
        steps = len(path)
        cost = steps if steps <= left else steps + A_TURN * ((steps - left - 1) // speed + 1)
        if highest - cost <= best:
            break
        for spot in sorted([spot for spot in near[goal] if spot in order], key=order.__getitem__):
            if spots[spot] - cost > best:
                best, found = spots[spot] - cost, Errand(ship, spot, spots[spot], path)
    return found


def _is_finished(prospects: Prospects, ship: ShipId) -> bool:
    assert prospects.view.turn is not None
    return prospects.view.turn.ships.get(ship, FRESH).finished


def _points_left(prospects: Prospects, ship: ShipId) -> int:
    assert prospects.view.turn is not None
    sailed = prospects.view.turn.ships.get(ship, FRESH)
    return prospects.speed + (prospects.edition.wool_points if sailed.wool else 0) - sailed.used


def _spots(prospects: Prospects, ship: ShipId) -> Iterator[tuple[Spot, int]]:
    """The useful places for a ship with its cargo, each with its worth."""
    cargo = prospects.own.ships[ship].cargo
    if carries_goods(cargo):
        yield from ((dock, 300) for dock in sorted(prospects.board.docks))
    if "settler" in cargo:
        yield from ((site, _landing(prospects, site)) for site in prospects.sites)
    if "unit" in cargo:
        yield from ((hex, 240) for hex in prospects.villages)
        yield from ((hex, 190 + 20 * (prospects.edition.lair_units - units)) for hex, units in prospects.lairs.items())
    yield from _loads(prospects, cargo)
    if not carries_goods(cargo):
        yield from ((hex, 160) for hex in prospects.board.areas if hex in prospects.chart.covered)


def _landing(prospects: Prospects, site: CornerId) -> int:
    """The worth of founding a settlement: overseas only a settler can, on the island a road would do (EP-61)."""
    return (ON_ISLAND if site in prospects.board.island_corners else OVERSEAS) + 2 * prospects.worth(site)


def _loads(prospects: Prospects, cargo: Cargo) -> Iterator[tuple[Spot, int]]:
    """The places where a ship can take something aboard, each with its worth."""
    has_work = bool(prospects.lairs or prospects.villages)
    if not cargo:
        if prospects.pursues("fish"):
            yield from ((hex, 220) for hex in prospects.view.fish)
        settling = bool(prospects.sites) or not prospects.is_charted
        yield from ((corner, 210) for corner, basin in prospects.own.harbors.items() if "settler" in basin and settling)
    if cargo in ((), ("unit",)) and has_work:
        yield from ((corner, 180 + len(basin)) for corner, basin in prospects.own.harbors.items() if "unit" in basin)
        yield from ((hex, 170) for hex in prospects.left_behind)


def _step(
    prospects: Prospects, errand: Errand, moves: tuple[Move, ...], ways: dict[tuple[ShipId, EdgeId], MoveShip]
) -> Move | None:
    """The move that brings the ship farthest on its path; or wool, if that brings it there in this turn."""
    left, steps = _points_left(prospects, errand.ship), len(errand.path)
    wool = BuyMovement(ship=errand.ship)
    if left < steps <= left + prospects.edition.wool_points and wool in moves and prospects.hand["wool"] > 1:
        return wool
    for end in reversed(errand.path[:left]):
        arrives = end == errand.path[-1] or not prospects.is_full(end, errand.ship)
        if arrives and (errand.ship, end) in ways:
            return ways[errand.ship, end]
    return None
