"""Where ships can sail: shortest paths on the sea routes of a chart (EP-71, EP-76)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from referee.rulesets.explorers_and_pirates.board import Board, Chart
from referee.rulesets.explorers_and_pirates.names import CornerId, EdgeId, HexId

Ways = dict[EdgeId, tuple[EdgeId, ...]]
"""Paths, each by its last edge."""


class Waters(NamedTuple):
    """A part of a chart, as ships see it: charts that differ elsewhere have the same waters here, and the same ways."""

    board: Board
    routes: int
    """The sea routes, as a number."""
    discoveries: int
    """Those on which a ship points at a face-down tile, as a number."""


def waters_near(chart: Chart, start: EdgeId, reach: int) -> Waters:
    """All of a chart that can matter to a ship which sails at most `reach` steps."""
    near = _near(chart.board, start, reach)
    return Waters(chart.board, chart.route_bits & near, chart.discovery_bits & near)


@lru_cache(maxsize=8192)
def _near(board: Board, start: EdgeId, reach: int) -> int:
    """The edges within `reach` steps, as a number."""
    found = rim = {start}
    for _ in range(reach):
        rim = {step for edge in rim for step in board.next_edges[edge]} - found
        if not rim:
            break
        found = found | rim
    return board.in_bits(found)


def touches(waters: Waters, start: EdgeId, hex: HexId) -> bool:
    """Whether the ship's own edge or a sea route of these waters is a side of a hex."""
    toll = waters.board.sides_of[hex]
    return start in toll or waters.routes & waters.board.in_bits(toll) != 0


def voyages(chart: Chart, start: EdgeId, shunned: HexId | None, reach: int | None = None) -> Ways:
    """A shortest path to every sea route within `reach` steps, nearest first; no path goes on after a discovery.

    No path uses a side of the hex `shunned`. None as the reach: no limit.
    """
    return ways_in(Waters(chart.board, chart.route_bits, chart.discovery_bits), start, shunned, reach)


@lru_cache(maxsize=4096)
def ways_in(waters: Waters, start: EdgeId, shunned: HexId | None, reach: int | None) -> Ways:
    """The voyages in these waters."""
    found: Ways = {}
    for ring in islice(_rings(waters, start, shunned), reach):
        found |= ring
    return found


@lru_cache(maxsize=16384)
def heading(chart: Chart, start: EdgeId, goals: frozenset[CornerId]) -> tuple[EdgeId, ...]:
    """A shortest path to a route where a ship points at one of these corners.

    Empty if the ship points at one already, or if no path leads to one.
    """
    ends = chart.board.ends
    if not goals.isdisjoint(ends[start]):
        return ()
    waters = Waters(chart.board, chart.route_bits, chart.discovery_bits)
    ways = chain.from_iterable(ring.items() for ring in _rings(waters, start, None))
    return next((path for edge, path in ways if not goals.isdisjoint(ends[edge])), ())


def _rings(waters: Waters, start: EdgeId, shunned: HexId | None) -> Iterator[Ways]:
    """Yield the shortest paths to all routes one step away, then to those two steps away, and so on."""
    around, bits = waters.board.next_edges, waters.board.bits
    closed = bits[start] if shunned is None else bits[start] | waters.board.in_bits(waters.board.sides_of[shunned])
    free, ends = waters.routes & ~closed, waters.discoveries & ~bits[start]
    rim: Ways = {start: ()}
    while rim:
        ring: Ways = {}
        for edge, path in rim.items():
            if not ends & bits[edge]:
                for step in around[edge]:
                    if free & bits[step]:
                        free ^= bits[step]
                        ring[step] = (*path, step)
        yield ring
        rim = ring
