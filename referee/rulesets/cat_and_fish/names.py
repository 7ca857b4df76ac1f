"""The names that moves, events and positions use for the things in the box."""

from collections.abc import Iterable
from typing import Final, Literal, get_args

Season = Literal["spring", "summer", "autumn", "winter"]
SEASONS: Final[tuple[Season, ...]] = get_args(Season)

Colour = Literal["green", "blue", "pink"]
"""The back of a tile; zones 1, 2 and 3 hold one colour each."""
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)

GreenTile = Literal["crab", "shrimp", "sardine", "squid", "green_bone", "green_treasure"]
BlueTile = Literal["mackerel", "flounder", "octopus", "salmon", "blue_bone", "blue_treasure"]
PinkTile = Literal["tuna", "swordfish", "shark", "whale", "pink_bone", "pink_treasure"]
Tile = Literal[GreenTile, BlueTile, PinkTile]
TILES: Final[tuple[Tile, ...]] = get_args(Tile)

TILES_OF: Final[dict[Colour, tuple[Tile, ...]]] = {
    "green": get_args(GreenTile),
    "blue": get_args(BlueTile),
    "pink": get_args(PinkTile),
}
COLOUR_OF: Final[dict[Tile, Colour]] = {tile: colour for colour, tiles in TILES_OF.items() for tile in tiles}

BONES: Final[frozenset[Tile]] = frozenset(("green_bone", "blue_bone", "pink_bone"))
TREASURES: Final[frozenset[Tile]] = frozenset(("green_treasure", "blue_treasure", "pink_treasure"))
FISH: Final[frozenset[Tile]] = frozenset(TILES) - BONES - TREASURES  # CF-7
WHALE: Final = "whale"

CardKind = Literal[
    "fishing_rod",
    "fishing_net",
    "fisherman",
    "fishing_boat",
    "fishing_vessel",
    "wizard",
    "sorcerer",
    "merchant",
    "membership",
    "cold_storage",
    "black_market",
    "summoner",
]
FOR_SALE: Final[tuple[CardKind, ...]] = tuple(
    kind for kind in get_args(CardKind) if kind not in ("fishing_rod", "summoner")
)

Magic = Literal["engine", "storm", "wind", "strong_wind", "good_haul", "change", "warp", "blank"]
Boost = Literal["engine", "wind", "strong_wind"]
BOOSTS: Final[tuple[Boost, ...]] = get_args(Boost)

Space = Literal[
    "fishing",
    "sailing",
    "selling",
    "buying",
    "typhoon",
    "oil",
    "thief",
    "treasure_island",
    "magic_library",
    "summoner",
]
SPACES: Final[tuple[Space, ...]] = get_args(Space)
BASIC: Final[tuple[Space, ...]] = ("fishing", "sailing", "selling", "buying")
"""The spaces whose actions the Wizard can change (CF-48)."""

Catastrophe = Literal["typhoon", "oil", "monster"]

Phase = Literal[
    "setup",
    "placement",
    "execution",
    "flee",
    "season_end",
    "dues",
    "summoning",
    "monster",
    "year_end",
    "finished",
]

# fmt: off
Hex = Literal[
    "1,-1", "1,0", "0,1", "-1,1", "-1,0", "0,-1",
    "1,-2", "2,-2", "2,-1", "2,0", "1,1", "0,2", "-1,2", "-2,2", "-2,1", "-2,0", "-1,-1", "0,-2",
    "2,-3", "3,-3", "3,-2", "3,-1", "3,0", "2,1", "1,2", "0,3", "-1,3",
    "-2,3", "-3,3", "-3,2", "-3,1", "-3,0", "-2,-1", "-1,-2", "0,-3", "1,-3",
]
"""The 36 sea hexes in hex order: zone by zone, each clockwise from the north."""

Corner = Literal[
    "c0", "c1", "c2", "c3", "c4", "c5",
    "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15", "a16", "a17",
    "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "b13", "b14",
    "b15", "b16", "b17", "b18", "b19", "b20", "b21", "b22", "b23", "b24", "b25", "b26", "b27", "b28", "b29",
]
"""The 54 corners: the coast, the zone-1 line, the zone-2 line, each clockwise from due north."""
# fmt: on

HEXES: Final[tuple[Hex, ...]] = get_args(Hex)
CORNERS: Final[tuple[Corner, ...]] = get_args(Corner)


def title_of(name: str) -> str:
    """A card or a space as players read it: `fishing_net` is the Fishing Net."""
    return name.replace("_", " ").title()


def words_of(tile: Tile) -> str:
    """A tile as players read it: `green_bone` is a green bone."""
    return tile.replace("_", " ")


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words as a sentence lists them: a, b and c."""
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def seats_text(seats: Iterable[int]) -> str:
    """Some seats as a message names them: seat 1, seats 0 and 2."""
    numbers = [str(seat) for seat in seats]
    return f"seat {numbers[0]}" if len(numbers) == 1 else f"seats {listed(numbers)}"


def counted(number: int, noun: str) -> str:
    """A number of things: 1 euro, 2 euros."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
