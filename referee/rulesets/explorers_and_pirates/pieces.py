"""Pieces on the board: where they may stand (EP-22), how many are left (EP-26), and what fits a hold (EP-30)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from referee.kernel.changes import replace, with_seat
from referee.kernel.memo import remember_last
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition, Supply
from referee.rulesets.explorers_and_pirates.names import LARGE, Cargo, CornerId, EdgeId, HexId, Piece, ShipId, joined
from referee.rulesets.explorers_and_pirates.position import Neutral, Position, SeatState, Ship, Voyage, key
from referee.rulesets.explorers_and_pirates.wealth import in_words

FRESH = Voyage()


def with_state(position: Position, seat: Seat, **changes: Any) -> Position:
    """The position with these changes of one seat."""
    return replace(position, seats=with_seat(position.seats, seat, **changes))


def with_ship(position: Position, ship: ShipId, **changes: Any) -> Position:
    """The position with these changes of a ship on the board."""
    seat = owner(ship)
    ships = position.seats[seat].ships
    return with_state(position, seat, ships={**ships, ship: replace(ships[ship], **changes)})


def with_voyage(position: Position, ship: ShipId, **changes: Any) -> Position:
    """The position with these changes of what a ship has done in this turn."""
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
        own = f"Your ship {ship} is not on the board." if owner(ship) == seat else ""
        raise Rejection("EP-70", own or f"Ship {ship} belongs to seat {owner(ship)}, not to you.")
    return found


def ship_sites(position: Position, seat: Seat) -> tuple[EdgeId, ...]:
    """The sea routes that end at a harbour settlement of a seat."""
    routes, at = position.chart.routes, position.board.edges_at
    return tuple(edge for corner in position.seats[seat].harbors for edge in at[corner] if edge in routes)


def ship_fault(position: Position, seat: Seat, edge: EdgeId, edition: Edition, besides: ShipId | None) -> str | None:
    """Why a new ship of a seat cannot start on an edge; None if it can."""
    if edge not in position.chart.routes:
        return f"{edge} is not a sea route: {ground(position, position.board.sides[edge])}."
    if edge not in ship_sites(position, seat):
        own = joined(tuple(position.seats[seat].harbors))
        where = f"your harbour settlements are on {own}" if own else "you have no harbour settlement"
        return f"No harbour settlement of yours is at an end of {edge}: {where}."
    if edge in crowded(position, edition, besides):
        there = joined([id for state in position.seats for id, ship in state.ships.items() if ship.edge == edge])
        return f"A route takes {edition.ships_per_route} ships, and {there} lie on {edge}."
    return None


def ground(position: Position, hexes: tuple[HexId, ...]) -> str:
    """What some hexes are: `3,0 is sea and 5,-1 is face down`."""
    chart = position.chart
    return joined(
        [f"{hex} is {'sea' if hex in chart.sea else 'land' if hex in chart.land else 'face down'}" for hex in hexes]
    )


def crowded(position: Position, edition: Edition, besides: ShipId | None = None) -> frozenset[EdgeId]:
    """The sea routes that no further ship may stop on."""
    full = _crowds(position.seats, edition)
    if not full or besides is None:
        return frozenset(full)
    leaves = position.seats[owner(besides)].ships[besides].edge
    return frozenset([edge for edge, over in full.items() if over or edge != leaves])


def passing_ship(position: Position, edition: Edition) -> ShipId | None:
    """The current ship if it is on a route that carries enough ships without it: it has to sail on (EP-75)."""
    current = None if position.turn is None else position.turn.current_ship
    ship = None if current is None else position.seats[position.active_seat].ships.get(current)
    return current if ship is not None and ship.edge in crowded(position, edition, besides=current) else None


def require_arrived(position: Position, edition: Edition) -> None:
    """Refuse to leave the current ship on a full route (EP-75)."""
    passing = passing_ship(position, edition)
    if passing is not None:
        edge = position.seats[position.active_seat].ships[passing].edge
        others = f"{edge} already carries {edition.ships_per_route} other ships"
        raise Rejection("EP-75", f"{others}: ship {passing} must first sail on to a route with room.")


@remember_last
def _crowds(seats: tuple[SeatState, ...], edition: Edition) -> dict[EdgeId, int]:
    """The sea routes without room for a further ship, each with the number of ships beyond the limit."""
    edges = [ship.edge for state in seats for ship in state.ships.values()]
    most = edition.ships_per_route
    return {edge: over for edge in edges if (over := edges.count(edge) - most) >= 0}


def buildings(position: Position) -> frozenset[CornerId]:
    """Every corner that carries a building, neutral ones included."""
    return _buildings(position.seats, position.neutral)


@remember_last
def _buildings(seats: tuple[SeatState, ...], neutral: Neutral) -> frozenset[CornerId]:
    taken = [*neutral.settlements, *neutral.harbors]
    for state in seats:
        taken += state.settlements
        taken += state.harbors
    return frozenset(taken)


def roads(position: Position) -> frozenset[EdgeId]:
    """Every edge that carries a road, neutral ones included."""
    return _roads(position.seats, position.neutral)


@remember_last
def _roads(seats: tuple[SeatState, ...], neutral: Neutral) -> frozenset[EdgeId]:
    taken = [*neutral.roads]
    for state in seats:
        taken += state.roads
    return frozenset(taken)


def keeps_distance(position: Position, corner: CornerId, taken: frozenset[CornerId]) -> bool:
    """Whether neither a corner nor a neighbour corner of it carries a building."""
    return corner not in taken and taken.isdisjoint(position.board.next_corners[corner])


def require_distance(position: Position, corner: CornerId) -> None:
    """Refuse a corner that is too near to a building."""
    taken = buildings(position)
    if not keeps_distance(position, corner, taken):
        near = next(other for other in (corner, *position.board.next_corners[corner]) if other in taken)
        neighbour = f", a neighbour corner of {corner}" if near != corner else ""
        raise Rejection("EP-22", f"A building stands on {near}{neighbour}.")


def require_supply(used: int, most: int, pieces: str) -> None:
    """Refuse a further piece of a kind of which none is left in the supply (EP-26)."""
    if used >= most:
        raise Rejection("EP-26", f"All {most} of your {pieces} are in use.")


def holds_and_basins(state: SeatState) -> Iterable[Cargo]:
    """The pieces in each hold and basin of a seat."""
    yield from state.harbors.values()
    for ship in state.ships.values():
        yield ship.cargo


def carried(state: SeatState, piece: Piece) -> int:
    """The number of pieces of a kind in a seat's holds and basins."""
    return sum(cargo.count(piece) for cargo in holds_and_basins(state))


