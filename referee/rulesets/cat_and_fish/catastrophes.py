"""Moves of typhoon, oil and monster: CF-55 to CF-58, CF-65, CF-79 to CF-81."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import ADJACENT, STEPS, ZONE_OF
from referee.rulesets.cat_and_fish.decks import MagicPlayed, require_in_hand
from referee.rulesets.cat_and_fish.flight import strike
from referee.rulesets.cat_and_fish.names import Catastrophe, Hex, Space, Tile, listed
from referee.rulesets.cat_and_fish.position import (
    ByColour,
    Case,
    Position,
    Says,
    acting,
    catastrophe_on,
    has_catastrophe,
    no_marker,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on

catastrophes = Chapter()

SPACE_OF: Final[dict[Catastrophe, Space]] = {"typhoon": "typhoon", "oil": "oil", "monster": "summoner"}


class MoveTyphoon(Move):
    """Move the typhoon. Every seat whose pawn touches its new hex loses a fish and flees."""

    to: Annotated[Hex, Meta(description="The sea hex that the typhoon enters.")]
    storm: Annotated[bool | UnsetType, Meta(description="`true`: play Storm and go one or two steps.")] = UNSET


class MoveOil(Move):
    """Move the oil. Every seat whose pawn touches its new hex pays and flees."""

    to: Annotated[Hex, Meta(description="The sea hex that the oil enters.")]


class MoveMonster(Move):
    """Move the monster. Every seat whose pawn touches its new hex pays, loses a fish and flees."""

    to: Annotated[Hex, Meta(description="The sea hex that the monster enters.")]


class PlaceMonster(Move):
    """Put the monster on a sea hex: the seat that has just got the Summoner must do so."""

    hex: Annotated[Hex, Meta(description="The sea hex where the monster appears.")]


class CatastropheMoved(Event):
    """A seat moved a catastrophe to a hex; a tile on that hex was discarded."""

    seat: Seat
    kind: Catastrophe
    from_: Hex = field(name="from")
    to: Hex
    tile: Tile | None


class MonsterPlaced(Event):
    """A seat placed the monster on a hex; a tile on that hex was discarded."""

    seat: Seat
    from_: Hex | None = field(name="from")
    to: Hex
    tile: Tile | None


def hex_of(position: Position, kind: Catastrophe) -> Hex | None:
    """The hex of a catastrophe; None for a monster that is off the board."""
    hex: Hex | None = getattr(position, kind)
    return hex


def may_enter(position: Position, kind: Catastrophe, hex: Hex) -> bool:
    """Whether a catastrophe may enter a hex: not zone 1, except the monster, and no hex of another (CF-56, CF-57)."""
    return (kind == "monster" or ZONE_OF[hex] > 1) and not has_catastrophe(position, hex)


def is_in_steps(position: Position, kind: Catastrophe, to: Hex, passing: bool) -> bool:
    """Whether one step leads from a catastrophe's hex to another, or two over a hex that may be entered (CF-55)."""
    start = hex_of(position, kind)
    if start is None or start == to:
        return False
    return to in ADJACENT[start] or (
        passing and any(to in ADJACENT[over] and may_enter(position, kind, over) for over in ADJACENT[start])
    )


def no_step(position: Position, kind: Catastrophe, to: Hex, storm: bool) -> str:
    """Why a catastrophe cannot step onto a hex that is open to it."""
    start = hex_of(position, kind)
    if start is None:
        return f"The {kind} is not on the board."
    if start == to:
        return f"The {kind} is on {to} already and cannot stay there."
    steps = STEPS[start][to]
    if not storm or steps > 2:
        goes = "1 or 2 steps with Storm" if storm else "1 step"
        return f"The {kind} goes {goes}; {to} is {steps} steps from {start}, where it is."
    between = listed((hex for hex in ADJACENT[start] if to in ADJACENT[hex]), "or")
    return f"From {start} to {to} it is 2 steps over {between}, which the {kind} may not enter."


def move_catastrophe(case: Case, kind: Catastrophe, to: Hex, storm: bool = False) -> Says:
    """Move a catastrophe one step, or one or two with Storm, and discard the tile on the hex entered (CF-58)."""
    position, own = case.position, acting(case)
    require("CF-20", SPACE_OF[kind] in own.placed, no_marker(own, SPACE_OF[kind]))
    if storm:
        require_in_hand(own, ("storm",))
    start = hex_of(position, kind)
    if kind != "monster" and ZONE_OF[to] == 1:
        raise Rejection("CF-56", f"The {kind} never enters zone 1, where {to} lies.")
    if to != start and has_catastrophe(position, to):
        raise Rejection("CF-57", f"The {catastrophe_on(position, (to,))} is on {to}: the {kind} cannot enter that hex.")
    if start is None or not is_in_steps(position, kind, to, passing=storm):
        raise Rejection("CF-55", no_step(position, kind, to, storm))
    if storm:
        yield MagicPlayed(seat=case.seat, card="storm")
    position = yield CatastropheMoved(seat=case.seat, kind=kind, from_=start, to=to, tile=position.board[to])
    position = yield from strike(case, position, kind, to, resume="execution")
    yield from go_on(position)


@catastrophes.decides(MoveTyphoon)
def move_typhoon(case: Case, move: MoveTyphoon) -> Says:
    """The typhoon moves one step, or one or two with Storm."""
    yield from move_catastrophe(case, "typhoon", move.to, storm=move.storm is True)


@catastrophes.decides(MoveOil)
def move_oil(case: Case, move: MoveOil) -> Says:
    """The oil moves one step."""
    yield from move_catastrophe(case, "oil", move.to)


@catastrophes.decides(MoveMonster)
def move_monster(case: Case, move: MoveMonster) -> Says:
    """The monster moves one step, in all zones (CF-65)."""
    yield from move_catastrophe(case, "monster", move.to)


@catastrophes.decides(PlaceMonster)
def place_monster(case: Case, move: PlaceMonster) -> Says:
    """The seat lifts the monster, if it is on the board, and places it anywhere but on typhoon or oil (CF-79)."""
    position = case.position
    if move.hex in (position.typhoon, position.oil):
        raise Rejection("CF-80", f"The {catastrophe_on(position, (move.hex,))} is on {move.hex}; choose another hex.")
    position = yield MonsterPlaced(seat=case.seat, from_=position.monster, to=move.hex, tile=position.board[move.hex])
    yield from strike(case, position, "monster", move.hex, resume="year_end")  # CF-81


@catastrophes.applies(CatastropheMoved)
def catastrophe_moved(position: Position, event: CatastropheMoved) -> Position:
    """Move the catastrophe, spend the marker and discard the tile; the hex left stays empty."""
    return replace(
        position,
        board={**position.board, event.to: None},
        discards=_swept(position, event.tile),
        seats=with_seat(position.seats, event.seat, placed=spent(position, event.seat, SPACE_OF[event.kind])),
        **{event.kind: event.to},
    )


@catastrophes.applies(MonsterPlaced)
def monster_placed(position: Position, event: MonsterPlaced) -> Position:
    """Put the monster on its hex and discard the tile; a new year is due."""
    return replace(
        position,
        phase="year_end",
        board={**position.board, event.to: None},
        discards=_swept(position, event.tile),
        monster=event.to,
    )


def _swept(position: Position, tile: Tile | None) -> ByColour:
    return position.discards if tile is None else position.discards.add(tile)
