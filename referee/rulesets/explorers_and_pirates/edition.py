"""The numbers of the box, typed and frozen: edition.toml and the maps of the five scenarios."""

from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from referee.kernel.edition import read_edition
from referee.rulesets.explorers_and_pirates.names import (
    MISSIONS,
    RESOURCES,
    Bag,
    Colour,
    CornerId,
    EdgeId,
    HexId,
    Mission,
    Resource,
    Terrain,
    Tile,
    Village,
)

PACKAGE: Final = Path(__file__).parent

LOOSE_HEXES: Final = 14
"""The island hexes that tiles are laid on (EP-2)."""


class MapHex(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A hex of a map: island with its number, sea, or a face-down tile of an area."""

    kind: Literal["island", "sea", "north", "south"]
    number: int | None = None
    terrain: Terrain | None = None
    """The terrain of a fixed island, or of the printed pasture."""
    fixed: bool = False
    """The pasture printed on the frame, never shuffled."""
    piece: str | None = None
    """The frame piece that a sea hex is printed on."""


class MapEdge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edge with its two corners and its one or two hexes."""

    ends: tuple[CornerId, CornerId]
    hexes: tuple[HexId, ...]


class Council(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Council of Catan and its docks."""

    hex: HexId
    docks: tuple[CornerId, ...]


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fixed start of one colour (2.6)."""

    settlement: CornerId
    road: EdgeId
    harbor: CornerId
    ship: EdgeId


class Map(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The map of a scenario (2.2); hexes in hex order."""

    hexes: dict[HexId, MapHex]
    corners: dict[CornerId, tuple[HexId, ...]]
    edges: dict[EdgeId, MapEdge]
    harbor_sites: tuple[CornerId, ...]
    council: Council | None
    starts: dict[Colour, Start] | None


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Victory points of the buildings."""

    settlement: int
    harbor: int


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pieces of each seat."""

    road: int
    settlement: int
    harbor: int
    ship: int
    settler: int
    unit: int


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prices of the pieces, and of more movement points."""

    road: Bag
    settlement: Bag
    harbor: Bag
    ship: Bag
    settler: Bag
    unit: Bag
    movement: Bag


class Advantage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The advantage of a seat with a unit in a village: movement points, a face for chasing, sales."""

    movement: int = 0
    chase: int | None = None
    sales: int = 0


class AreaTiles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tiles of an area; `drawn` more are drawn unseen from `drawn_from`."""

    tiles: dict[Tile, int]
    drawn: int = 0
    drawn_from: tuple[Tile, ...] = ()

    @property
    def fixed(self) -> tuple[Tile, ...]:
        """The tiles that are not drawn, one by one."""
        return tuple(tile for tile, count in self.tiles.items() for _ in range(count))


class ScenarioNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The victory points that win, and the tiles of the two areas."""

    target: int
    north: AreaTiles
    south: AreaTiles


def _read_maps() -> dict[str, Map]:
    raw: dict[str, Any] = msgspec.json.decode((PACKAGE / "maps.json").read_bytes())
    return msgspec.convert(raw["maps"], dict[str, Map])


MAPS: Final = _read_maps()
"""The maps of the box: the same in every edition, so reducers and views need no edition to know them."""


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every number of the box; `edition.toml` explains each of them."""

    name: str
    cards_each: int
    gold_total: int
    gold_start: int
    fish: int
    sacks: int
    seven: int
    hand_limit: int
    compensation_gold: int
    river_gold: int
    discovery_gold: int
    capture_gold: int
    theft_gold: int
    tribute_gold: int
    bank_rate: int
    gold_price: int
    gold_buys: int
    sale_gold: int
    movement_points: int
    wool_points: int
    ships_per_route: int
    chase_faces: tuple[int, ...]
    small_places: int
    lair_units: int
    track_points: dict[Mission, tuple[int, ...]]
    """For each mission the points on S, that is 0, and on the spaces after it (2.5)."""
    card_points: int
    north_numbers: tuple[int, ...]
    south_numbers: tuple[int, ...]
    lair_numbers: tuple[int, ...]
    island_tiles: dict[Terrain, int]
    colours: tuple[Colour, ...]
    terrain: dict[Terrain, Resource]
    points: Points
    supply: Supply
    prices: Prices
    villages: dict[Village, Advantage]
    scenarios: dict[str, ScenarioNumbers]
    maps: dict[str, Map] = msgspec.field(default_factory=lambda: MAPS)

    def __post_init__(self) -> None:
        """Refuse numbers that no game can be played with."""
        require_playable(self)


def require_playable(edition: Edition) -> None:
    """Raise ValueError for numbers that do not fit the maps and tracks, or lead to a dead end."""
    demands = {
        "the maps are those of the box": edition.maps is MAPS,
        "every scenario has its numbers": edition.scenarios.keys() == edition.maps.keys(),
        "every terrain has its resource": len(set(edition.terrain.values())) == len(edition.terrain) == len(RESOURCES),
        "the loose tiles cover the island": sum(edition.island_tiles.values()) == LOOSE_HEXES,
        "every mission has a track": set(edition.track_points) == set(MISSIONS),
        "a track has S and a space after it": all(len(row) > 1 for row in edition.track_points.values()),
        "every seat can found": min(edition.supply.road, edition.supply.ship, edition.supply.settler) > 0,
        "a ship has a free route to start from": edition.ships_per_route > 0,
        "a seat has gold to begin with": 4 * edition.gold_start <= edition.gold_total,
        "starting cards are there": edition.cards_each >= 12,
    }
    for name, numbers in edition.scenarios.items():
        if name in edition.maps:
            demands |= _demands_of_scenario(name, numbers, edition)
    for demand, is_met in demands.items():
        if not is_met:
            raise ValueError(f"{edition.name}: {demand}")


def _demands_of_scenario(name: str, numbers: ScenarioNumbers, edition: Edition) -> dict[str, bool]:
    """The demands on the tiles and tokens of a scenario."""
    kinds: list[str] = [hex.kind for hex in edition.maps[name].hexes.values()]
    rivers = sum(box.tiles.get("gold_river", 0) for box in (numbers.north, numbers.south))
    demands = {
        f"{name}: a lair for every gold river": rivers <= len(edition.lair_numbers),
        f"{name}: there are points to win": numbers.target > 0,
    }
    tokens = {"north": edition.north_numbers, "south": edition.south_numbers}
    for area, box in (("north", numbers.north), ("south", numbers.south)):
        lands = sum(tile in edition.terrain for tile in box.fixed)
        demands |= {
            f"{name}: the tiles cover the {area}": len(box.fixed) + box.drawn == kinds.count(area),
            f"{name}: enough tiles to draw in the {area}": box.drawn <= len(box.drawn_from),
            f"{name}: a number for every land of the {area}": len(tokens[area]) == lands,
        }
    return demands


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"), Edition)
"""The edition of the rulebook."""
