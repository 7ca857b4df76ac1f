"""Typhoon, oil and monster on the move: CF-55 to CF-58, CF-65, CF-79 to CF-81."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.board import ADJACENT, ZONE_OF
from referee.rulesets.cat_and_fish.decks import MagicPlayed, require_in_hand
from referee.rulesets.cat_and_fish.flight import strike
from referee.rulesets.cat_and_fish.names import Catastrophe, Hex, Space, Tile
from referee.rulesets.cat_and_fish.position import (
    ByColour,
    Case,
    Position,
    Says,
    Switch,
    acting,
    changed_seat,
    has_catastrophe,
    spent,
)
from referee.rulesets.cat_and_fish.turns import go_on

catastrophes = Chapter()

SPACE_OF: dict[Catastrophe, Space] = {"typhoon": "typhoon", "oil": "oil", "monster": "summoner"}


class MoveTyphoon(Move):
    """Move the typhoon; who touches its new hex loses a fish and flees."""

    to: Annotated[Hex, Meta(description="The sea hex that the typhoon enters.")]
    storm: Annotated[Switch | UnsetType, Meta(description="`true`: play Storm and go one or two steps.")] = UNSET


class MoveOil(Move):
    """Move the oil; who touches its new hex pays and flees."""

    to: Annotated[Hex, Meta(description="The sea hex that the oil enters.")]


class MoveMonster(Move):
    """Move the monster; who touches its new hex pays, loses a fish and flees."""

    to: Annotated[Hex, Meta(description="The sea hex that the monster enters.")]


class PlaceMonster(Move):
    """Put the monster on a sea hex, as the new owner of the Summoner."""

    hex: Annotated[Hex, Meta(description="The sea hex where the monster appears.")]


class CatastropheMoved(Event):
    """A catastrophe entered a hex; a tile there was discarded."""

    seat: Seat
    kind: Catastrophe
    from_: Hex = field(name="from")
    to: Hex
    tile: Tile | None


class MonsterPlaced(Event):
    """The monster was placed on a hex; a tile there was discarded."""

    seat: Seat
    from_: Hex | None = field(name="from")
    to: Hex
    tile: Tile | None


def hex_of(position: Position, kind: Catastrophe) -> Hex | None:
    """Where a catastrophe lies; the monster may be off the board."""
    hex: Hex | None = getattr(position, kind)
    return hex


def may_enter(position: Position, kind: Catastrophe, hex: Hex) -> bool:
    """Whether a hex is open to a catastrophe: typhoon and oil avoid zone 1, all avoid each other (CF-56, CF-57)."""
    return (kind == "monster" or ZONE_OF[hex] > 1) and not has_catastrophe(position, hex)


def is_in_steps(position: Position, kind: Catastrophe, to: Hex, passing: bool) -> bool:
    """Whether one step leads from a catastrophe's hex to another, or two over a hex that may be entered (CF-55)."""
    start = hex_of(position, kind)
    if start is None or start == to:
        return False
    return to in ADJACENT[start] or (
        passing and any(to in ADJACENT[over] and may_enter(position, kind, over) for over in ADJACENT[start])
    )


def move_catastrophe(case: Case, kind: Catastrophe, to: Hex, storm: bool = False) -> Says:
    """One step, or up to two in a storm; whatever lies on the hex entered is discarded (CF-58)."""
    position, own = case.position, acting(case)
    require("CF-20", SPACE_OF[kind] in own.placed, "You have no marker on this action.")
    if storm:
        require_in_hand(own, ("storm",))
    start = hex_of(position, kind)
    require("CF-56", kind == "monster" or ZONE_OF[to] > 1, "Typhoon and oil never enter zone 1.")
    require("CF-57", to == start or not has_catastrophe(position, to), "Another catastrophe is there.")
    require("CF-55", is_in_steps(position, kind, to, passing=storm), "The catastrophe cannot go there.")
    assert start is not None
    if storm:
        yield MagicPlayed(seat=case.seat, card="storm")
    position = yield CatastropheMoved(seat=case.seat, kind=kind, from_=start, to=to, tile=position.board[to])
    position = yield from strike(case, position, kind, to, resume="execution")
    yield from go_on(position)


@catastrophes.decides(MoveTyphoon)
def move_typhoon(case: Case, move: MoveTyphoon) -> Says:
    """The typhoon moves one step, or two with Storm."""
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
    """The monster is lifted, if it is on the board, and placed anywhere but on typhoon and oil (CF-79)."""
    position = case.position
    require("CF-80", move.hex not in (position.typhoon, position.oil), "Typhoon or oil are there.")
    position = yield MonsterPlaced(seat=case.seat, from_=position.monster, to=move.hex, tile=position.board[move.hex])
    yield from strike(case, position, "monster", move.hex, resume="year_end")  # CF-81


@catastrophes.applies(CatastropheMoved)
def catastrophe_moved(position: Position, event: CatastropheMoved) -> Position:
    """The hex entered holds the catastrophe and no tile; the hex left stays empty."""
    return replace(
        position,
        board={**position.board, event.to: None},
        discards=_swept(position, event.tile),
        seats=changed_seat(position, event.seat, placed=spent(position, event.seat, SPACE_OF[event.kind])),
        **{event.kind: event.to},
    )


@catastrophes.applies(MonsterPlaced)
def monster_placed(position: Position, event: MonsterPlaced) -> Position:
    """The monster lies on its hex, and a new year is due."""
    return replace(
        position,
        phase="year_end",
        board={**position.board, event.to: None},
        discards=_swept(position, event.tile),
        monster=event.to,
    )


def _swept(position: Position, tile: Tile | None) -> ByColour:
    return position.discards if tile is None else position.discards.add(tile)
