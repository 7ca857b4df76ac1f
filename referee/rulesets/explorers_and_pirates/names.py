"""The names of things: hexes, corners, edges, ships (2.1), kinds of cards, tiles and pieces (2.4, 2.5), phases (6)."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, NewType, get_args

from msgspec import Meta

HexId = NewType("HexId", str)
CornerId = NewType("CornerId", str)
EdgeId = NewType("EdgeId", str)
ShipId = NewType("ShipId", str)

Hex = Annotated[HexId, Meta(description="A hex of the map, `q,r`.")]
Corner = Annotated[CornerId, Meta(description="A corner of the map: `q,r,N` or `q,r,S`.")]
Edge = Annotated[EdgeId, Meta(description="An edge of the map: `q,r,E`, `q,r,NE` or `q,r,NW`.")]
SHIP_NUMBERS: Final = (1, 2, 3)
ShipName = Annotated[ShipId, Meta(pattern="^[0-3]-[1-3]$", description="A ship: `<seat>-<k>`, k from 1 to 3.")]
Count = Annotated[int, Meta(ge=1)]

Resource = Literal["brick", "lumber", "wool", "grain", "ore"]
Good = Literal["brick", "lumber", "wool", "grain", "ore", "gold"]
Piece = Literal["settler", "fish", "unit", "spice"]
Terrain = Literal["hills", "forest", "pasture", "fields", "mountains"]
Village = Literal["swift", "pirate5", "pirate4", "fastgold"]
Tile = Literal[
    "hills", "forest", "pasture", "fields", "mountains", "sea", "gold_river",
    "fish1", "fish2", "fish3", "fish4", "fish5", "fish6", "swift", "pirate5", "pirate4", "fastgold",
]  # fmt: skip
Phase = Literal[
    "setup", "founding", "roll", "discard", "pirate", "trade_build", "movement", "captures", "hero", "finished"
]
PirateBy = Literal["seven", "chase"]
Mission = Literal["lairs", "fish", "spices"]
Colour = Literal["blue", "red", "white", "orange"]
SeatKey = Literal["0", "1", "2", "3"]
"""A seat as the key of a JSON object."""

RESOURCES: Final[tuple[Resource, ...]] = get_args(Resource)
GOODS: Final[tuple[Good, ...]] = get_args(Good)
TERRAINS: Final[frozenset[str]] = frozenset(get_args(Terrain))
VILLAGES: Final[frozenset[str]] = frozenset(get_args(Village))
MISSIONS: Final[tuple[Mission, ...]] = get_args(Mission)
SEAT_KEYS: Final[tuple[SeatKey, ...]] = get_args(SeatKey)
SHOALS: Final[dict[str, int]] = {f"fish{face}": face for face in range(1, 7)}
"""The tiles that are shoals, with their die face."""
LAND_TILES: Final[frozenset[str]] = TERRAINS | VILLAGES | {"gold_river"}
SEA_TILES: Final[frozenset[str]] = frozenset(SHOALS) | {"sea"}
LARGE: Final[frozenset[str]] = frozenset({"settler", "fish"})
"""Pieces that fill a hold or basin on their own (2.5)."""

Cargo = tuple[Piece, ...]
Bag = dict[Resource, Count]
"""Cards: resource to positive number."""
Bundle = dict[Good, Count]
"""Cards and gold: kind to positive number."""


def joined(words: Sequence[str]) -> str:
    """`a`, `a and b`, or `a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def is_north(hex: HexId) -> bool:
    """Whether an area's hex lies in the north area: rows are numbered from the middle, north first."""
    return hex.partition(",")[2].startswith("-")
