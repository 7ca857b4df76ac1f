"""Placement: CF-10 to CF-18. Markers go onto shared spaces, one at a time."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import Space
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    acting,
    changed_seat,
    clockwise,
    markers,
    owns,
)

placement = Chapter()


class PlaceMarker(Move):
    """Put your next action marker on a space."""

    space: Annotated[Space, Meta(description="The action you choose.")]


class MarkerPlaced(Event):
    """A marker stands on a space."""

    seat: Seat
    space: Space


class FirstPlayerClaimed(Event):
    """The thief will be first in spring."""

    seat: Seat


class PlacementClosed(Event):
    """Every seat has placed its markers; the actions begin."""


def is_finished(position: Position, seat: Seat, edition: Edition) -> bool:
    """Whether a seat places no more markers this round (CF-11, CF-16)."""
    state = position.seats[seat]
    return "thief" in state.placed or len(state.placed) >= markers(state, edition)


def next_to_place(position: Position, edition: Edition) -> Seat | None:
    """The seat that places the next marker: the fewest placed, then the earlier in turn order (CF-11)."""
    unfinished = (seat for seat in clockwise(position, position.first_seat) if not is_finished(position, seat, edition))
    return min(unfinished, key=lambda seat: len(position.seats[seat].placed), default=None)


def deck_of(position: Position, space: Space) -> tuple[object, ...] | None:
    """The cards that lie on a space, if it is one for cards."""
    if space == "treasure_island":
        return position.treasure_deck
    return position.magic_deck if space == "magic_library" else None


def has_room(position: Position, space: Space, edition: Edition) -> bool:
    """Whether a space takes one more marker, counting all seats (CF-12)."""
    taken = sum(state.placed.count(space) for state in position.seats)
    return taken < edition.capacity(space, len(position.seats))


@placement.requires(PlaceMarker)
def require_space(case: Case, move: PlaceMarker) -> None:
    """The space is open and has room; several markers of a seat may stand on one (CF-13)."""
    position, space = case.position, move.space
    require("CF-15", space != "thief" or position.season == "winter", "The thief comes in winter only.")
    require("CF-17", space != "summoner" or owns(acting(case), "summoner"), "You do not own the Summoner.")
    require("CF-14", deck_of(position, space) != (), "No cards are left there.")
    require("CF-12", has_room(position, space, case.edition), "Every place of this space is taken.")


@placement.decides(PlaceMarker)
def place_marker(case: Case, move: PlaceMarker) -> Says:
    """A marker stands on the space, until every seat has placed its own."""
    position = yield MarkerPlaced(seat=case.seat, space=move.space)
    if move.space == "thief":
        position = yield FirstPlayerClaimed(seat=case.seat)  # CF-16
    if next_to_place(position, case.edition) is None:
        yield PlacementClosed()  # CF-18


@placement.applies(MarkerPlaced)
def marker_placed(position: Position, event: MarkerPlaced) -> Position:
    """One marker more on the space."""
    placed = (*position.seats[event.seat].placed, event.space)
    return replace(position, seats=changed_seat(position, event.seat, placed=placed))


@placement.applies(FirstPlayerClaimed)
def first_player_claimed(position: Position, event: FirstPlayerClaimed) -> Position:
    """The claim counts for the coming spring."""
    return replace(position, thief=event.seat)


@placement.applies(PlacementClosed)
def placement_closed(position: Position, event: PlacementClosed) -> Position:
    """The actions begin."""
    return replace(position, phase="execution")
