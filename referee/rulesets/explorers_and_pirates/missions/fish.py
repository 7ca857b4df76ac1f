"""The mission of the fish: EP-98 to EP-101."""

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished
from referee.rulesets.explorers_and_pirates.ending import wins_at_once
from referee.rulesets.explorers_and_pirates.ids import SHOALS, Hex, HexId, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.missions.council import deliver
from referee.rulesets.explorers_and_pirates.pieces import carried, own_ship, points_at, require_room, with_ship
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of

fish = Chapter()

MISSION = "fish"


class RollFish(Move):
    """Roll the fish die; this finishes the ship that moved last."""


class CatchFish(Move):
    """Take a fish aboard from a shoal that a ship points at."""

    ship: ShipName
    hex: Hex


class FishDieRolled(Event):
    """The fish die, and the shoal that a fish was put on."""

    seat: Seat
    die: int
    hex: HexId | None


class FishCaught(Event):
    """A fish went aboard."""

    seat: Seat
    ship: ShipId
    hex: HexId


def fish_in_use(position: Position) -> int:
    """Fish on shoals, in holds and in basins."""
    return len(position.fish) + sum(carried(state, "fish") for state in position.seats)


def free_shoal(position: Position, face: int) -> HexId | None:
    """The face-up shoal with this face, if neither a fish nor a pirate ship is on it (EP-100)."""
    taken = (*position.fish, position.pirate.hex if position.pirate else None)
    shoals = (hex for hex, tile in position.areas.items() if tile.up and SHOALS.get(tile.tile) == face)
    return next((hex for hex in shoals if hex not in taken), None)


@fish.decides(RollFish)
def roll_fish(case: Case, move: RollFish) -> Says:
    """EP-99, EP-100."""
    position = case.position
    require("EP-99", MISSION in scenario_of(position).missions, "This mission is not played.")
    require("EP-99", not position.this_turn.fish_rolled, "The fish die is rolled once a turn.")
    require("EP-99", fish_in_use(position) < case.edition.fish, "All fish are in use.")
    if position.this_turn.current_ship is not None:
        position = yield ShipFinished(seat=case.seat, ship=position.this_turn.current_ship)
    die = case.chance.number("fish_die", 1, len(SHOALS))
    yield FishDieRolled(seat=case.seat, die=die, hex=free_shoal(position, die))


@fish.decides(CatchFish)
@wins_at_once
def catch_fish(case: Case, move: CatchFish) -> Says:
    """EP-101; a fish caught at a dock is delivered (EP-102)."""
    ship = own_ship(case.position, case.seat, move.ship)
    there = move.hex in case.position.fish and points_at(case.position, ship, move.hex)
    require("EP-101", there, "The ship points at no shoal with a fish there.")
    require_room((*ship.cargo, "fish"), case.edition)
    position = yield FishCaught(seat=case.seat, ship=move.ship, hex=move.hex)
    yield from deliver(position, case.seat, move.ship)


@fish.applies(FishDieRolled)
def fish_die_rolled(position: Position, event: FishDieRolled) -> Position:
    """The roll is used up; a fish may lie on a shoal."""
    shoals = position.fish if event.hex is None else (*position.fish, event.hex)
    return replace(position, fish=shoals, turn=replace(position.this_turn, fish_rolled=True))


@fish.applies(FishCaught)
def fish_caught(position: Position, event: FishCaught) -> Position:
    """From the shoal into the hold."""
    left = tuple(hex for hex in position.fish if hex != event.hex)
    cargo = (*position.seats[event.seat].ships[event.ship].cargo, "fish")
    return with_ship(replace(position, fish=left), event.ship, cargo=cargo)
