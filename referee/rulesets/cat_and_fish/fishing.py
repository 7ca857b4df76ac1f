"""Fishing: CF-23 to CF-28."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import FISHING_DISTANCE, TOUCHES
from referee.rulesets.cat_and_fish.decks import MagicPlayed, require_in_hand
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import TREASURES, Hex, Tile, counted, listed
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    SeatState,
    acting,
    catastrophe_on,
    has_catastrophe,
    has_free_place,
    reach,
    spent,
    store_places,
)
from referee.rulesets.cat_and_fish.restocking import is_open, restock, restocked
from referee.rulesets.cat_and_fish.turns import go_on
from referee.rulesets.cat_and_fish.wizard import Change, change_action, require_marker

fishing = Chapter()


class Fish(Move):
    """Turn up a tile within the reach of your gear and lay it in your store."""

    hex: Annotated[Hex, Meta(description="The sea hex to fish.")]
    good_haul: Annotated[
        bool | UnsetType, Meta(description="`true`: play Good Haul first and refill the hexes around your pawn.")
    ] = UNSET
    change: Annotated[Change | UnsetType, Meta(description="Spend a marker on another basic space.")] = UNSET


class FishCaught(Event):
    """A seat fished a tile and stored it."""

    seat: Seat
    hex: Hex
    tile: Tile


class TreasureFished(Event):
    """A seat fished a treasure tile, got its value and discarded it."""

    seat: Seat
    hex: Hex
    tile: Tile
    gained: int


def good_haul_hexes(position: Position, seat: Seat) -> tuple[Hex, ...]:
    """The open hexes that touch a seat's pawn, in hex order (CF-28)."""
    return tuple(hex for hex in TOUCHES[position.seats[seat].pawn] if is_open(position, hex))


def hexes_in_reach(state: SeatState, edition: Edition) -> tuple[Hex, ...]:
    """The hexes that a seat can fish from its corner with its gear, the nearest first (CF-24)."""
    within = reach(state, edition)
    return tuple([hex for hex, distance in FISHING_DISTANCE[state.pawn].items() if distance <= within])


@fishing.decides(Fish)
def fish(case: Case, move: Fish) -> Says:
    """The seat turns up the tile and stores it; a treasure pays at once."""
    position, own, edition = case.position, acting(case), case.edition
    require_marker(case, "fishing", move.change)
    if not has_free_place(own, edition):
        raise Rejection("CF-23", f"Your store is full: it takes {counted(store_places(own, edition), 'tile')}.")
    around: tuple[Hex, ...] = ()
    if move.good_haul is True:
        require_in_hand(own, ("good_haul",))
        around = good_haul_hexes(position, case.seat)
        if not around:
            touching = listed(TOUCHES[own.pawn])
            raise Rejection("CF-28", f"Good Haul refills nothing: {touching} each hold a tile or a catastrophe.")
    if move.hex not in hexes_in_reach(own, edition):
        distance = FISHING_DISTANCE[own.pawn][move.hex]
        raise Rejection("CF-24", f"{move.hex} is at distance {distance}; your gear reaches {reach(own, edition)}.")
    if position.board[move.hex] is None and move.hex not in restocked(position, around):
        here = f"the {catastrophe_on(position, (move.hex,))} is there" if has_catastrophe(position, move.hex) else ""
        raise Rejection("CF-25", f"No tile lies on {move.hex}: {here or 'it stays empty until it is refilled'}.")
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
    """Move the tile to the store (CF-26)."""
    return replace(
        position,
        board={**position.board, event.hex: None},
        seats=with_seat(
            position.seats,
            event.seat,
            store=(*position.seats[event.seat].store, event.tile),
            placed=spent(position, event.seat, "fishing"),
        ),
    )


@fishing.applies(TreasureFished)
def treasure_fished(position: Position, event: TreasureFished) -> Position:
    """Discard the tile and pay the seat (CF-27)."""
    return replace(
        position,
        board={**position.board, event.hex: None},
        discards=position.discards.add(event.tile),
        seats=with_seat(
            position.seats,
            event.seat,
            money=position.seats[event.seat].money + event.gained,
            placed=spent(position, event.seat, "fishing"),
        ),
    )
