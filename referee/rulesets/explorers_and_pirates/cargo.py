"""Holds and basins: settlers that are built, cargo that is moved or thrown away (EP-30, EP-31, EP-67, EP-80)."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from referee.kernel.changes import without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.building import require_price
from referee.rulesets.explorers_and_pirates.ending import wins_at_once
from referee.rulesets.explorers_and_pirates.ids import Bag, Cargo, Corner, CornerId, Piece, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.missions.council import deliver
from referee.rulesets.explorers_and_pirates.pieces import (
    carried,
    contains,
    own_ship,
    require_room,
    with_seat,
    with_ship,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, SeatState
from referee.rulesets.explorers_and_pirates.wealth import paid

cargo = Chapter()


class Store(Struct, frozen=True, forbid_unknown_fields=True):
    """A hold or a basin: `{"harbor": corner}` or `{"ship": id}`."""

    harbor: Corner | UnsetType = UNSET
    ship: ShipName | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.harbor is UNSET) == (self.ship is UNSET):
            raise ValueError("A place is either a harbour settlement or a ship")


PlaceOf = Annotated[Store, Meta(extra_json_schema={"minProperties": 1, "maxProperties": 1})]


class BuildSettler(Move):
    """Build a settler into an empty basin or an empty ship at your harbour settlement."""

    place: PlaceOf


class DiscardCargo(Move):
    """Throw pieces out of one of your holds or basins."""

    place: PlaceOf
    pieces: Annotated[Cargo, Meta(min_length=1)]


class TransferCargo(Move):
    """Load pieces from a basin into a ship there, unload others into it, or both at once."""

    ship: ShipName
    harbor: Corner
    load: Cargo = ()
    unload: Cargo = ()

    def __post_init__(self) -> None:
        if not self.load and not self.unload:
            raise ValueError("Something is loaded or unloaded")


class SettlerBuilt(Event):
    """A seat built a settler."""

    seat: Seat
    place: Store
    cost: Bag


class CargoDiscarded(Event):
    """Pieces were thrown away."""

    seat: Seat
    place: Store
    pieces: Cargo


class CargoTransferred(Event):
    """Pieces went from a basin into a ship (`load`) and back (`unload`)."""

    seat: Seat
    ship: ShipId
    harbor: CornerId
    load: Cargo
    unload: Cargo


def pieces_in(state: SeatState, place: Store) -> Cargo | None:
    """What is in a hold or basin of a seat; None if it is not the seat's."""
    if not isinstance(place.harbor, UnsetType):
        return state.harbors.get(place.harbor)
    assert not isinstance(place.ship, UnsetType)
    ship = state.ships.get(place.ship)
    return None if ship is None else ship.cargo


def refilled(position: Position, seat: Seat, place: Store, pieces: Cargo) -> Position:
    """The position with other pieces in a hold or basin of a seat."""
    if not isinstance(place.harbor, UnsetType):
        return with_seat(position, seat, harbors={**position.seats[seat].harbors, place.harbor: pieces})
    assert not isinstance(place.ship, UnsetType)
    return with_ship(position, place.ship, cargo=pieces)


def require_store(case: Case, place: Store, piece: Piece) -> None:
    """Refuse a new piece that does not go into an own harbour settlement, or a ship there, with room for it."""
    state = case.position.seats[case.seat]
    held = pieces_in(state, place)
    at_harbor = isinstance(place.ship, UnsetType) or (
        held is not None
        and any(corner in state.harbors for corner in case.position.board.ends[state.ships[place.ship].edge])
    )
    if held is None or not at_harbor:
        raise Rejection("EP-67", "It goes into your harbour settlement, or into your ship there.")
    require_room((*held, piece), case.edition)


@cargo.decides(BuildSettler)
def build_settler(case: Case, move: BuildSettler) -> Says:
    """EP-67."""
    left = carried(case.position.seats[case.seat], "settler") < case.edition.supply.settler
    require("EP-26", left, "You have no settler left.")
    require_store(case, move.place, "settler")
    price = case.edition.prices.settler
    require_price(case, price)
    yield SettlerBuilt(seat=case.seat, place=move.place, cost=price)


@cargo.decides(DiscardCargo)
def discard_cargo(case: Case, move: DiscardCargo) -> Says:
    """EP-31."""
    held = pieces_in(case.position.seats[case.seat], move.place)
    there = held is not None and contains(held, move.pieces)
    require("EP-31", there, "These pieces are not in a hold or basin of yours.")
    yield CargoDiscarded(seat=case.seat, place=move.place, pieces=move.pieces)


@cargo.decides(TransferCargo)
@wins_at_once
def transfer_cargo(case: Case, move: TransferCargo) -> Says:
    """EP-80; what is loaded at a dock is delivered (EP-102)."""
    position = case.position
    ship = own_ship(position, case.seat, move.ship)
    basin = position.seats[case.seat].harbors.get(move.harbor)
    if basin is None or move.harbor not in position.board.ends[ship.edge]:
        raise Rejection("EP-80", "The ship is not at this harbour settlement of yours.")
    there = contains(basin, move.load) and contains(ship.cargo, move.unload)
    require("EP-80", there, "Only pieces that are there can be moved.")
    require_room((*without(ship.cargo, move.unload), *move.load), case.edition)
    require_room((*without(basin, move.load), *move.unload), case.edition)
    position = yield CargoTransferred(
        seat=case.seat, ship=move.ship, harbor=move.harbor, load=move.load, unload=move.unload
    )
    yield from deliver(position, case.seat, move.ship)


@cargo.applies(SettlerBuilt)
def settler_built(position: Position, event: SettlerBuilt) -> Position:
    """Paid and added."""
    return added(paid(position, event.seat, event.cost), event.seat, event.place, "settler")


def added(position: Position, seat: Seat, place: Store, piece: Piece) -> Position:
    """The position with one more piece in a hold or basin."""
    held = pieces_in(position.seats[seat], place)
    assert held is not None
    return refilled(position, seat, place, (*held, piece))


@cargo.applies(CargoDiscarded)
def cargo_discarded(position: Position, event: CargoDiscarded) -> Position:
    """The pieces go back to the reserve or supply they came from."""
    held = pieces_in(position.seats[event.seat], event.place)
    assert held is not None
    return refilled(position, event.seat, event.place, without(held, event.pieces))


@cargo.applies(CargoTransferred)
def cargo_transferred(position: Position, event: CargoTransferred) -> Position:
    """The pieces that stay keep their order, those that move come last."""
    state = position.seats[event.seat]
    hold = (*without(state.ships[event.ship].cargo, event.unload), *event.load)
    basin = (*without(state.harbors[event.harbor], event.load), *event.unload)
    return with_seat(
        with_ship(position, event.ship, cargo=hold), event.seat, harbors={**state.harbors, event.harbor: basin}
    )
