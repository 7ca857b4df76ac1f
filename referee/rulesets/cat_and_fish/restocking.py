"""New tiles on empty hexes: CF-83 and CF-84, for a new year and for a Good Haul."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.rulesets.cat_and_fish.board import COLOUR_AT
from referee.rulesets.cat_and_fish.names import COLOURS, Colour, Hex, Tile
from referee.rulesets.cat_and_fish.position import Case, Position, Step, has_catastrophe

restocking = Chapter()


class HexesRestocked(Event):
    """The referee laid tiles from the top of a pile face down on empty hexes."""

    zone: Colour
    hexes: tuple[Hex, ...]
    tiles: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET


class PileReshuffled(Event):
    """The referee shuffled the discards of a colour into a new pile."""

    zone: Colour
    order: Annotated[tuple[Tile, ...] | UnsetType, NOBODY] = UNSET


def is_open(position: Position, hex: Hex) -> bool:
    """Whether a hex is empty: it holds neither a tile nor a catastrophe."""
    return position.board[hex] is None and not has_catastrophe(position, hex)


def restocked(position: Position, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
    """The hexes among these open ones, given in hex order, for which piles and discards have a tile (CF-84)."""
    left = {colour: len(position.piles.of(colour)) + len(position.discards.of(colour)) for colour in COLOURS}
    return tuple(hex for colour in COLOURS for hex in _of_colour(hexes, colour)[: left[colour]])


def restock(case: Case, position: Position, hexes: Sequence[Hex]) -> Step:
    """Lay tiles on open hexes, given in hex order, colour by colour (CF-83)."""
    for colour in COLOURS:
        wanted = _of_colour(hexes, colour)
        while wanted:
            pile, discards = position.piles.of(colour), position.discards.of(colour)
            if pile:
                now, wanted = wanted[: len(pile)], wanted[len(pile) :]
                position = yield HexesRestocked(zone=colour, hexes=now, tiles=pile[: len(now)])
            elif discards:  # CF-84
                order = case.chance.shuffle(f"reshuffle_{colour}", discards)
                position = yield PileReshuffled(zone=colour, order=order)
            else:
                break
    return position


def _of_colour(hexes: Sequence[Hex], colour: Colour) -> tuple[Hex, ...]:
    return tuple(hex for hex in hexes if COLOUR_AT[hex] == colour)


@restocking.applies(HexesRestocked)
def hexes_restocked(position: Position, event: HexesRestocked) -> Position:
    """Lay the tiles on the hexes."""
    tiles = whole(event.tiles)
    return replace(
        position,
        board={**position.board, **dict(zip(event.hexes, tiles, strict=True))},
        piles=position.piles.change(event.zone, position.piles.of(event.zone)[len(tiles) :]),
    )


@restocking.applies(PileReshuffled)
def pile_reshuffled(position: Position, event: PileReshuffled) -> Position:
    """Turn the discards of the colour into its pile."""
    return replace(
        position,
        piles=position.piles.change(event.zone, whole(event.order)),
        discards=position.discards.change(event.zone, ()),
    )
