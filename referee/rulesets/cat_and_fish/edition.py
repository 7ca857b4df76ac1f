"""The numbers of the box: `edition.toml`, and other editions in `editions/`."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from referee.kernel.edition import read_edition
from referee.rulesets.cat_and_fish.board import COLOUR_AT, ZONE_OF
from referee.rulesets.cat_and_fish.names import (
    BASIC,
    BOOSTS,
    COLOURS,
    FOR_SALE,
    SEASONS,
    SPACES,
    TILES,
    TILES_OF,
    Boost,
    CardKind,
    Colour,
    Corner,
    Hex,
    Magic,
    Season,
    Space,
    Tile,
)

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]

PACKAGE: Final = Path(__file__).parent
PLAYERS: Final = range(2, 5)


class TileData(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of tiles of a kind, and their prices in the four seasons."""

    count: Count
    prices: tuple[Count, Count, Count, Count] = (0, 0, 0, 0)


class CardData(Struct, frozen=True, forbid_unknown_fields=True):
    """A pile for sale: its prices, top card first, and the card that a buyer must own."""

    prices: tuple[Count, ...]
    needs: CardKind | None = None


class Decks(Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of Treasure Island and of the Magic Library."""

    treasure: tuple[Count, ...]
    magic: dict[Magic, Count]


class Edition(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Every number of the rules; `edition.toml` explains each of them."""

    edition: str
    years: Positive
    award_years: tuple[Positive, ...]
    starting_money: Count
    markers: Positive
    membership_markers: Positive
    places: Positive
    cold_storage_places: Positive
    fished_treasure: Count
    merchant_bonus: Count
    wizard_fee: Count
    sorcerer_fee: Count
    oil_penalty: Count
    monster_penalty: Count
    dues: Count
    fish_score: int
    token_score: int
    sailing_range: Positive
    boosts: dict[Boost, Positive]
    reach: dict[CardKind, Positive]
    typhoon: Hex
    oil: Hex
    start_spots: tuple[tuple[Corner, Corner], tuple[Corner, Corner, Corner], tuple[Corner, Corner, Corner, Corner]]
    capacities: dict[Space, tuple[Count, Count, Count]]
    tiles: dict[Tile, TileData]
    cards: dict[CardKind, CardData]
    decks: Decks

    def __post_init__(self) -> None:
        """Refuse numbers that no game can be played with."""
        require_playable(self)

    @cached_property
    def prices(self) -> dict[Season, dict[Tile, int]]:
        """The price of each tile, by season."""
        return {
            season: {tile: data.prices[at] for tile, data in self.tiles.items()} for at, season in enumerate(SEASONS)
        }

    @cached_property
    def magic_cards(self) -> tuple[Magic, ...]:
        """The cards of the Magic Library, one by one."""
        return tuple(card for card, count in self.decks.magic.items() for _ in range(count))

    def tiles_of(self, colour: Colour) -> tuple[Tile, ...]:
        """The tiles of a colour, one by one."""
        return tuple(tile for tile in TILES_OF[colour] for _ in range(self.tiles[tile].count))

    def start_spots_of(self, players: int) -> tuple[Corner, ...]:
        """The corners where the pawns of seats 0, 1, ... begin."""
        return self.start_spots[players - PLAYERS.start]

    def capacity(self, space: Space, players: int) -> int:
        """The number of markers that a space takes (CF-12)."""
        return self.capacities[space][players - PLAYERS.start]


def require_playable(edition: Edition) -> None:
    """Raise ValueError for numbers that the rules cannot be played with."""
    for fault in _faults(edition):
        raise ValueError(f"{edition.edition}: {fault}")


def _faults(edition: Edition) -> Iterator[str]:
    """The assumptions of the rules that these numbers break."""
    if set(edition.capacities) != set(SPACES):
        yield "every space has its capacities"
    if set(edition.tiles) != set(TILES):
        yield "every kind of tile has its numbers"
    if set(edition.cards) != set(FOR_SALE):
        yield "every card for sale has a pile"
    if set(edition.reach) != {"fishing_rod", "fishing_net", "fisherman"}:
        yield "every gear has its reach"
    if set(edition.boosts) != set(BOOSTS):
        yield "every boost has its range"
    if any(not spot.startswith("c") for spots in edition.start_spots for spot in spots):
        yield "seats begin on the coast"
    if edition.typhoon == edition.oil or min(ZONE_OF[edition.typhoon], ZONE_OF[edition.oil]) == 1:
        yield "typhoon and oil begin on two hexes of zones 2 and 3"
    if any(len(edition.tiles_of(colour)) < list(COLOUR_AT.values()).count(colour) for colour in COLOURS):
        yield "there are tiles for every hex"
    if any(_room(players, edition) < players * edition.membership_markers for players in PLAYERS):
        yield "a marker always finds a place"
    if not edition.markers <= edition.membership_markers or not edition.places <= edition.cold_storage_places:
        yield "no card takes anything away"
    if any(year >= edition.years for year in edition.award_years):
        yield "the Summoner is awarded only where a spring follows"


def _room(players: int, edition: Edition) -> int:
    """The places that are open in every season, even with empty decks and to a seat without the Summoner."""
    return sum(edition.capacity(space, players) for space in (*BASIC, "typhoon", "oil"))


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"), Edition)
"""The edition of the rulebook."""
