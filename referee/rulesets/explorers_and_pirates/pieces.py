"""Pieces on the board: where they stand, what is left in the supply (EP-22, EP-26), and what fits a hold (EP-30)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.kernel.changes import put, replace
from referee.kernel.latest import of_latest
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.board import Chart
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ids import LARGE, Cargo, CornerId, EdgeId, HexId, Piece, ShipId
from referee.rulesets.explorers_and_pirates.position import Neutral, Position, SeatState, Ship, Voyage, key
from referee.rulesets.explorers_and_pirates.view import View

FRESH = Voyage()


def with_seat(position: Position, seat: Seat, **changes: Any) -> Position:
    """The position with something of one seat changed."""
    return replace(position, seats=put(position.seats, seat, replace(position.seats[seat], **changes)))


def with_ship(position: Position, ship: ShipId, **changes: Any) -> Position:
    """The position with a ship on the board changed."""
    seat = owner(ship)
    ships = position.seats[seat].ships
    return with_seat(position, seat, ships={**ships, ship: replace(ships[ship], **changes)})


def with_voyage(position: Position, ship: ShipId, **changes: Any) -> Position:
    """The position with what a ship did in this turn changed."""
    turn = position.this_turn
    voyages = {**turn.ships, ship: replace(turn.ships.get(ship, FRESH), **changes)}
    return replace(position, turn=replace(turn, ships=voyages))


def owner(ship: ShipId) -> Seat:
    """The seat of a ship."""
    return Seat(int(ship[0]))


def own_ship(position: Position, seat: Seat, ship: ShipId) -> Ship:
    """A ship of this seat on the board (EP-70)."""
    found = position.seats[seat].ships.get(ship)
    if found is None:
        raise Rejection("EP-70", "This is none of your ships on the board.")
    return found


def ships_on(position: Position, edge: EdgeId, besides: ShipId | None = None) -> int:
    """How many ships lie on a sea route."""
    count = 0
    for state in position.seats:
        for id, ship in state.ships.items():
            if ship.edge == edge and id != besides:
                count += 1
    return count


def crowded(position: Position, edition: Edition, besides: ShipId | None = None) -> frozenset[EdgeId]:
    """The sea routes that no further ship may stop on."""
    full = _crowds(position.seats, edition)
    if not full or besides is None:
        return frozenset(full)
    leaves = position.seats[owner(besides)].ships[besides].edge
    return frozenset([edge for edge, over in full.items() if over or edge != leaves])


@of_latest
def _crowds(seats: tuple[SeatState, ...], edition: Edition) -> dict[EdgeId, int]:
    """The sea routes with as many ships as may lie there, and how many there are beyond."""
    edges = [ship.edge for state in seats for ship in state.ships.values()]
    most = edition.ships_per_route
    return {edge: over for edge in edges if (over := edges.count(edge) - most) >= 0}


def has_building(state: SeatState, corner: CornerId) -> bool:
    """Whether a seat's settlement or harbour settlement stands on a corner."""
    return corner in state.harbors or corner in state.settlements


def buildings(position: Position) -> frozenset[CornerId]:
    """Every corner that carries a building, neutral ones included."""
    return _buildings(position.seats, position.neutral)


@of_latest
def _buildings(seats: tuple[SeatState, ...], neutral: Neutral) -> frozenset[CornerId]:
    taken = [*neutral.settlements, *neutral.harbors]
    for state in seats:
        taken += state.settlements
        taken += state.harbors
    return frozenset(taken)


def roads(position: Position) -> frozenset[EdgeId]:
    """Every edge that carries a road, neutral ones included."""
    return _roads(position.seats, position.neutral)


@of_latest
def _roads(seats: tuple[SeatState, ...], neutral: Neutral) -> frozenset[EdgeId]:
    taken = [*neutral.roads]
    for state in seats:
        taken += state.roads
    return frozenset(taken)


def barred_hexes(table: Position | View, chart: Chart, seat: Seat) -> frozenset[HexId]:
    """The hexes at which a seat may not build: face down (EP-23), a lair (EP-24), or no friends there (EP-25)."""
    hostile = [hex for hex, lair in table.lairs.items() if not lair.captured]
    strange = [hex for hex, village in table.villages.items() if seat not in village.units]
    return chart.covered.union(hostile, strange)


def keeps_distance(position: Position, corner: CornerId, taken: frozenset[CornerId]) -> bool:
    """Whether neither a corner nor a neighbour corner of it carries a building."""
    return corner not in taken and taken.isdisjoint(position.board.next_corners[corner])


def require_distance(position: Position, corner: CornerId) -> None:
    """Refuse a corner that is too near to a building."""
    free = keeps_distance(position, corner, buildings(position))
    require("EP-22", free, "A building stands there, or on a neighbour corner.")


def holds_and_basins(state: SeatState) -> Iterable[Cargo]:
    """Everything that carries pieces of a seat."""
    yield from state.harbors.values()
    for ship in state.ships.values():
        yield ship.cargo


def carried(state: SeatState, piece: Piece) -> int:
    """How many of a piece are in a seat's holds and basins."""
    return sum(cargo.count(piece) for cargo in holds_and_basins(state))


def units_in_use(position: Position, seat: Seat) -> int:
    """Units of a seat in holds and basins, on lairs and in villages."""
    mark = key(seat)
    return (
        carried(position.seats[seat], "unit")
        + sum(lair.units.get(mark, 0) for lair in position.lairs.values())
        + sum(seat in village.units for village in position.villages.values())
    )


def fits(cargo: Cargo, edition: Edition) -> bool:
    """Whether a hold or basin takes these pieces (EP-30)."""
    if len(cargo) <= 1:
        return True
    return len(cargo) <= edition.small_places and LARGE.isdisjoint(cargo)


def require_room(cargo: Cargo, edition: Edition) -> None:
    """Refuse a hold or basin that would be overfull."""
    require("EP-30", fits(cargo, edition), "There is not room enough: two small pieces, or one large one.")


def contains(cargo: Cargo, pieces: Iterable[Piece]) -> bool:
    """Whether all these pieces are in a hold or basin."""
    return Counter(pieces) <= Counter(cargo)


def parts_of(cargo: Cargo) -> tuple[Cargo, ...]:
    """Every distinct part of a hold or basin that is not empty."""
    parts: dict[Cargo, None] = {(): None}
    for piece in cargo:
        parts |= {(*part, piece): None for part in tuple(parts)}
    return tuple(parts)[1:]


def points_at(position: Position, ship: Ship, hex: HexId) -> bool:
    """Whether an end of a ship is a corner of a hex (EP-21)."""
    return hex in position.board.pointed_at[ship.edge]
