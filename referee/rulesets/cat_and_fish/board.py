"""The geometry of the board, computed once: which hexes and corners touch, and their distances.

Hexes are pointy-top in axial coordinates, the island at the origin. A corner is where three hexes meet.
"""

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Final, TypeVar

from referee.rulesets.cat_and_fish.names import COLOURS, CORNERS, HEXES, Colour, Corner, Hex

Point = tuple[int, int]
Meeting = tuple[Point, ...]
"""The three hexes that meet in a corner."""
Node = TypeVar("Node")

ISLAND: Final[Point] = (0, 0)
DIRECTIONS: Final[tuple[Point, ...]] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six steps from a hex to its neighbours, going round."""


def _point(hex: Hex) -> Point:
    q, r = hex.split(",")
    return int(q), int(r)


def _ring(point: Point) -> int:
    q, r = point
    return max(abs(q), abs(r), abs(q + r))


def _moved(point: Point, step: Point) -> Point:
    return point[0] + step[0], point[1] + step[1]


def _clockwise(one: Point, other: Point) -> int:
    """Negative if the first point comes before the other, clockwise round the island from due north.

    A point (q, r) lies at x = √3/2 · (2q + r) and y = 3/2 · r, y downwards: whole numbers are enough to compare angles.
    """

    def in_western_half(point: Point) -> bool:
        x, y = 2 * point[0] + point[1], point[1]
        return x < 0 or (x == 0 and y > 0)

    if in_western_half(one) != in_western_half(other):
        return 1 if in_western_half(one) else -1
    return (2 * other[0] + other[1]) * one[1] - (2 * one[0] + one[1]) * other[1]


def _hexes_by_corner() -> dict[Corner, Meeting]:
    """The three hexes of each corner. Lines of corners go outwards; each is numbered clockwise from due north."""
    points = (ISLAND, *map(_point, HEXES))
    around = [
        (point, _moved(point, DIRECTIONS[at]), _moved(point, DIRECTIONS[at - 1]))
        for point in points
        for at in range(len(DIRECTIONS))
    ]
    meetings = dict.fromkeys(tuple(sorted(hexes)) for hexes in around)
    by_angle = cmp_to_key(_clockwise)

    def line(meeting: Meeting) -> int:
        return min(map(_ring, meeting))

    def middle(meeting: Meeting) -> Point:
        return sum(q for q, _ in meeting), sum(r for _, r in meeting)

    navigable = [meeting for meeting in meetings if line(meeting) < len(COLOURS)]
    navigable.sort(key=lambda meeting: (line(meeting), by_angle(middle(meeting))))
    return dict(zip(CORNERS, navigable, strict=True))


def _distances(start: Iterable[Node], joined: Callable[[Node], Iterable[Node]], first: int) -> dict[Node, int]:
    """The least number of steps to every node. The start has the distance `first`."""
    found = dict.fromkeys(start, first)
    for node in (queue := list(found)):
        for other in joined(node):
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    return found


_HEXES_BY_CORNER = _hexes_by_corner()

ZONE_OF: Final[dict[Hex, int]] = {hex: _ring(_point(hex)) for hex in HEXES}

COLOUR_AT: Final[dict[Hex, Colour]] = {hex: COLOURS[ZONE_OF[hex] - 1] for hex in HEXES}

ADJACENT: Final[dict[Hex, tuple[Hex, ...]]] = {
    hex: tuple(other for other in HEXES if _point(other) in {_moved(_point(hex), step) for step in DIRECTIONS})
    for hex in HEXES
}
"""The sea hexes next to a sea hex, in hex order."""

STEPS: Final[dict[Hex, dict[Hex, int]]] = {hex: _distances((hex,), ADJACENT.__getitem__, 0) for hex in HEXES}
"""The least number of steps from a sea hex to another over sea hexes."""

TOUCHES: Final[dict[Corner, tuple[Hex, ...]]] = {
    corner: tuple(hex for hex in HEXES if _point(hex) in meeting) for corner, meeting in _HEXES_BY_CORNER.items()
}
"""The sea hexes that touch a corner, in hex order."""

NEIGHBOURS: Final[dict[Corner, tuple[Corner, ...]]] = {
    corner: tuple(other for other in CORNERS if sum(point in meeting for point in _HEXES_BY_CORNER[other]) == 2)
    for corner, meeting in _HEXES_BY_CORNER.items()
}
"""The corners at the other ends of a corner's edges."""

DISTANCE: Final[dict[Corner, dict[Corner, int]]] = {
    corner: _distances((corner,), NEIGHBOURS.__getitem__, 0) for corner in CORNERS
}
"""The corner distance: the least number of edges between two corners."""

FISHING_DISTANCE: Final[dict[Corner, dict[Hex, int]]] = {
    corner: _distances(TOUCHES[corner], ADJACENT.__getitem__, 1) for corner in CORNERS
}
"""The fishing distance of a sea hex from a corner, counted over sea hexes."""
