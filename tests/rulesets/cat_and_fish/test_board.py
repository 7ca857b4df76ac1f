"""The geometry of the board, against the tables and the recipe of rules.md."""

import math
import re
from collections import Counter

import pytest

from referee.rulesets.cat_and_fish.board import (
    ADJACENT,
    COLOUR_AT,
    DISTANCE,
    FISHING_DISTANCE,
    NEIGHBOURS,
    TOUCHES,
    ZONE_OF,
)
from referee.rulesets.cat_and_fish.edition import PACKAGE
from referee.rulesets.cat_and_fish.names import CORNERS, HEXES, Corner
from tests.clauses import clause

RULES = (PACKAGE / "rules.md").read_text(encoding="utf-8")
CORNER_CELLS = re.compile(r"\| ([cab]\d+) \| ([-\d,; ]+) \| ([cab\d ]+)(?= \|)")
ZONE_ROW = re.compile(r"^\| (\d) \| (\w+) \| (\d+) \| (.*) \|$", re.MULTILINE)


def angle(q: float, r: float) -> float:
    """The clockwise angle from north of a place, by the recipe of rules.md."""
    x, y = math.sqrt(3) * (q + r / 2), 1.5 * r
    return round(math.atan2(x, -y) % (2 * math.pi), 9)


def point(hex: str) -> tuple[int, int]:
    q, r = hex.split(",")
    return int(q), int(r)


def test_the_hexes_are_those_of_the_rules_zone_by_zone() -> None:
    rows = ZONE_ROW.findall(RULES)
    assert [(int(zone), colour) for zone, colour, _, _ in rows] == [(1, "green"), (2, "blue"), (3, "pink")]
    assert tuple(id for _, _, _, ids in rows for id in re.findall(r"`([^`]+)`", ids)) == HEXES
    for zone, colour, count, ids in rows:
        for id in re.findall(r"`([^`]+)`", ids):
            assert (ZONE_OF[id], COLOUR_AT[id]) == (int(zone), colour)
        assert int(count) == list(COLOUR_AT.values()).count(colour)


def test_each_zone_runs_clockwise_from_the_north() -> None:
    for zone in (1, 2, 3):
        angles = [angle(*point(hex)) for hex in HEXES if ZONE_OF[hex] == zone]
        assert angles == sorted(angles)


def test_each_line_of_corners_runs_clockwise_from_due_north() -> None:
    for line in "cab":
        middles = []
        for corner in CORNERS:
            if corner.startswith(line):
                points = [point(hex) for hex in TOUCHES[corner]]
                points += [(0, 0)] * (3 - len(points))
                middles.append(angle(sum(q for q, _ in points) / 3, sum(r for _, r in points) / 3))
        assert middles == sorted(middles)
        assert middles[0] == 0


def test_corners_touch_the_hexes_and_have_the_neighbours_of_the_rules() -> None:
    cells = CORNER_CELLS.findall(RULES)
    assert sorted(corner for corner, _, _ in cells) == sorted(CORNERS)
    for corner, hexes, neighbours in cells:
        assert TOUCHES[corner] == tuple(hex.strip() for hex in hexes.split(";"))
        assert set(NEIGHBOURS[corner]) == set(neighbours.split())


def test_there_are_54_corners_and_72_edges() -> None:
    assert len(CORNERS) == len(set(CORNERS)) == 54
    assert len({frozenset((one, other)) for one in CORNERS for other in NEIGHBOURS[one]}) == 72
    assert all(one in NEIGHBOURS[other] for one in CORNERS for other in NEIGHBOURS[one])


def test_two_sea_hexes_are_adjacent_one_step_apart() -> None:
    steps = {(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)}
    for hex in HEXES:
        q, r = point(hex)
        assert set(ADJACENT[hex]) == {other for other in HEXES if (point(other)[0] - q, point(other)[1] - r) in steps}
        assert "0,0" not in ADJACENT[hex]


def test_a_coast_corner_touches_two_sea_hexes_and_all_others_three() -> None:
    assert Counter((corner[0], len(hexes)) for corner, hexes in TOUCHES.items()) == {
        ("c", 2): 6,
        ("a", 3): 18,
        ("b", 3): 30,
    }
    assert [corner for corner in CORNERS if set(NEIGHBOURS[corner]) & set(CORNERS[:6]) and corner[0] == "a"] == [
        "a0",
        "a3",
        "a6",
        "a9",
        "a12",
        "a15",
    ]


def test_the_corner_distance_is_symmetric_and_grows_by_one_along_an_edge() -> None:
    for one in CORNERS:
        assert DISTANCE[one][one] == 0
        assert len(DISTANCE[one]) == 54
        for other in CORNERS:
            assert DISTANCE[one][other] == DISTANCE[other][one]
            assert all(abs(DISTANCE[one][other] - DISTANCE[one][next]) <= 1 for next in NEIGHBOURS[other])
            if one != other:
                assert any(DISTANCE[one][next] == DISTANCE[one][other] - 1 for next in NEIGHBOURS[other])


@pytest.mark.parametrize(
    ("line", "within"),
    [("c", ({2}, {9}, {23})), ("a", ({3}, {11}, {19, 23})), ("b", ({3}, {8, 9, 10}, {14, 15, 17}))],
)
def test_the_numbers_of_hexes_within_fishing_distance_are_those_of_the_rules(
    line: str, within: tuple[set[int], ...]
) -> None:
    for distance, counts in enumerate(within, start=1):
        assert {in_reach(corner, distance) for corner in CORNERS if corner[0] == line} == counts


def in_reach(corner: Corner, distance: int) -> int:
    return sum(each <= distance for each in FISHING_DISTANCE[corner].values())


@clause("CF-R16")
def test_fishing_distance_goes_round_the_island() -> None:
    assert FISHING_DISTANCE["c0"]["1,-1"] == 1
    assert FISHING_DISTANCE["c0"]["1,0"] == FISHING_DISTANCE["c0"]["-1,0"] == 2
    assert FISHING_DISTANCE["c0"]["0,1"] == 3
    assert set(FISHING_DISTANCE["c0"]) == set(HEXES)
