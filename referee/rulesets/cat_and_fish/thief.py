"""Thief: CF-66 to CF-68."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import put, replace, without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.names import FISH, Tile
from referee.rulesets.cat_and_fish.position import Case, Position, Says, acting, changed_seat, places, spent
from referee.rulesets.cat_and_fish.turns import go_on

thief = Chapter()


class Steal(Move):
    """Take a fish from another seat's store into yours."""

    seat: Annotated[Seat, Meta(ge=0, description="The seat you steal from.")]
    tile: Annotated[Tile, Meta(description="The fish you take.")]


class FishStolen(Event):
    """A fish went from one store into another."""

    seat: Seat
    victim: Seat
    tile: Tile


@thief.decides(Steal)
def steal(case: Case, move: Steal) -> Says:
    """One fish of the thief's choice (CF-66)."""
    own = acting(case)
    require("CF-20", "thief" in own.placed, "You have no marker on the thief.")
    require("CF-67", len(own.store) < places(own, case.edition), "Your store is full.")
    require("CF-68", move.seat != case.seat, "Nobody steals from himself.")
    require("CF-68", move.tile in FISH, "Only a fish can be stolen.")
    require("CF-68", move.tile in case.position.seats[move.seat].store, "That seat does not hold this fish.")
    position = yield FishStolen(seat=case.seat, victim=move.seat, tile=move.tile)
    yield from go_on(position)


@thief.applies(FishStolen)
def fish_stolen(position: Position, event: FishStolen) -> Position:
    """The fish is in the thief's store."""
    victim = position.seats[event.victim]
    seats = changed_seat(
        position,
        event.seat,
        store=(*position.seats[event.seat].store, event.tile),
        placed=spent(position, event.seat, "thief"),
    )
    return replace(
        position, seats=put(seats, event.victim, replace(victim, store=without(victim.store, (event.tile,))))
    )
