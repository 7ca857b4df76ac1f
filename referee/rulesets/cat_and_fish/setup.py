"""Setup: CF-S1 to CF-S8."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Trigger
from referee.kernel.rejection import require
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
    """Shuffle the tiles and decks, lay out the sea and choose the first seat."""


class GameSetUp(Event):
    """The referee laid out the sea and the decks and chose the first seat."""

    players: int
    first_seat: Seat
    green_order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET
    blue_order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET
    pink_order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET
    treasure_order: Annotated[tuple[int, ...] | UnsetType, NOBODY] = UNSET
    magic_order: Annotated[tuple[Magic, ...] | UnsetType, NOBODY] = UNSET


def blank(options: Options, players: int, edition: Edition) -> Position:
    """The table before the shuffling: pawns, money, cards for sale and catastrophes are in place."""
    require_options(options, players)
    return Position(
        ruleset=SLUG,
        options=options,
        phase="setup",
        year=1,
        season="spring",  # CF-S1
        first_seat=options.first_seat or Seat(0),
        thief=None,
        stopped=(),
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
    """Refuse a number of seats that cannot play, and a first seat that does not exist."""
    first_seat = options.first_seat
    require("CF-S4", players in PLAYERS, f"Cat & Fish has start spots for 2, 3 or 4 seats, not for {players}.")
    is_possible = first_seat is None or 0 <= first_seat < players
    require("CF-S7", is_possible, f"`first_seat` is null or a seat from 0 to {players - 1}, not {first_seat}.")


@setup.decides(SetUp)
def set_up(case: Case, move: SetUp) -> Says:
    """Shuffle the tiles and decks, and draw the first seat unless the options name it."""
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
    """Lay the first tiles of each colour on the hexes in hex order; the rest are the piles."""
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
