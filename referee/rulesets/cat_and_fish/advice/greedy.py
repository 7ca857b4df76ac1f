"""A plain but sensible player: it buys better gear first, fishes where the valuable fish are, and sells in time.

All values are in tenths of a euro. A tile that lies face down counts with the average of its colour. The player prefers
a sure treasure to a poor tile, and fishes in zone 3 in spite of whales: the opposite was no better in play.
"""

from typing import Final

from msgspec import UNSET

from referee.kernel.memo import remember_last
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import COLOUR_AT, FISHING_DISTANCE, NEIGHBOURS, TOUCHES
from referee.rulesets.cat_and_fish.catastrophes import MoveMonster, MoveOil, MoveTyphoon, PlaceMonster
from referee.rulesets.cat_and_fish.decks import DrawMagic, OpenTreasure
from referee.rulesets.cat_and_fish.dues import PayDues
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.fishing import Fish
from referee.rulesets.cat_and_fish.flight import Flee
from referee.rulesets.cat_and_fish.names import (
    COLOURS,
    FISH,
    SEASONS,
    TREASURES,
    WHALE,
    CardKind,
    Colour,
    Corner,
    Hex,
    Space,
    Tile,
)
from referee.rulesets.cat_and_fish.placement import PlaceMarker
from referee.rulesets.cat_and_fish.position import SeatState, is_accessible, markers, owns, reach, store_places
from referee.rulesets.cat_and_fish.sailing import Sail
from referee.rulesets.cat_and_fish.thief import Steal
from referee.rulesets.cat_and_fish.trading import Buy, Sell
from referee.rulesets.cat_and_fish.turns import EndTurn
from referee.rulesets.cat_and_fish.view import View

SHOPPING_LIST: Final[tuple[CardKind, ...]] = (
    "fishing_net",
    "membership",
    "merchant",
    "fisherman",
    "cold_storage",
    "black_market",
)
"""Cards that pay off, the most wanted first."""
ROUNDS_TO_PAY: Final = 6
"""A card that is bought with fewer rounds left does not pay off."""

EURO: Final = 10
FREE_PLACE: Final = 5
"""The worth of a free place in the store."""
WANTED_CARD: Final = 60
MAGIC_CARD: Final = 4
DISASTER: Final = 2
CATCHES: Final = 3
"""The number of tiles in reach that count for the worth of a corner."""

Prospects = tuple[int, int]


def choose(view: View, seat: Seat, moves: tuple[Move, ...], edition: Edition) -> Move:
    """The move with the best prospects; of equals the first."""
    player = Player(edition, view, seat)
    return max(moves, key=player.prospects)


