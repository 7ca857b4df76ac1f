"""Placement: CF-10 to CF-18. Seats put markers on shared spaces, one at a time."""

from typing import Annotated

from msgspec import Meta

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import Space, counted, seats_text, title_of
from referee.rulesets.cat_and_fish.position import (
    Case,
    Position,
    Says,
    acting,
    markers,
    owns,
    turn_order,
)
from referee.rulesets.cat_and_fish.turns import go_on

placement = Chapter()


class PlaceMarker(Move):
    """Put your next action marker on a space."""

    space: Annotated[Space, Meta(description="The space of the action that you choose.")]


class StopPlacing(Move):
    """Place no more markers this round."""


class MarkerPlaced(Event):
    """A seat put a marker on a space."""

    seat: Seat
    space: Space


class PlacingStopped(Event):
    """A seat places no more markers this round."""

    seat: Seat


class FirstPlayerClaimed(Event):
    """A seat chose `thief` and will be the first seat in spring."""

    seat: Seat


class PlacementClosed(Event):
    """Every seat has placed its markers; the seats carry out their actions next."""


def is_finished(position: Position, seat: Seat, edition: Edition) -> bool:
    """Whether a seat places no more markers this round (CF-11, CF-16, CF-88)."""
    state = position.seats[seat]
    return "thief" in state.placed or seat in position.stopped or len(state.placed) >= markers(state, edition)


def next_to_place(position: Position, edition: Edition) -> Seat | None:
    """The seat that places the next marker: the fewest placed, then the earlier in turn order (CF-11)."""
    unfinished = (seat for seat in turn_order(position) if not is_finished(position, seat, edition))
    return min(unfinished, key=lambda seat: len(position.seats[seat].placed), default=None)


def deck_of(position: Position, space: Space) -> tuple[object, ...] | None:
    """The deck of a space; None for a space without cards."""
    if space == "treasure_island":
        return position.treasure_deck
    return position.magic_deck if space == "magic_library" else None


def has_room(position: Position, space: Space, edition: Edition) -> bool:
    """Whether a space takes one more marker, counting all seats (CF-12)."""
    taken = sum([state.placed.count(space) for state in position.seats])
    return taken < edition.capacity(space, len(position.seats))


def can_choose(position: Position, seat: Seat, space: Space, edition: Edition) -> bool:
    """Whether a space is open to a seat, and has room; a seat may put several markers on one space (CF-13)."""
    if space == "thief" and position.season != "winter":  # CF-15
        return False
    if space == "summoner" and not owns(position.seats[seat], "summoner"):  # CF-17
        return False
    return deck_of(position, space) != () and has_room(position, space, edition)


@placement.requires(PlaceMarker)
def require_space(case: Case, move: PlaceMarker) -> None:
    """Refuse a space that is closed or full."""
    position, space = case.position, move.space
    if can_choose(position, case.seat, space, case.edition):
        return
    if space == "thief" and position.season != "winter":
        raise Rejection("CF-15", f"The Thief can be chosen in winter only; it is {position.season}.")
    if space == "summoner" and not owns(acting(case), "summoner"):
        raise Rejection("CF-17", f"Only the owner of the Summoner can choose it, and {summoner_text(position)}.")
    if deck_of(position, space) == ():
        raise Rejection("CF-14", f"{title_of(space)} is closed: its deck is empty.")
    raise Rejection("CF-12", full_text(position, space, case.edition))


def full_text(position: Position, space: Space, edition: Edition) -> str:
    """Why a space takes no more markers: its capacity, and the seats that have used it up."""
    players = len(position.seats)
    capacity = counted(edition.capacity(space, players), "marker")
    there = [seat for seat, state in enumerate(position.seats) if space in state.placed]
    taken = f", placed by {seats_text(there)}" if there else ""
    return f"{title_of(space)} is full: it takes {capacity} with {players} players{taken}."


def summoner_text(position: Position) -> str:
    """Which seat owns the Summoner."""
    owner = next((seat for seat, state in enumerate(position.seats) if owns(state, "summoner")), None)
    return "nobody owns it yet" if owner is None else f"seat {owner} owns it"


@placement.decides(PlaceMarker)
def place_marker(case: Case, move: PlaceMarker) -> Says:
    """The seat puts its marker on the space; after the last marker the placement ends."""
    position = yield MarkerPlaced(seat=case.seat, space=move.space)
    if move.space == "thief" and position.year < case.edition.years:
        position = yield FirstPlayerClaimed(seat=case.seat)  # CF-16
    yield from close_placement(case, position)


@placement.decides(StopPlacing)
def stop_placing(case: Case, move: StopPlacing) -> Says:
    """The seat keeps its other markers for the next round (CF-88)."""
    position = yield PlacingStopped(seat=case.seat)
    yield from close_placement(case, position)


def close_placement(case: Case, position: Position) -> Says:
    """Begin the execution when every seat has finished (CF-18); without a single marker the round is complete."""
    if next_to_place(position, case.edition) is None:
        position = yield PlacementClosed()
        yield from go_on(position)


@placement.applies(MarkerPlaced)
def marker_placed(position: Position, event: MarkerPlaced) -> Position:
    """Put the marker on the space."""
    placed = (*position.seats[event.seat].placed, event.space)
    return replace(position, seats=with_seat(position.seats, event.seat, placed=placed))


@placement.applies(PlacingStopped)
def placing_stopped(position: Position, event: PlacingStopped) -> Position:
    """Pass the seat over until the placement ends."""
    return replace(position, stopped=(*position.stopped, event.seat))


@placement.applies(FirstPlayerClaimed)
def first_player_claimed(position: Position, event: FirstPlayerClaimed) -> Position:
    """Keep the claim for the coming spring."""
    return replace(position, thief=event.seat)


@placement.applies(PlacementClosed)
def placement_closed(position: Position, event: PlacementClosed) -> Position:
    """Begin the execution."""
    return replace(position, phase="execution", stopped=())