def supply_left(position: Position, seat: Seat, edition: Edition) -> Supply:
    """The pieces that a seat has left to build (EP-26)."""
    state, supply = position.seats[seat], edition.supply
    return Supply(
        road=supply.road - len(state.roads),
        settlement=supply.settlement - len(state.settlements),
        harbor=supply.harbor - len(state.harbors),
        ship=supply.ship - len(state.ships),
        settler=supply.settler - carried(state, "settler"),
        unit=supply.unit - units_in_use(position, seat),
    )


def fish_left(position: Position, edition: Edition) -> int:
    """The fish in the reserve: neither on shoals nor in holds or basins (EP-99)."""
    return edition.fish - len(position.fish) - sum(carried(state, "fish") for state in position.seats)


def sacks_left(position: Position, edition: Edition) -> int:
    """The spice sacks in the reserve: neither in villages nor in holds or basins."""
    ashore = sum(village.sacks for village in position.villages.values())
    return edition.sacks - ashore - sum(carried(state, "spice") for state in position.seats)


def units_in_use(position: Position, seat: Seat) -> int:
    """Units of a seat in holds and basins, on lairs and in villages."""
    mark = key(seat)
    return (
        carried(position.seats[seat], "unit")
        + sum(lair.units.get(mark, 0) for lair in position.lairs.values())
        + sum(seat in village.units for village in position.villages.values())
    )


def has_units_left(position: Position, seat: Seat, edition: Edition) -> bool:
    """Whether a seat has a unit left to build (EP-26)."""
    return units_in_use(position, seat) < edition.supply.unit


def fits(cargo: Cargo, edition: Edition) -> bool:
    """Whether a hold or basin takes these pieces (EP-30)."""
    if len(cargo) <= 1:
        return True
    return len(cargo) <= edition.small_places and LARGE.isdisjoint(cargo)


def require_room(cargo: Cargo, edition: Edition) -> None:
    """Refuse a hold or basin that would be overfull."""
    if not fits(cargo, edition):
        room = f"{edition.small_places} small pieces (unit, spice) or 1 large piece (settler, fish)"
        raise Rejection("EP-30", f"A hold or basin takes {room}; this one would have {in_words(Counter(cargo))}.")


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


def require_pointing(clause: str, position: Position, name: ShipId, ship: Ship, hex: HexId) -> None:
    """Refuse a ship that does not point at a hex."""
    there = f"Ship {name} is on {ship.edge}, which does not point at {hex}."
    require(clause, points_at(position, ship, hex), there)
