"""Fishing: CF-23 to CF-28."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import FISHING_DISTANCE, TOUCHES
from referee.rulesets.cat_and_fish.decks import MagicPlayed, require_in_hand
from referee.rulesets.cat_and_fish.names import TREASURES, Hex, Tile
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    Switch,
    acting,
    changed_seat,
    places,
    reach,
    spent,
)
from referee.rulesets.cat_and_fish.restocking import is_open, restock, restocked
from referee.rulesets.cat_and_fish.turns import go_on
from referee.rulesets.cat_and_fish.wizard import Change, change_action, require_marker

fishing = Chapter()


class Fish(Move):
    """Turn up a tile within the reach of your gear and lay it in your store."""

    hex: Annotated[Hex, Meta(description="The sea hex to fish.")]
    good_haul: Annotated[
        Switch | UnsetType, Meta(description="`true`: play Good Haul first and refill the hexes around your pawn.")
    ] = UNSET
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker of another basic space.")] = UNSET


class FishCaught(Event):
    """A tile went from the sea into a store."""

    seat: Seat
    hex: Hex
    tile: Tile


class TreasureFished(Event):
    """A treasure tile was fished, paid and discarded."""

    seat: Seat
    hex: Hex
    tile: Tile
    gained: int


def good_haul_hexes(position: Position, seat: Seat) -> tuple[Hex, ...]:
    """The open hexes around the pawn of a seat, in hex order (CF-28)."""
    return tuple(hex for hex in TOUCHES[position.seats[seat].pawn] if is_open(position, hex))


@fishing.decides(Fish)
def fish(case: Case, move: Fish) -> Says:
    """The tile is turned up and kept; a treasure is paid at once."""
    position, own, edition = case.position, acting(case), case.edition
    require_marker(case, "fishing", move.change)
    require("CF-23", len(own.store) < places(own, edition), "Your store is full.")
    around: tuple[Hex, ...] = ()
    if move.good_haul is True:
        require_in_hand(own, ("good_haul",))
        around = good_haul_hexes(position, case.seat)
        require("CF-28", bool(around), "No hex around you can be refilled.")
    require("CF-24", FISHING_DISTANCE[own.pawn][move.hex] <= reach(own, edition), "This hex is out of reach.")
    holds_tile = position.board[move.hex] is not None or move.hex in restocked(position, around)
    require("CF-25", holds_tile, "No tile lies there.")
    position = yield from change_action(case, "fishing", move.change)
    if move.good_haul is True:
        position = yield MagicPlayed(seat=case.seat, card="good_haul")
        position = yield from restock(case, position, around)
    tile = position.board[move.hex]
    assert tile is not None
    if tile in TREASURES:
        position = yield TreasureFished(seat=case.seat, hex=move.hex, tile=tile, gained=edition.fished_treasure)
    else:
        position = yield FishCaught(seat=case.seat, hex=move.hex, tile=tile)
    yield from go_on(position)


@fishing.applies(FishCaught)
def fish_caught(position: Position, event: FishCaught) -> Position:
    """The tile is in the store (CF-26)."""
    return replace(
        position,
        board={**position.board, event.hex: None},
        seats=changed_seat(
            position,
            event.seat,
            store=(*position.seats[event.seat].store, event.tile),
            placed=spent(position, event.seat, "fishing"),
        ),
    )


@fishing.applies(TreasureFished)
def treasure_fished(position: Position, event: TreasureFished) -> Position:
    """The tile is discarded, the money is the seat's (CF-27)."""
    return replace(
        position,
        board={**position.board, event.hex: None},
        discards=position.discards.add(event.tile),
        seats=changed_seat(
            position,
            event.seat,
            money=position.seats[event.seat].money + event.gained,
            placed=spent(position, event.seat, "fishing"),
        ),
    )
