"""The places on a chart where a seat may build (EP-22 to EP-25)."""

from functools import lru_cache

from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import Chart
from referee.rulesets.explorers_and_pirates.names import CornerId, EdgeId, HexId
from referee.rulesets.explorers_and_pirates.position import Position
from referee.rulesets.explorers_and_pirates.view import View


def barred_hexes(table: Position | View, chart: Chart, seat: Seat) -> frozenset[HexId]:
    """The hexes where a seat may not build: face down (EP-23), a lair (EP-24), a village without its unit (EP-25)."""
    hostile = [hex for hex, lair in table.lairs.items() if not lair.captured]
    strange = [hex for hex, village in table.villages.items() if seat not in village.units]
    return chart.covered.union(hostile, strange)


@lru_cache(maxsize=4096)
def building_sites(chart: Chart, taken: frozenset[CornerId]) -> frozenset[CornerId]:
    """The land corners of the areas that keep the distance rule and touch no face-down tile."""
    board = chart.board
    return frozenset(
        corner
        for corner, around in board.hexes_at.items()
        if corner in chart.land_corners
        and corner not in board.island_corners
        and corner not in taken
        and taken.isdisjoint(board.next_corners[corner])
        and chart.covered.isdisjoint(around)
    )


@lru_cache(maxsize=4096)
def open_corners(chart: Chart, taken: frozenset[CornerId], barred: frozenset[HexId]) -> dict[CornerId, None]:
    """The land corners that keep the distance rule and touch no barred hex (EP-22 to EP-25), in the map's order."""
    board = chart.board
    return {
        corner: None
        for corner, around in board.hexes_at.items()
        if corner in chart.land_corners
        and corner not in taken
        and taken.isdisjoint(board.next_corners[corner])
        and barred.isdisjoint(around)
    }


@lru_cache(maxsize=4096)
def open_paths(chart: Chart, barred: frozenset[HexId]) -> frozenset[EdgeId]:
    """The paths along no barred hex (EP-23 to EP-25)."""
    sides = chart.board.sides
    return frozenset(edge for edge in chart.paths if barred.isdisjoint(sides[edge]))
