"""The mission of the fish: EP-98 to EP-101."""

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.discovery import ShipFinished
from referee.rulesets.explorers_and_pirates.missions.council import deliver
from referee.rulesets.explorers_and_pirates.names import SHOALS, Hex, HexId, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.pieces import (
    fish_left,
    own_ship,
    require_arrived,
    require_pointing,
    require_room,
    with_ship,
)
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says
from referee.rulesets.explorers_and_pirates.scenarios import scenario_of
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once

fish = Chapter()

MISSION = "fish"


class RollFish(Move):
    """Roll the fish die; this finishes the current ship."""


class CatchFish(Move):
    """Take a fish aboard from a shoal that your ship points at."""

    ship: ShipName
    hex: Hex


class FishDieRolled(Event):
    """A seat rolled the fish die; `hex` is the shoal that got a fish, or null."""

    seat: Seat
    die: int
    hex: HexId | None


class FishCaught(Event):
    """A ship took a fish aboard."""

    seat: Seat
    ship: ShipId
    hex: HexId


def free_shoal(position: Position, face: int) -> HexId | None:
    """The face-up shoal with this face, if neither a fish nor a pirate ship is on it (EP-100)."""
    taken = (*position.fish, position.pirate.hex if position.pirate else None)
    shoals = (hex for hex, tile in position.areas.items() if tile.up and SHOALS.get(tile.tile) == face)
    return next((hex for hex in shoals if hex not in taken), None)


@fish.decides(RollFish)
def roll_fish(case: Case, move: RollFish) -> Says:
    """Check EP-99; then roll the fish die, and place a fish (EP-100)."""
    position = case.position
    scenario, most = scenario_of(position), case.edition.fish
    require("EP-99", MISSION in scenario.missions, f"There are no fish in the scenario `{scenario.name}`.")
    rolled = position.this_turn.fish_rolled
    require("EP-99", not rolled, "You have rolled the fish die in this turn; you may roll it once.")
    if fish_left(position, case.edition) == 0:
        shoals = len(position.fish)
        where = f"{shoals} on shoals, {most - shoals} in holds and basins"
        raise Rejection("EP-99", f"None of the {most} fish is in the reserve: {where}.")
    require_arrived(position, case.edition)
    if position.this_turn.current_ship is not None:
        position = yield ShipFinished(seat=case.seat, ship=position.this_turn.current_ship)
    die = case.chance.number("fish_die", 1, len(SHOALS))
    yield FishDieRolled(seat=case.seat, die=die, hex=free_shoal(position, die))


@fish.decides(CatchFish)
@wins_at_once
def catch_fish(case: Case, move: CatchFish) -> Says:
    """Check EP-101; then catch the fish. A fish caught at a dock is delivered at once (EP-102)."""
    ship = own_ship(case.position, case.seat, move.ship)
    require("EP-101", move.hex in case.position.fish, f"There is no fish on {move.hex}.")
    require_pointing("EP-101", case.position, move.ship, ship, move.hex)
    require_room((*ship.cargo, "fish"), case.edition)
    position = yield FishCaught(seat=case.seat, ship=move.ship, hex=move.hex)
    yield from deliver(position, case.seat, move.ship)


@fish.applies(FishDieRolled)
def fish_die_rolled(position: Position, event: FishDieRolled) -> Position:
    """Note the roll, and put a fish on the shoal if there is one."""
    shoals = position.fish if event.hex is None else (*position.fish, event.hex)
    return replace(position, fish=shoals, turn=replace(position.this_turn, fish_rolled=True))


@fish.applies(FishCaught)
def fish_caught(position: Position, event: FishCaught) -> Position:
    """Move the fish from the shoal to the hold."""
    left = tuple(hex for hex in position.fish if hex != event.hex)
    cargo = (*position.seats[event.seat].ships[event.ship].cargo, "fish")
    return with_ship(replace(position, fish=left), event.ship, cargo=cargo)
