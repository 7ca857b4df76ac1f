"""The geometry of the maps: what touches what (2.1), and which hexes are land and sea (EP-19, EP-20)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from referee.rulesets.explorers_and_pirates.edition import MAPS, Map
from referee.rulesets.explorers_and_pirates.names import (
    LAND_TILES,
    SEA_TILES,
    CornerId,
    EdgeId,
    HexId,
    Tile,
)

FACE_DOWN: Final = None
Faces = tuple[Tile | None, ...]
"""The tiles of both areas in hex order; None where one is face down."""


@dataclass(frozen=True, eq=False)
class Board:
    """The fixed part of a scenario's map. All lists of hexes are in hex order."""

    scenario: str
    map: Map

    @cached_property
    def hexes(self) -> tuple[HexId, ...]:
        """All hexes."""
        return tuple(self.map.hexes)

    def _of_kind(self, kind: str) -> tuple[HexId, ...]:
        return tuple(hex for hex, data in self.map.hexes.items() if data.kind == kind)

    @cached_property
    def island(self) -> tuple[HexId, ...]:
        """The hexes of the starting island."""
        return self._of_kind("island")

    @cached_property
    def sea(self) -> tuple[HexId, ...]:
        """The fixed sea hexes."""
        return self._of_kind("sea")

    @cached_property
    def north(self) -> tuple[HexId, ...]:
        """The hexes of the north area."""
        return self._of_kind("north")

    @cached_property
    def south(self) -> tuple[HexId, ...]:
        """The hexes of the south area."""
        return self._of_kind("south")

    @cached_property
    def areas(self) -> tuple[HexId, ...]:
        """The hexes of both areas."""
        return tuple(hex for hex, data in self.map.hexes.items() if data.kind in ("north", "south"))

    @cached_property
    def place_in_order(self) -> dict[HexId, int]:
        """The index of each hex in hex order."""
        return {hex: place for place, hex in enumerate(self.hexes)}

    @cached_property
    def ends(self) -> dict[EdgeId, tuple[CornerId, CornerId]]:
        """The two corners of each edge: bow and stern of a ship that lies there."""
        return {edge: data.ends for edge, data in self.map.edges.items()}

    @cached_property
    def edges(self) -> frozenset[EdgeId]:
        """All edges."""
        return frozenset(self.ends)

    @cached_property
    def sides(self) -> dict[EdgeId, tuple[HexId, ...]]:
        """The one or two hexes that each edge is a side of."""
        return {edge: data.hexes for edge, data in self.map.edges.items()}

    @cached_property
    def sides_of(self) -> dict[HexId, frozenset[EdgeId]]:
        """The six sides of each hex."""
        return {hex: frozenset(edge for edge, around in self.sides.items() if hex in around) for hex in self.hexes}

    @cached_property
    def frame(self) -> dict[EdgeId, HexId]:
        """The edges along the frame, each with its only hex."""
        return {edge: around[0] for edge, around in self.sides.items() if len(around) == 1}

    @cached_property
    def hexes_at(self) -> dict[CornerId, tuple[HexId, ...]]:
        """The hexes that meet at each corner."""
        return self.map.corners

    @cached_property
    def corners_of(self) -> dict[HexId, tuple[CornerId, ...]]:
        """The six corners of each hex."""
        return {
            hex: tuple(corner for corner, around in self.hexes_at.items() if hex in around) for hex in self.map.hexes
        }

    @cached_property
    def edges_at(self) -> dict[CornerId, tuple[EdgeId, ...]]:
        """The two or three edges that end at each corner."""
        found: dict[CornerId, tuple[EdgeId, ...]] = dict.fromkeys(self.map.corners, ())
        for edge, ends in self.ends.items():
            for corner in ends:
                found[corner] = (*found[corner], edge)
        return found

    @cached_property
    def next_corners(self) -> dict[CornerId, tuple[CornerId, ...]]:
        """The neighbour corners of each corner."""
        return {
            corner: tuple(end for edge in edges for end in self.ends[edge] if end != corner)
            for corner, edges in self.edges_at.items()
        }

    @cached_property
    def next_edges(self) -> dict[EdgeId, tuple[EdgeId, ...]]:
        """The neighbours of each edge."""
        return {
            edge: tuple(other for corner in ends for other in self.edges_at[corner] if other != edge)
            for edge, ends in self.ends.items()
        }

    @cached_property
    def bits(self) -> dict[EdgeId, int]:
        """A bit for each edge: sets of edges can be kept as numbers, which are quickly compared."""
        return {edge: 1 << place for place, edge in enumerate(self.ends)}

    def in_bits(self, edges: Iterable[EdgeId]) -> int:
        """A set of edges as a number."""
        return sum({self.bits[edge] for edge in edges})

    @cached_property
    def pointed_at(self) -> dict[EdgeId, frozenset[HexId]]:
        """The hexes that a ship on an edge points at (EP-21)."""
        return {edge: frozenset(hex for end in ends for hex in self.hexes_at[end]) for edge, ends in self.ends.items()}

    @cached_property
    def near(self) -> dict[EdgeId, tuple[HexId | CornerId, ...]]:
        """The corners and hexes that a ship on an edge points at."""
        return {
            edge: (*ends, *dict.fromkeys(hex for end in ends for hex in self.hexes_at[end]))
            for edge, ends in self.ends.items()
        }

    @cached_property
    def offshore(self) -> frozenset[HexId]:
        """The hexes that are not next to an island hex (EP-42)."""
        near = {hex for around in self.sides.values() if set(around) & set(self.island) for hex in around}
        return frozenset(hex for hex in self.hexes if hex not in near)

    @cached_property
    def docks(self) -> frozenset[CornerId]:
        """The docks of the Council, if there is one."""
        return frozenset(self.map.council.docks if self.map.council else ())

    @cached_property
    def docked(self) -> frozenset[EdgeId]:
        """The edges on which a ship points at a dock."""
        return frozenset(edge for edge, ends in self.ends.items() if self.docks.intersection(ends))

    @cached_property
    def island_corners(self) -> frozenset[CornerId]:
        """The corners of the starting island."""
        return frozenset(corner for hex in self.island for corner in self.corners_of[hex])


