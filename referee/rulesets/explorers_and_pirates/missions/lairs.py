"""The mission of the lairs: EP-88, EP-89 and EP-97. For captures see captures.py."""

from typing import Annotated

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.changes import replace, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.names import Cargo, Count, Hex, HexId, Mission, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import own_ship, require_pointing, require_room, with_ship
from referee.rulesets.explorers_and_pirates.position import Case, Lair, Position, Says, key

lairs = Chapter()

MISSION: Mission = "lairs"


class LandUnits(Move):
    """Land units from your ship on a gold river whose lair is not captured."""

    ship: ShipName
    hex: Hex
    count: Count


class PickUpUnits(Move):
    """Take your units aboard from a gold river whose lair is captured."""

    ship: ShipName
    hex: Hex
    count: Count


class LairPlaced(Event):
    """A discovered gold river got a lair token; its number is hidden."""

    hex: HexId
    number: Annotated[int | UnsetType, NOBODY]


class UnitsLanded(Event):
    """A ship landed units on a gold river."""

    seat: Seat
    ship: ShipId
    hex: HexId
    count: int


class UnitsPickedUp(Event):
    """A ship took units aboard from a gold river."""

    seat: Seat
    ship: ShipId
    hex: HexId
    count: int


def place_lair(position: Position, hex: HexId) -> Says:
    """A discovered gold river gets the top lair token (EP-88)."""
    yield LairPlaced(hex=hex, number=position.stacks.lairs[0])


def lair_at(case: Case, ship: ShipId, hex: HexId, clause: str, *, captured: bool) -> Lair:
    """The lair that an own ship points at, captured or not."""
    lair = case.position.lairs.get(hex)
    if lair is None:
        raise Rejection(clause, f"There is no pirate lair on {hex}.")
    if lair.captured != captured:
        raise Rejection(clause, f"The pirate lair on {hex} is {'not yet' if captured else 'already'} captured.")
    require_pointing(clause, case.position, ship, own_ship(case.position, case.seat, ship), hex)
    return lair


@lairs.decides(LandUnits)
def land_units(case: Case, move: LandUnits) -> Says:
    """Check EP-89; then land the units at the lair."""
    ship = own_ship(case.position, case.seat, move.ship)
    lair = lair_at(case, move.ship, move.hex, "EP-89", captured=False)
    aboard, ashore = ship.cargo.count("unit"), sum(lair.units.values())
    most = case.edition.lair_units
    require("EP-89", aboard >= move.count, f"You land {move.count} units; ship {move.ship} has {aboard} aboard.")
    full = f"A lair takes {most} units; {ashore} are on {move.hex}, so you cannot land {move.count}."
    require("EP-89", ashore + move.count <= most, full)
    yield UnitsLanded(seat=case.seat, ship=move.ship, hex=move.hex, count=move.count)


@lairs.decides(PickUpUnits)
def pick_up_units(case: Case, move: PickUpUnits) -> Says:
    """Check EP-97; then take the units back aboard."""
    ship = own_ship(case.position, case.seat, move.ship)
    lair = lair_at(case, move.ship, move.hex, "EP-97", captured=True)
    ashore = lair.units.get(key(case.seat), 0)
    require("EP-97", ashore >= move.count, f"You pick up {move.count} units; you have {ashore} on {move.hex}.")
    require_room((*ship.cargo, *_units(move.count)), case.edition)
    yield UnitsPickedUp(seat=case.seat, ship=move.ship, hex=move.hex, count=move.count)


def _units(count: int) -> Cargo:
    unit: Cargo = ("unit",)
    return unit * count


def with_units(lair: Lair, seat: Seat, change: int) -> Lair:
    """A lair with more or fewer units of a seat beside it."""
    count = lair.units.get(key(seat), 0) + change
    rest = {mark: units for mark, units in lair.units.items() if mark != key(seat)}
    return replace(lair, units={**rest, key(seat): count} if count else rest)


def with_lair(position: Position, hex: HexId, lair: Lair) -> Position:
    """The position with another lair on a hex."""
    return replace(position, lairs={**position.lairs, hex: lair})


@lairs.applies(LairPlaced)
def lair_placed(position: Position, event: LairPlaced) -> Position:
    """Move the token from its stack to the gold river."""
    stacks = replace(position.stacks, lairs=position.stacks.lairs[1:])
    lair = Lair(number=whole(event.number), captured=False, units={})
    return with_lair(replace(position, stacks=stacks), event.hex, lair)


@lairs.applies(UnitsLanded)
def units_landed(position: Position, event: UnitsLanded) -> Position:
    """Move the units from the hold to the lair."""
    cargo = without(position.seats[event.seat].ships[event.ship].cargo, _units(event.count))
    lair = with_units(position.lairs[event.hex], event.seat, event.count)
    return with_lair(with_ship(position, event.ship, cargo=cargo), event.hex, lair)


@lairs.applies(UnitsPickedUp)
def units_picked_up(position: Position, event: UnitsPickedUp) -> Position:
    """Move the units from the lair to the hold."""
    cargo = (*position.seats[event.seat].ships[event.ship].cargo, *_units(event.count))
    lair = with_units(position.lairs[event.hex], event.seat, -event.count)
    return with_lair(with_ship(position, event.ship, cargo=cargo), event.hex, lair)
