"""The places on a chart where a seat may build, cached by their arguments (EP-22 to EP-25)."""

from functools import lru_cache

from referee.rulesets.explorers_and_pirates.board import Chart
from referee.rulesets.explorers_and_pirates.names import CornerId, EdgeId, HexId


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
