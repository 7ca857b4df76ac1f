"""What the parameters of a move may name: things of this map, and seats of this table (EP-17)."""

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import UnsetType

from referee.kernel.message import Move
from referee.kernel.rejection import Rejection
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board
from referee.rulesets.explorers_and_pirates.cargo import Store
from referee.rulesets.explorers_and_pirates.names import SHIP_NUMBERS
from referee.rulesets.explorers_and_pirates.position import Position

Test = Callable[[Any], bool]


def _tests(board: Board, seats: int) -> dict[str, Test]:
    """What a parameter of this name must be on this map and at this table."""
    seated = frozenset(range(seats))
    ships = frozenset(f"{seat}-{k}" for seat in range(seats) for k in SHIP_NUMBERS)
    is_corner = board.hexes_at.__contains__
    is_ship = (ships | {None}).__contains__
    is_seat = (seated | {None}).__contains__

    def is_place(place: Store) -> bool:
        return is_corner(place.harbor) if isinstance(place.ship, UnsetType) else place.ship in ships

    return {
        "hex": board.corners_of.__contains__,
        "corner": is_corner,
        "harbor": is_corner,
        "edge": board.edges.__contains__,
        "path": board.edges.issuperset,
        "ship": is_ship,
        "replace": is_ship,
        "place": is_place,
        "victim": is_seat,
        "partner": is_seat,
        "to": lambda to: isinstance(to, UnsetType) or seated.issuperset(to),
    }


@cache
def _form(kind: type[Move], scenario: str, seats: int) -> tuple[tuple[str, Test], ...]:
    """The parameters of a move that name something on the map or at the table, each with its test."""
    tests = _tests(BOARDS[scenario], seats)
    return tuple((name, tests[name]) for name in kind.__struct_fields__ if name in tests)


def require_form(position: Position, move: Move) -> None:
    """Refuse a move that names something that this map or this table does not have."""
    for name, test in _form(type(move), position.options.scenario, len(position.seats)):
        if not test(getattr(move, name)):
            raise Rejection("EP-17", _fault(position, name))


def _fault(position: Position, name: str) -> str:
    """What a parameter of this name must be."""
    map, last = f"the map of `{position.options.scenario}`", len(position.seats) - 1
    ship = f"a ship from 0-{min(SHIP_NUMBERS)} to {last}-{max(SHIP_NUMBERS)}"
    allowed = {
        "hex": f"a hex of {map}",
        "corner": f"a corner of {map}",
        "harbor": f"a corner of {map}",
        "edge": f"an edge of {map}",
        "path": f"a list of edges of {map}",
        "ship": ship,
        "replace": f"null or {ship}",
        "place": f"a corner of {map} or {ship}",
        "victim": f"null or a seat from 0 to {last}",
        "partner": f"a seat from 0 to {last}",
        "to": f"a list of seats from 0 to {last}",
    }
    return f"`{'with' if name == 'partner' else name}` must be {allowed[name]}."
