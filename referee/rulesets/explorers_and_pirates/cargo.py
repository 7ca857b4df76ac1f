"""Holds and basins: building settlers, moving and throwing away cargo (EP-30, EP-31, EP-67, EP-80)."""

from collections import Counter
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from referee.kernel.changes import without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.building import require_price
from referee.rulesets.explorers_and_pirates.missions.council import deliver
from referee.rulesets.explorers_and_pirates.names import Bag, Cargo, Corner, CornerId, Piece, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import (
    carried,
    contains,
    own_ship,
    require_room,
    require_supply,
    with_ship,
    with_state,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, SeatState, Ship
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once
from referee.rulesets.explorers_and_pirates.wealth import in_words, paid

cargo = Chapter()


class Store(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A hold or a basin: `{"harbor": corner}` or `{"ship": id}`."""

    harbor: Corner | UnsetType = UNSET
    ship: ShipName | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.harbor is UNSET) == (self.ship is UNSET):
            raise ValueError("A place names either `harbor` or `ship`")


PlaceOf = Annotated[Store, Meta(extra_json_schema={"minProperties": 1, "maxProperties": 1})]


class BuildSettler(Move):
    """Build a settler into an empty basin or an empty ship at your harbour settlement."""

    place: PlaceOf


class DiscardCargo(Move):
    """Throw away pieces from one of your holds or basins."""

    place: PlaceOf
    pieces: Annotated[Cargo, Meta(min_length=1)]


class TransferCargo(Move):
    """Load pieces from the basin of your harbour settlement into your ship there, unload pieces into it, or both."""

    ship: ShipName
    harbor: Corner
    load: Cargo = ()
    unload: Cargo = ()

    def __post_init__(self) -> None:
        if not self.load and not self.unload:
            raise ValueError("At least one of `load` and `unload` names pieces")


class SettlerBuilt(Event):
    """A seat built a settler."""

    seat: Seat
    place: Store
    cost: Bag


class CargoDiscarded(Event):
    """A seat threw away pieces."""

    seat: Seat
    place: Store
    pieces: Cargo


class CargoTransferred(Event):
    """A seat moved pieces from a basin into a ship (`load`) and from the ship into the basin (`unload`)."""

    seat: Seat
    ship: ShipId
    harbor: CornerId
    load: Cargo
    unload: Cargo


def pieces_in(state: SeatState, place: Store) -> Cargo | None:
    """The pieces in a hold or basin of a seat; None if the seat has no such hold or basin."""
    if not isinstance(place.harbor, UnsetType):
        return state.harbors.get(place.harbor)
    assert not isinstance(place.ship, UnsetType)
    ship = state.ships.get(place.ship)
    return None if ship is None else ship.cargo


def in_words_of(place: Store) -> str:
    """`harbour settlement 2,0,N` or `ship 0-1`."""
    return f"harbour settlement {place.harbor}" if isinstance(place.ship, UnsetType) else f"ship {place.ship}"


def refilled(position: Position, seat: Seat, place: Store, pieces: Cargo) -> Position:
    """The position with other pieces in a hold or basin of a seat."""
    if not isinstance(place.harbor, UnsetType):
        return with_state(position, seat, harbors={**position.seats[seat].harbors, place.harbor: pieces})
    assert not isinstance(place.ship, UnsetType)
    return with_ship(position, place.ship, cargo=pieces)


def is_at_harbor(position: Position, state: SeatState, ship: Ship) -> bool:
    """Whether a ship is at one of its seat's harbour settlements (EP-67)."""
    return not state.harbors.keys().isdisjoint(position.board.ends[ship.edge])


def require_store(case: Case, place: Store, piece: Piece) -> None:
    """Refuse a place for a new piece that is not the seat's, is a ship away from its harbours, or has no room."""
    state = case.position.seats[case.seat]
    held = pieces_in(state, place)
    if held is None:
        raise Rejection("EP-67", f"You have no {in_words_of(place)} on the board.")
    if not isinstance(place.ship, UnsetType):
        at_harbor = is_at_harbor(case.position, state, state.ships[place.ship])
        require("EP-67", at_harbor, f"Ship {place.ship} is not at one of your harbour settlements.")
    require_room((*held, piece), case.edition)


@cargo.decides(BuildSettler)
def build_settler(case: Case, move: BuildSettler) -> Says:
    """Check EP-67; then build the settler."""
    require_supply(carried(case.position.seats[case.seat], "settler"), case.edition.supply.settler, "settlers")
    require_store(case, move.place, "settler")
    price = case.edition.prices.settler
    require_price(case, "A settler", price)
    yield SettlerBuilt(seat=case.seat, place=move.place, cost=price)


@cargo.decides(DiscardCargo)
def discard_cargo(case: Case, move: DiscardCargo) -> Says:
    """Check EP-31; then throw the pieces away."""
    held = pieces_in(case.position.seats[case.seat], move.place)
    if held is None:
        raise Rejection("EP-31", f"You have no {in_words_of(move.place)} on the board.")
    if not contains(held, move.pieces):
        asked, there = in_words(Counter(move.pieces)), in_words(Counter(held)) or "nothing"
        raise Rejection("EP-31", f"You throw away {asked}; your {in_words_of(move.place)} has {there}.")
    yield CargoDiscarded(seat=case.seat, place=move.place, pieces=move.pieces)


@cargo.decides(TransferCargo)
@wins_at_once
def transfer_cargo(case: Case, move: TransferCargo) -> Says:
    """Check EP-80; then move the cargo. Goods loaded at a dock are delivered at once (EP-102)."""
    position = case.position
    ship = own_ship(position, case.seat, move.ship)
    basin = position.seats[case.seat].harbors.get(move.harbor)
    if basin is None:
        raise Rejection("EP-80", f"You have no harbour settlement on {move.harbor}.")
    there = f"Ship {move.ship} is on {ship.edge}, which does not end at {move.harbor}."
    require("EP-80", move.harbor in position.board.ends[ship.edge], there)
    for held, moved, place in ((basin, move.load, "basin"), (ship.cargo, move.unload, "hold")):
        if not contains(held, moved):
            asked, there = in_words(Counter(moved)), in_words(Counter(held)) or "nothing"
            raise Rejection("EP-80", f"You move {asked} out of the {place}; it has {there}.")
    require_room((*without(ship.cargo, move.unload), *move.load), case.edition)
    require_room((*without(basin, move.load), *move.unload), case.edition)
    position = yield CargoTransferred(
        seat=case.seat, ship=move.ship, harbor=move.harbor, load=move.load, unload=move.unload
    )
    yield from deliver(position, case.seat, move.ship)


@cargo.applies(SettlerBuilt)
def settler_built(position: Position, event: SettlerBuilt) -> Position:
    """Pay the price, add the settler."""
    return added(paid(position, event.seat, event.cost), event.seat, event.place, "settler")


def added(position: Position, seat: Seat, place: Store, piece: Piece) -> Position:
    """The position with one more piece in a hold or basin."""
    held = pieces_in(position.seats[seat], place)
    assert held is not None
    return refilled(position, seat, place, (*held, piece))


@cargo.applies(CargoDiscarded)
def cargo_discarded(position: Position, event: CargoDiscarded) -> Position:
    """Return the pieces to their reserve or supply."""
    held = pieces_in(position.seats[event.seat], event.place)
    assert held is not None
    return refilled(position, event.seat, event.place, without(held, event.pieces))


@cargo.applies(CargoTransferred)
def cargo_transferred(position: Position, event: CargoTransferred) -> Position:
    """Pieces that stay keep their order; moved pieces come last."""
    state = position.seats[event.seat]
    hold = (*without(state.ships[event.ship].cargo, event.unload), *event.load)
    basin = (*without(state.harbors[event.harbor], event.load), *event.unload)
    return with_state(
        with_ship(position, event.ship, cargo=hold), event.seat, harbors={**state.harbors, event.harbor: basin}
    )
