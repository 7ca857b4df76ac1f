"""Setup: CF-S1 to CF-S8."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.changes import replace
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.edition import PLAYERS, Edition
from referee.rulesets.cat_and_fish.names import HEXES, Hex, Magic, Tile
from referee.rulesets.cat_and_fish.position import (
    SLUG,
    ByColour,
    Card,
    Case,
    Options,
    Position,
    Says,
    SeatState,
    has_catastrophe,
)

setup = Chapter()


class SetUp(Trigger):
    """Shuffle, lay out the sea and seat the cats."""


class GameSetUp(Event):
    """The sea is laid out, everybody has a rod and some money, and the first seat is known."""

    players: int
    first_seat: Seat
    green_order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET
    blue_order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET
    pink_order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET
    treasure_order: Annotated[tuple[int, ...] | UnsetType, NOBODY] = UNSET
    magic_order: Annotated[tuple[Magic, ...] | UnsetType, NOBODY] = UNSET


def blank(edition: Edition, options: Options, players: int) -> Position:
    """The table before anything is shuffled: pawns, money, cards for sale and catastrophes lie ready."""
    require_options(options, players)
    return Position(
        ruleset=SLUG,
        options=options,
        phase="setup",
        year=1,
        season="spring",  # CF-S1
        first_seat=options.first_seat or Seat(0),
        thief=None,
        seats=tuple(  # CF-S4
            SeatState(
                pawn=pawn,
                money=edition.starting_money,
                cards=(Card(kind="fishing_rod", price=0),),
                store=(),
                magic=(),
                placed=(),
                penalties=0,
            )
            for pawn in edition.start_spots_of(players)
        ),
        board=dict.fromkeys(HEXES),
        typhoon=edition.typhoon,  # CF-S6
        oil=edition.oil,
        monster=None,
        piles=ByColour(),
        discards=ByColour(),
        market={kind: card.prices for kind, card in edition.cards.items()},  # CF-S5
        treasure_deck=(),
        treasure_used=(),
        magic_deck=(),
        magic_used=(),
        pending=None,
    )


def require_options(options: Options, players: int) -> None:
    """The number of seats and the first seat are possible."""
    first_seat = options.first_seat
    require("CF-S4", players in PLAYERS, "There are start spots for 2, 3 or 4 seats.")
    require("CF-S7", first_seat is None or 0 <= first_seat < players, "The first seat is a seat of this game.")


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """Everything that luck decides before the first marker is placed."""
    edition, chance = case.edition, case.chance
    players = len(case.position.seats)
    green = chance.shuffle("shuffle_green", edition.tiles_of("green"))  # CF-S2
    blue = chance.shuffle("shuffle_blue", edition.tiles_of("blue"))
    pink = chance.shuffle("shuffle_pink", edition.tiles_of("pink"))
    treasure = chance.shuffle("shuffle_treasure", edition.decks.treasure)  # CF-S3
    magic = chance.shuffle("shuffle_magic", edition.magic_cards)
    first_seat = case.position.options.first_seat
    if first_seat is None:
        first_seat = Seat(chance.number("draw_first_seat", 0, players - 1))  # CF-S7
    yield GameSetUp(  # CF-S8
        players=players,
        first_seat=first_seat,
        green_order=green,
        blue_order=blue,
        pink_order=pink,
        treasure_order=treasure,
        magic_order=magic,
    )


@setup.applies(GameSetUp)
def game_set_up(position: Position, event: GameSetUp) -> Position:
    """The first tiles of each colour lie on the hexes in hex order, the rest are the piles."""
    left = {
        "green": list(reversed(whole(event.green_order))),
        "blue": list(reversed(whole(event.blue_order))),
        "pink": list(reversed(whole(event.pink_order))),
    }
    board: dict[Hex, Tile | None] = {
        hex: None if has_catastrophe(position, hex) else left[COLOUR_AT[hex]].pop() for hex in HEXES
    }
    return replace(
        position,
        phase="placement",
        first_seat=event.first_seat,
        board=board,
        piles=ByColour(**{colour: tuple(reversed(tiles)) for colour, tiles in left.items()}),
        treasure_deck=whole(event.treasure_order),
        magic_deck=whole(event.magic_order),
    )