class Player:
    """A player who counts what a season can earn."""

    def __init__(self, edition: Edition, view: View, seat: Seat) -> None:
        own = view.seats[seat]
        self.edition, self.view, self.seat = edition, view, seat
        self.state = SeatState(own.pawn, own.money, own.cards, own.store, own.magic or (), own.placed, own.penalties)
        self.round = SEASONS.index(view.season)
        self.rounds_left = (edition.years - view.year) * len(SEASONS) + len(SEASONS) - 1 - self.round
        self.room = store_places(self.state, edition) - len(own.store)
        self.merchant, self.black_market = owns(self.state, "merchant"), owns(self.state, "black_market")
        self.hopes = hopes_of(COLOURS, edition)[self.merchant, self.black_market]

    def prospects(self, move: Move) -> Prospects:
        """How urgent a move is, then how good. A move that does harm comes after the end of the turn."""
        match move:
            case PlaceMarker():
                return 0, self.worth_of_space(move.space)
            case EndTurn():
                return 0, 0
            case Flee():
                return 0, self.worth_of_corner(move.to) - (0 if move.tile is UNSET else 2 * self.keeping(move.tile))
            case PayDues():
                return 0, -self.edition.dues * EURO - 1 if move.tile is UNSET else -self.next_worth(move.tile)
            case PlaceMonster():
                return 0, self.strikes(move.hex)
            case _:
                worth = self.worth_of_action(move)
                return (self.urgency(move) if worth > 0 else -1), worth

    def urgency(self, move: Move) -> int:
        """The order of actions: treasures, a sale from a full store, gear; with room in the store, fish first."""
        match move:
            case OpenTreasure():
                return 8
            case Buy():
                return 6
            case Sell() if self.room <= 0:
                return 7
            case Sell():
                return 5 if self.room < self.state.placed.count("fishing") or "buying" in self.state.placed else 1
            case DrawMagic():
                return 4
            case Sail():
                return 3
            case _:
                return 2

    def worth_of_action(self, move: Move) -> int:
        """The worth of an action of the player's own turn."""
        match move:
            case OpenTreasure() | DrawMagic():
                return MAGIC_CARD
            case Buy():
                return self.wish(move.card)
            case Sell():
                return sum(map(self.selling, move.tiles))
            case Sail():
                return self.worth_of_corner(move.to) - self.worth_of_corner(self.state.pawn) - self.effort(move)
            case Fish():
                return self.hopes[COLOUR_AT[move.hex]] - (MAGIC_CARD if move.good_haul else 0)
            case Steal():
                return self.keeping(move.tile)
            case MoveTyphoon(to=hex) | MoveOil(to=hex) | MoveMonster(to=hex):
                return self.strikes(hex) + 1
            case _:
                raise AssertionError("every move of a seat has its prospects")

    def worth_of_space(self, space: Space) -> int:
        """The worth of one more marker on a space, beside those placed already."""
        match space:
            case "fishing":
                return self.worth_of_fishing()
            case "selling":
                return self.worth_of_selling()
            case "buying":
                return self.worth_of_buying()
            case "sailing":
                return self.worth_of_sailing()
            case "treasure_island":
                left = sum(self.edition.decks.treasure) - sum(self.view.treasure_used)
                return EURO * left // self.view.treasure_deck_count
            case "thief":
                return self.worth_of_thief()
            case "magic_library":
                return MAGIC_CARD
            case _:
                return DISASTER

    def worth_of_fishing(self) -> int:
        """The worth of the next best tile in reach, if there is room for it."""
        planned = self.state.placed.count("fishing")
        freed = len(self.state.store) if "selling" in self.state.placed else 0
        catches = self.catches(self.state.pawn)
        return catches[planned] if planned < min(self.room + freed, len(catches)) else 0

    def worth_of_selling(self) -> int:
        """The earnings of a sale now; half of them while there is room for more tiles."""
        if "selling" in self.state.placed:
            return 0
        planned = self.state.placed.count("fishing")
        gain = self.gain_of_sale() + sum(self.catches(self.state.pawn)[: min(planned, self.room)])
        return gain + FREE_PLACE if self.room <= planned or self.rounds_left == 0 else gain // 2

    def worth_of_buying(self) -> int:
        """The worth of the most wanted card that the player can pay, if need be with a sale of this round."""
        sale = self.gain_of_sale() // EURO if "selling" in self.state.placed else 0
        money = self.state.money + sale
        wishes = [self.wish(kind) for kind, pile in self.view.market.items() if pile and pile[0] <= money]
        return max(wishes, default=0) if "buying" not in self.state.placed else 0

    def worth_of_sailing(self) -> int:
        """The gain from sailing one edge to the best corner."""
        if "sailing" in self.state.placed:
            return 0
        corners = [corner for corner in NEIGHBOURS[self.state.pawn] if is_accessible(self.state, corner)]
        best = max(map(self.worth_of_corner, corners), default=0)
        return best - self.worth_of_corner(self.state.pawn)

    def worth_of_thief(self) -> int:
        """Half the worth of the best fish of another seat, which may sell it; 0 if other markers would be lost."""
        is_last = len(self.state.placed) + 1 == markers(self.state, self.edition)
        stores = [state.store for other, state in enumerate(self.view.seats) if other != self.seat]
        fish = [self.keeping(tile) for store in stores for tile in store if tile in FISH]
        return max(fish, default=0) // 2 if is_last and self.room > self.state.placed.count("fishing") else 0

    def worth_of_corner(self, corner: Corner) -> int:
        """The worth of the best tiles in reach of a corner."""
        return sum(self.catches(corner)[:CATCHES])

    def catches(self, corner: Corner) -> list[int]:
        """The expected values of the tiles in reach of a corner, the best first."""
        within = reach(self.state, self.edition)
        near = (hex for hex, distance in FISHING_DISTANCE[corner].items() if distance <= within)
        return sorted((self.hopes[COLOUR_AT[hex]] for hex in near if self.view.board[hex]), reverse=True)

    def earned(self, tile: Tile, season: int) -> int:
        """The earnings of a tile that is sold in a season."""
        return earned(tile, season, self.merchant, self.edition)

    def keeping(self, tile: Tile) -> int:
        """The worth of keeping a tile: a euro less than its next sale, or its worth at the end."""
        if tile not in FISH:
            return 0
        return self.next_worth(tile) if self.is_unsold(tile) else max(0, self.next_worth(tile) - EURO)

    def next_worth(self, tile: Tile) -> int:
        """The price of a tile in the next season, or its worth at the end."""
        in_the_end = self.edition.fish_score * EURO
        return in_the_end if self.is_unsold(tile) else self.earned(tile, (self.round + 1) % len(SEASONS))

    def is_unsold(self, tile: Tile) -> bool:
        """Whether the player can never sell a tile later."""
        return self.rounds_left == 0 or (tile == WHALE and not self.black_market)

    def selling(self, tile: Tile) -> int:
        """The gain from selling a tile now instead of keeping it."""
        return self.earned(tile, self.round) + FREE_PLACE - self.keeping(tile)

    def gain_of_sale(self) -> int:
        """The earnings of the best sale of this season."""
        sellable = [tile for tile in self.state.store if tile != WHALE or self.black_market]
        return sum(self.earned(tile, self.round) for tile in sellable if self.selling(tile) > 0)

    def wish(self, card: CardKind) -> int:
        """The worth of a card to the player."""
        if card not in SHOPPING_LIST or owns(self.state, card) or self.rounds_left < ROUNDS_TO_PAY:
            return 0
        needed = self.edition.cards[card].needs
        return WANTED_CARD - SHOPPING_LIST.index(card) if needed is None or owns(self.state, needed) else 0

    def effort(self, move: Sail) -> int:
        """The cost of a voyage."""
        fee = self.edition.sorcerer_fee * EURO if move.warp == "sorcerer" else 0
        return fee + (MAGIC_CARD * len(move.boosts) if move.boosts else 0)

    def strikes(self, hex: Hex) -> int:
        """The worth of striking a hex: more for each other seat there; far below 0 if the player is there."""
        struck = [other for other, state in enumerate(self.view.seats) if hex in TOUCHES[state.pawn]]
        return sum(-len(self.view.seats) * EURO if other == self.seat else EURO for other in struck)


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