BOARDS: Final[Mapping[str, Board]] = {name: Board(name, found) for name, found in MAPS.items()}


@dataclass(frozen=True, eq=False)
class Chart:
    """A board with its face-up tiles: where ships can sail and roads can lie."""

    board: Board
    land: frozenset[HexId]
    sea: frozenset[HexId]
    covered: frozenset[HexId]
    """Face-down tiles."""

    @cached_property
    def routes(self) -> frozenset[EdgeId]:
        """The sea routes (EP-20): sides of a sea hex, and the frame along a face-up hex."""
        sides = self.board.sides_of
        frame = [edge for edge, hex in self.board.frame.items() if hex not in self.covered]
        return frozenset(frame).union(*[sides[hex] for hex in self.sea])

    @cached_property
    def paths(self) -> frozenset[EdgeId]:
        """The paths (EP-20): sides of a land hex. The only path at the Council is on the island side (EP-103)."""
        sides = self.board.sides_of
        return frozenset[EdgeId]().union(*[sides[hex] for hex in self.land])

    @cached_property
    def land_corners(self) -> frozenset[CornerId]:
        """The corners that touch land."""
        return frozenset(corner for corner, around in self.board.hexes_at.items() if self.land.intersection(around))

    @cached_property
    def covered_corners(self) -> frozenset[CornerId]:
        """The corners of face-down tiles."""
        return frozenset(corner for hex in self.covered for corner in self.board.corners_of[hex])

    @cached_property
    def coast(self) -> frozenset[CornerId]:
        """The corners with at least one sea route (EP-62)."""
        return frozenset(corner for edge, ends in self.board.ends.items() if edge in self.routes for corner in ends)

    @cached_property
    def steps(self) -> dict[EdgeId, tuple[EdgeId, ...]]:
        """The neighbouring sea routes of each edge (EP-71)."""
        return {
            edge: tuple(other for other in others if other in self.routes)
            for edge, others in self.board.next_edges.items()
        }

    @cached_property
    def discoveries(self) -> dict[EdgeId, HexId]:
        """The sea routes on which a ship points at a face-down tile, with the tile (EP-76, EP-79)."""
        board, routes, covered = self.board, self.routes, self.covered
        return {
            edge: hex
            for edge, ends in board.ends.items()
            if edge in routes and not covered.isdisjoint(board.pointed_at[edge])
            for end in ends
            for hex in board.hexes_at[end]
            if hex in covered
        }

    @cached_property
    def route_bits(self) -> int:
        """The sea routes as a number."""
        return self.board.in_bits(self.routes)

    @cached_property
    def discovery_bits(self) -> int:
        """The sea routes with a discovery as a number."""
        return self.board.in_bits(self.discoveries)

    @cached_property
    def pirate_places(self) -> tuple[HexId, ...]:
        """The hexes where a pirate ship may stand (EP-42), in hex order."""
        return tuple(hex for hex in self.board.hexes if hex in self.sea and hex in self.board.offshore)


@lru_cache(maxsize=1024)
def chart_for(board: Board, faces: Faces) -> Chart:
    """The chart of a board with these tiles face up."""
    tiles = dict(zip(board.areas, faces, strict=True))
    return Chart(
        board,
        land=frozenset((*board.island, *(hex for hex, tile in tiles.items() if tile in LAND_TILES))),
        sea=frozenset((*board.sea, *(hex for hex, tile in tiles.items() if tile in SEA_TILES))),
        covered=frozenset(hex for hex, tile in tiles.items() if tile is FACE_DOWN),
    )
