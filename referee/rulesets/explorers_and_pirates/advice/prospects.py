"""A seat's view of the table, with what corners are worth and what is left to do on the board."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import BOARDS, Board, Chart, chart_for
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import (
    LARGE,
    RESOURCES,
    SHOALS,
    TERRAINS,
    Cargo,
    CornerId,
    EdgeId,
    HexId,
    Mission,
    Piece,
    Resource,
    ShipId,
)
from referee.rulesets.explorers_and_pirates.position import Hand, key
from referee.rulesets.explorers_and_pirates.sites import barred_hexes, open_corners, open_paths
from referee.rulesets.explorers_and_pirates.view import SeatView, View

EVEN: Final = 7
"""Two dice show a sum in 6 - |7 - sum| of 36 ways: the dots on its token."""


@dataclass(frozen=True, eq=False)
class Prospects:
    """The table as one seat sees it."""

    edition: Edition
    view: View
    seat: Seat

    @cached_property
    def board(self) -> Board:
        """The map of the scenario."""
        return BOARDS[self.view.options.scenario]

    @cached_property
    def chart(self) -> Chart:
        """The map with its face-up tiles."""
        areas = self.view.areas
        return chart_for(
            self.board, tuple([tile.tile if (tile := areas[hex]).up else None for hex in self.board.areas])
        )

    @cached_property
    def own(self) -> SeatView:
        """The view of the seat itself."""
        return self.view.seats[self.seat]

    @cached_property
    def hand(self) -> dict[Resource, int]:
        """The seat's cards."""
        hand: Hand | None = self.own.resources
        assert hand is not None, "a seat sees its own cards"
        return {resource: getattr(hand, resource) for resource in RESOURCES}

    @cached_property
    def taken(self) -> frozenset[CornerId]:
        """Every corner that carries a building."""
        neutral = self.view.neutral
        built = [*neutral.settlements, *neutral.harbors]
        for state in self.view.seats:
            built += (*state.settlements, *state.harbors)
        return frozenset(built)

    @cached_property
    def roads(self) -> frozenset[EdgeId]:
        """Every edge that carries a road."""
        return frozenset([*self.view.neutral.roads, *(road for state in self.view.seats for road in state.roads)])

    def ways(self, hex: HexId) -> int:
        """The number of ways in which two dice make a hex yield something."""
        if hex in self.view.island:
            number = self.board.map.hexes[hex].number
        elif hex in self.view.lairs:
            number = self.view.lairs[hex].number
        else:
            number = self.view.areas[hex].number if hex in self.view.areas else None
        return 0 if number is None else EVEN - 1 - abs(EVEN - number)

    def yields(self, corner: CornerId) -> dict[Resource, int]:
        """What a building on a corner yields, weighted by the number of rolls of two dice that produce it."""
        found: dict[Resource, int] = {}
        for hex in self.board.hexes_at[corner]:
            tile = self.view.island.get(hex) or (self.view.areas[hex].tile if hex in self.view.areas else None)
            if tile in TERRAINS:
                resource = next(card for terrain, card in self.edition.terrain.items() if terrain == tile)
                found[resource] = found.get(resource, 0) + self.ways(hex)
        return found

    @cached_property
    def income(self) -> dict[Resource, int]:
        """What the seat's buildings yield, weighted by the number of rolls of two dice that produce it."""
        found = dict.fromkeys(RESOURCES, 0)
        for corner in (*self.own.settlements, *self.own.harbors):
            for resource, ways in self.yields(corner).items():
                found[resource] += ways
        return found

    def worth(self, corner: CornerId) -> int:
        """The worth of a building on a corner: its dots, and more for resources that the seat lacks."""
        total = sum(2 * self.ways(hex) for hex in self.board.hexes_at[corner])
        return total + sum(3 for resource in self.yields(corner) if not self.income[resource])

    @cached_property
    def _barred(self) -> frozenset[HexId]:
        """The hexes at which the seat may not build (EP-23 to EP-25)."""
        return barred_hexes(self.view, self.chart, self.seat)

    @cached_property
    def open(self) -> dict[CornerId, None]:
        """The corners that the seat may build on if it gets there (EP-22 to EP-25)."""
        return open_corners(self.chart, self.taken, self._barred)

    @cached_property
    def paths(self) -> frozenset[EdgeId]:
        """The edges on which the seat may build a road if it gets there (EP-23 to EP-25, EP-59)."""
        return open_paths(self.chart, self._barred) - self.roads

    def space(self, mission: Mission) -> int:
        """The space of the seat's marker on a mission's track."""
        track = self.view.missions[mission]
        return next(space for space, stack in enumerate(track) if self.seat in stack)

    def pursues(self, mission: Mission) -> bool:
        """Whether a mission is played and has spaces left for the seat."""
        return mission in self.view.missions and self.space(mission) < len(self.edition.track_points[mission]) - 1

    @cached_property
    def lairs(self) -> dict[HexId, int]:
        """The lairs that units may land on, each with the number of units that it lacks."""
        if not self.pursues("lairs"):
            return {}
        waits = {
            hex: self.edition.lair_units - sum(lair.units.values())
            for hex, lair in self.view.lairs.items()
            if not lair.captured
        }
        return {hex: units for hex, units in waits.items() if units > 0}

    @cached_property
    def villages(self) -> tuple[HexId, ...]:
        """The villages that the seat has not befriended."""
        if not self.pursues("spices"):
            return ()
        return tuple(hex for hex, village in self.view.villages.items() if self.seat not in village.units)

    @cached_property
    def shoals(self) -> tuple[HexId, ...]:
        """The shoals that the fish die may put a fish on."""
        pirate = self.view.pirate.hex if self.view.pirate else None
        return tuple(
            hex
            for hex, tile in self.view.areas.items()
            if tile.tile in SHOALS and hex not in self.view.fish and hex != pirate
        )

    @cached_property
    def left_behind(self) -> tuple[HexId, ...]:
        """The captured lairs where units of the seat still stand."""
        return tuple(hex for hex, lair in self.view.lairs.items() if lair.captured and key(self.seat) in lair.units)

    @cached_property
    def is_charted(self) -> bool:
        """Whether all tiles are face up."""
        return not self.chart.covered

    @property
    def wants_units(self) -> bool:
        """Whether the seat can use units, now or after a discovery."""
        hidden = not self.is_charted and (self.pursues("lairs") or self.pursues("spices"))
        return bool(self.lairs or self.villages) or hidden

    def cargoes(self) -> Iterator[Cargo]:
        """The pieces in each hold and basin of the seat."""
        yield from self.own.harbors.values()
        yield from (ship.cargo for ship in self.own.ships.values())

    def carried(self, piece: Piece) -> int:
        """The number of pieces of a kind in the seat's holds and basins."""
        return sum(cargo.count(piece) for cargo in self.cargoes())

    def is_full(self, route: EdgeId, ship: ShipId) -> bool:
        """Whether a route has no room for a ship, because others lie there (EP-75)."""
        ships = [(id, other) for state in self.view.seats for id, other in state.ships.items()]
        others = sum(other.edge == route for id, other in ships if id != ship)
        return others >= self.edition.ships_per_route

    @cached_property
    def coins(self) -> int:
        """The gold that the seat can spend: it keeps a tribute while an opponent's pirate ship is about (EP-47)."""
        pirate = self.view.pirate
        threatened = pirate is not None and pirate.seat != self.seat and bool(self.own.ships)
        return max(0, self.own.gold - (self.edition.tribute_gold if threatened else 0))

    @property
    def berths(self) -> int:
        """The places for units in the holds of the seat's ships, less the units that wait in basins."""
        small = [ship.cargo for ship in self.own.ships.values() if LARGE.isdisjoint(ship.cargo)]
        free = sum(self.edition.small_places - len(cargo) for cargo in small)
        return free - sum(basin.count("unit") for basin in self.own.harbors.values())

    @cached_property
    def speed(self) -> int:
        """The movement points of each ship of the seat in a turn (EP-70, EP-108)."""
        tiles = [self.view.areas[hex].tile for hex, village in self.view.villages.items() if self.seat in village.units]
        gained = (gain.movement for tile in tiles for name, gain in self.edition.villages.items() if name == tile)
        return self.edition.movement_points + sum(gained)

    @cached_property
    def sites(self) -> tuple[CornerId, ...]:
        """The corners where a settler may found, if the seat has a settlement left."""
        if len(self.own.settlements) >= self.edition.supply.settlement:
            return ()
        coast = self.chart.coast
        return tuple([corner for corner in self.open if corner in coast])

    @cached_property
    def sites_by_road(self) -> dict[EdgeId, list[CornerId]]:
        """The edges for a road towards corners that the seat may build on, at once or with one more road."""
        found: dict[EdgeId, list[CornerId]] = {}
        for road, site in self._roads_to_sites():
            found.setdefault(road, []).append(site)
        return found

    def _roads_to_sites(self) -> Iterator[tuple[EdgeId, CornerId]]:
        board, own, paths = self.board, self.own, self.paths
        ends = [end for road in own.roads for end in board.ends[road]]
        blocked = self.taken.difference(own.settlements, own.harbors)
        for start in dict.fromkeys((*own.settlements, *own.harbors, *ends)):
            for road in board.edges_at[start] if start not in blocked else ():
                if road in paths:
                    (far,) = (end for end in board.ends[road] if end != start)
                    if far in self.open:
                        yield road, far
                    further = [edge for edge in board.edges_at[far] if edge in paths and edge != road]
                    if further and far not in self.taken:
                        yield from (
                            (road, end)
                            for edge in further
                            for end in board.ends[edge]
                            if end != far and end in self.open
                        )
