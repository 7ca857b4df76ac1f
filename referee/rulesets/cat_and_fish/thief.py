"""Thief: CF-66 to CF-68."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.names import FISH, Tile, counted, words_of
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    acting,
    has_free_place,
    no_marker,
    spent,
    store_places,
)
from referee.rulesets.cat_and_fish.turns import go_on

thief = Chapter()


class Steal(Move):
    """Take a fish from another seat's store into yours."""

    seat: Annotated[Seat, Meta(ge=0, description="The seat that you steal from.")]
    tile: Annotated[Tile, Meta(description="The fish that you take.")]


class FishStolen(Event):
    """A seat stole a fish from the store of another seat."""

    seat: Seat
    victim: Seat
    tile: Tile


@thief.decides(Steal)
def steal(case: Case, move: Steal) -> Says:
    """The thief takes one fish of its choice (CF-66)."""
    own = acting(case)
    name, places = words_of(move.tile), store_places(own, case.edition)
    require("CF-20", "thief" in own.placed, no_marker(own, "thief"))
    require("CF-67", has_free_place(own, case.edition), f"Your store is full: it takes {counted(places, 'tile')}.")
    require("CF-68", move.seat != case.seat, "You cannot steal from yourself.")
    require("CF-68", move.tile in FISH, f"A {name} is not a fish; only fish can be stolen.")
    is_held = move.tile in case.position.seats[move.seat].store
    require("CF-68", is_held, f"Seat {move.seat} has no {name} in its store.")
    position = yield FishStolen(seat=case.seat, victim=move.seat, tile=move.tile)
    yield from go_on(position)


@thief.applies(FishStolen)
def fish_stolen(position: Position, event: FishStolen) -> Position:
    """Move the fish to the thief's store."""
    robbed = without(position.seats[event.victim].store, (event.tile,))
    seats = with_seat(
        position.seats,
        event.seat,
        store=(*position.seats[event.seat].store, event.tile),
        placed=spent(position, event.seat, "thief"),
    )
    return replace(position, seats=with_seat(seats, event.victim, store=robbed))
