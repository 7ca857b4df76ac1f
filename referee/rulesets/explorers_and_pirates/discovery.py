"""Discovering tiles: EP-76 to EP-79, and what is laid on them (EP-88, EP-98, EP-104)."""

from collections.abc import Callable
from typing import Final

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.missions.lairs import place_lair
from referee.rulesets.explorers_and_pirates.missions.spices import place_sacks
from referee.rulesets.explorers_and_pirates.names import TERRAINS, VILLAGES, HexId, ShipId, Tile, is_north
from referee.rulesets.explorers_and_pirates.pieces import with_voyage
from referee.rulesets.explorers_and_pirates.position import AreaTile, Case, Position, Says, SaysOn
from referee.rulesets.explorers_and_pirates.production import ResourcesGained, gain_gold, resource_of

discovery = Chapter()

EQUIPMENT: Final[dict[str, Callable[[Position, HexId], Says]]] = {
    "gold_river": place_lair,  # EP-88
    **dict.fromkeys(sorted(VILLAGES), place_sacks),  # EP-104
}
"""What a discovery lays on a tile of this kind."""


class TileDiscovered(Event):
    """A ship discovered a tile; a resource tile got the top number of its area's stack, `number`."""

    seat: Seat
    ship: ShipId
    hex: HexId
    tile: Tile
    number: int | None


class ShipFinished(Event):
    """A ship finished its movement for this turn."""

    seat: Seat
    ship: ShipId


def discover(case: Case, position: Position, ship: ShipId, hex: HexId) -> Says:
    """Turn a tile up, reward the discoverer, finish the ship (EP-76 to EP-78)."""
    tile = position.areas[hex].tile
    number = _stack(position, hex)[0] if tile in TERRAINS else None  # EP-77
    position = yield TileDiscovered(seat=case.seat, ship=ship, hex=hex, tile=tile, number=number)
    position = yield from _reward(position, case.seat, tile, case.edition)
    if tile in EQUIPMENT:
        yield from EQUIPMENT[tile](position, hex)
    yield ShipFinished(seat=case.seat, ship=ship)


def _stack(position: Position, hex: HexId) -> tuple[int, ...]:
    return position.stacks.north if is_north(hex) else position.stacks.south


def _reward(position: Position, seat: Seat, tile: Tile, edition: Edition) -> SaysOn:
    """Give the discoverer a card of the resource, if the bank has one (EP-28), or gold for any other tile (EP-78)."""
    if tile not in TERRAINS:
        return (yield from gain_gold(position, seat, edition.discovery_gold, "discovery"))
    resource = resource_of(tile, edition)
    if getattr(position.bank, resource) > 0:
        position = yield ResourcesGained(seat=seat, resources={resource: 1}, reason="discovery")
    return position


@discovery.applies(TileDiscovered)
def tile_discovered(position: Position, event: TileDiscovered) -> Position:
    """Turn the tile up; its number leaves the stack."""
    areas = {**position.areas, event.hex: AreaTile(tile=event.tile, up=True, number=event.number)}
    if event.number is None:
        return replace(position, areas=areas)
    rest = _stack(position, event.hex)[1:]
    stacks = replace(position.stacks, north=rest) if is_north(event.hex) else replace(position.stacks, south=rest)
    return replace(position, areas=areas, stacks=stacks)


@discovery.applies(ShipFinished)
def ship_finished(position: Position, event: ShipFinished) -> Position:
    """Finish the ship; it is no longer the current ship."""
    finished = with_voyage(position, event.ship, finished=True)
    turn = finished.this_turn
    return finished if turn.current_ship != event.ship else replace(finished, turn=replace(turn, current_ship=None))
