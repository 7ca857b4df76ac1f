"""The mission of the spices: EP-104 to EP-107. For the advantages of villages see advantages.py."""

from referee.kernel.changes import replace, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.missions.council import deliver
from referee.rulesets.explorers_and_pirates.names import Hex, HexId, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import own_ship, require_pointing, with_ship
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, VillageState
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once

spices = Chapter()


class BefriendVillage(Move):
    """Put a unit into a village that your ship points at, and take a spice sack aboard in its place."""

    ship: ShipName
    hex: Hex


class SacksPlaced(Event):
    """A discovered village got its spice sacks."""

    hex: HexId
    count: int


class VillageBefriended(Event):
    """A ship put a unit into a village and took a spice sack aboard."""

    seat: Seat
    ship: ShipId
    hex: HexId


def place_sacks(position: Position, hex: HexId) -> Says:
    """As many sacks as there are seats (EP-104)."""
    yield SacksPlaced(hex=hex, count=len(position.seats))


@spices.decides(BefriendVillage)
@wins_at_once
def befriend_village(case: Case, move: BefriendVillage) -> Says:
    """Check EP-105; then land a unit and take a sack. A sack taken at a dock is delivered at once (EP-102)."""
    ship = own_ship(case.position, case.seat, move.ship)
    village = case.position.villages.get(move.hex)
    if village is None:
        raise Rejection("EP-105", f"There is no village on {move.hex}.")
    require_pointing("EP-105", case.position, move.ship, ship, move.hex)
    require("EP-105", "unit" in ship.cargo, f"A village takes a unit; ship {move.ship} has none aboard.")
    require("EP-105", case.seat not in village.units, f"You already have a unit in the village on {move.hex}.")
    position = yield VillageBefriended(seat=case.seat, ship=move.ship, hex=move.hex)
    yield from deliver(position, case.seat, move.ship)


@spices.applies(SacksPlaced)
def sacks_placed(position: Position, event: SacksPlaced) -> Position:
    """Add the village with its sacks."""
    village = VillageState(sacks=event.count, units=())
    return replace(position, villages={**position.villages, event.hex: village})


@spices.applies(VillageBefriended)
def village_befriended(position: Position, event: VillageBefriended) -> Position:
    """The unit stays to the end of the game (EP-107), the sack takes its place in the hold."""
    village = position.villages[event.hex]
    friend = VillageState(sacks=village.sacks - 1, units=(*village.units, event.seat))
    cargo = (*without(position.seats[event.seat].ships[event.ship].cargo, ("unit",)), "spice")
    moved = with_ship(position, event.ship, cargo=cargo)
    return replace(moved, villages={**position.villages, event.hex: friend})
