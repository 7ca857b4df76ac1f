"""What tiles are worth to a seat, in tenths of a euro. A tile that lies face down counts as the mean of its colour."""

from typing import Final

from referee.kernel.memo import remember_last
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import SEASONS, TREASURES, WHALE, Colour, Tile

EURO: Final = 10


@remember_last
def hopes_of(colours: tuple[Colour, ...], edition: Edition) -> dict[tuple[bool, bool], dict[Colour, int]]:
    """The average worth of a tile of each colour, without and with the Merchant and the Black Market."""
    return {
        (merchant, black_market): {
            colour: _hope(edition.tiles_of(colour), merchant, black_market, edition) for colour in colours
        }
        for merchant in (False, True)
        for black_market in (False, True)
    }


def _hope(tiles: tuple[Tile, ...], merchant: bool, black_market: bool, edition: Edition) -> int:
    treasure = edition.fished_treasure * EURO
    worths = [treasure if tile in TREASURES else mean_of(tile, merchant, black_market, edition) for tile in tiles]
    return sum(worths) // len(worths)


def mean_of(tile: Tile, merchant: bool, black_market: bool, edition: Edition) -> int:
    """The earnings of a tile in an average season; a whale that cannot be sold only takes a place."""
    if tile == WHALE and not black_market:
        return -EURO
    return sum(earned(tile, season, merchant, edition) for season in range(len(SEASONS))) // len(SEASONS)


def earned(tile: Tile, season: int, merchant: bool, edition: Edition) -> int:
    """The earnings of a tile that is sold in a season."""
    price = edition.prices[SEASONS[season]][tile]
    return (price + (edition.merchant_bonus if merchant else 0)) * EURO if price else 0
