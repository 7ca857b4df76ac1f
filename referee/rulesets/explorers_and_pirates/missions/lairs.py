"""The mission of the lairs: EP-88 to EP-97."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import UnsetType

from referee.kernel.audience import NOBODY, whole
from referee.kernel.chance import Chance, Source
from referee.kernel.changes import replace, without
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.rejection import Rejection, require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ending import wins_at_once
from referee.rulesets.explorers_and_pirates.ids import Cargo, Count, Hex, HexId, Mission, ShipId, ShipName
from referee.rulesets.explorers_and_pirates.missions.tracks import advance, is_last
from referee.rulesets.explorers_and_pirates.pieces import own_ship, points_at, require_room, with_ship
from referee.rulesets.explorers_and_pirates.position import Case, Lair, Position, Says, clockwise, key
from referee.rulesets.explorers_and_pirates.production import gain_gold
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted, finish_turn, lair_due

lairs = Chapter()

MISSION: Mission = "lairs"
FACES = 6

Rounds = tuple[tuple[int, ...], ...]


class LandUnits(Move):
    """Land units on a gold river whose lair is not captured."""

    ship: ShipName
    hex: Hex
    count: Count


class PickUpUnits(Move):
    """Take own units aboard from a gold river whose lair is captured."""

    ship: ShipName
    hex: Hex
    count: Count


class ClaimHero(Move):
    """As the hero: advance one more space for one of your units, or keep the unit."""

    advance: bool


class ResolveCapture(Trigger):
    """Carry out the capture of the next lair."""


class LairPlaced(Event):
    """A lair token lies on a gold river, number hidden."""

    hex: HexId
    number: Annotated[int | UnsetType, NOBODY]


class UnitsLanded(Event):
    """Units went ashore on a gold river."""

    seat: Seat
    ship: ShipId
    hex: HexId
    count: int


class UnitsPickedUp(Event):
    """Units went aboard from a gold river."""

    seat: Seat
    ship: ShipId
    hex: HexId
    count: int


class CaptureStarted(Event):
    """A lair is being captured by these seats."""

    hex: HexId
    seats: tuple[Seat, ...]


class HeroDetermined(Event):
    """The hero of a capture, with the dice of each round; none for who captures alone."""

    hex: HexId
    seat: Seat
    seats: tuple[Seat, ...]
    rounds: Rounds


class UnitLost(Event):
    """The hero's unit went back to the supply."""

    seat: Seat
    hex: HexId


class HeroDeclined(Event):
    """The hero kept the unit and did not advance."""

    seat: Seat
    hex: HexId


class LairCaptured(Event):
    """The token lies number side up for good."""

    hex: HexId
    number: int


def place_lair(position: Position, hex: HexId) -> Says:
    """A discovered gold river gets the top lair token (EP-88)."""
    yield LairPlaced(hex=hex, number=position.stacks.lairs[0])


def lair_at(case: Case, ship: ShipId, hex: HexId, clause: str, *, captured: bool) -> Lair:
    """The lair that an own ship points at, captured or not."""
    lair = case.position.lairs.get(hex)
    if lair is None or lair.captured != captured:
        raise Rejection(clause, "There is no captured lair." if captured else "There is no lair to be captured.")
    pointing = points_at(case.position, own_ship(case.position, case.seat, ship), hex)
    require(clause, pointing, "The ship does not point at this hex.")
    return lair


@lairs.decides(LandUnits)
def land_units(case: Case, move: LandUnits) -> Says:
    """EP-89."""
    ship = own_ship(case.position, case.seat, move.ship)
    lair = lair_at(case, move.ship, move.hex, "EP-89", captured=False)
    require("EP-89", ship.cargo.count("unit") >= move.count, "The ship has fewer units aboard.")
    most = case.edition.lair_units
    require("EP-89", sum(lair.units.values()) + move.count <= most, f"No more than {most} units are on a lair.")
    yield UnitsLanded(seat=case.seat, ship=move.ship, hex=move.hex, count=move.count)


@lairs.decides(PickUpUnits)
def pick_up_units(case: Case, move: PickUpUnits) -> Says:
    """EP-97."""
    ship = own_ship(case.position, case.seat, move.ship)
    lair = lair_at(case, move.ship, move.hex, "EP-97", captured=True)
    require("EP-97", lair.units.get(key(case.seat), 0) >= move.count, "You have fewer units there.")
    require_room((*ship.cargo, *_units(move.count)), case.edition)
    yield UnitsPickedUp(seat=case.seat, ship=move.ship, hex=move.hex, count=move.count)


@lairs.decides(ResolveCapture)
@wins_at_once
def resolve_capture(case: Case, move: ResolveCapture) -> Says:
    """EP-91 to EP-96."""
    position = case.position
    hex = lair_due(position, case.edition)
    assert hex is not None, "the phase is over when no lair is due"
    units = position.lairs[hex].units
    seats = tuple(seat for seat in clockwise(position.active_seat, len(position.seats)) if key(seat) in units)
    position = yield CaptureStarted(hex=hex, seats=seats)
    for seat in seats:
        position = yield from gain_gold(position, seat, case.edition.capture_gold, "capture")  # EP-92
    for seat in seats:
        position = yield from advance(position, MISSION, seat)
    strength = tuple(units[key(seat)] for seat in seats)
    rounds = hero_dice(case.chance, strength) if len(seats) > 1 else ()
    hero = seats[winner_of(rounds[-1], strength)] if rounds else seats[0]
    position = yield HeroDetermined(hex=hex, seat=hero, seats=seats, rounds=rounds)
    if is_last(position, MISSION, hero):
        yield from _turn_token(case, position, hex)  # EP-94, EP-95
    elif rounds:
        yield PhaseStarted(phase="hero", seat=hero, hex=hex)
    else:
        yield from _reward_hero(case, position, hero, hex)


def _reward_hero(case: Case, position: Position, hero: Seat, hex: HexId) -> Says:
    """One more space, for one unit (EP-94, EP-95)."""
    position = yield from advance(position, MISSION, hero)
    position = yield UnitLost(seat=hero, hex=hex)
    yield from _turn_token(case, position, hex)


def _turn_token(case: Case, position: Position, hex: HexId) -> Says:
    """The lair is captured (EP-96); the next one follows, or the next turn."""
    position = yield LairCaptured(hex=hex, number=position.lairs[hex].number)
    yield from finish_turn(position, case.edition)


@lairs.decides(ClaimHero)
@wins_at_once
def claim_hero(case: Case, move: ClaimHero) -> Says:
    """EP-94."""
    asked = case.position.hero
    assert asked is not None, "only a hero is asked"
    if move.advance:
        yield from _reward_hero(case, case.position, asked.seat, asked.hex)
    else:
        position = yield HeroDeclined(seat=asked.seat, hex=asked.hex)
        yield from _turn_token(case, position, asked.hex)


def hero_dice(chance: Chance, strength: tuple[int, ...]) -> Rounds:
    """Rounds of dice, one die per participant, until there is a hero (EP-93)."""

    def sample(source: Source) -> Rounds:
        rounds: list[tuple[int, ...]] = []
        while not rounds or _winner(rounds[-1], strength) is None:
            rounds.append(tuple(1 + source.below(FACES) for _ in strength))
        return tuple(rounds)

    def read(outcome: Any) -> Rounds:
        if not isinstance(outcome, (list, tuple)) or not outcome:
            raise ValueError("expected a list of rounds")
        rounds = tuple(_read_round(each, len(strength)) for each in outcome)
        decided = [_winner(each, strength) is not None for each in rounds]
        if decided != [False] * (len(rounds) - 1) + [True]:
            raise ValueError("exactly the last round has a hero")
        return rounds

    return chance.draw("hero_dice", sample, read)


def _read_round(outcome: Any, count: int) -> tuple[int, ...]:
    if not isinstance(outcome, (list, tuple)) or len(outcome) != count:
        raise ValueError(f"a round has {count} dice")
    if any(type(face) is not int or not 1 <= face <= FACES for face in outcome):
        raise ValueError(f"a die shows 1 to {FACES}")
    return tuple(outcome)


def _winner(dice: Sequence[int], strength: tuple[int, ...]) -> int | None:
    """Who has the highest sum, of these the most units; None if that ties, too (EP-93)."""
    ranked = sorted(
        ((die + units, units, place) for place, (die, units) in enumerate(zip(dice, strength, strict=True)))
    )
    best, second = ranked[-1], ranked[-2]
    return best[2] if best[:2] != second[:2] else None


def winner_of(dice: Sequence[int], strength: tuple[int, ...]) -> int:
    """The hero of a round that has one."""
    winner = _winner(dice, strength)
    assert winner is not None
    return winner


def _units(count: int) -> Cargo:
    unit: Cargo = ("unit",)
    return unit * count


def _with_units(lair: Lair, seat: Seat, change: int) -> Lair:
    count = lair.units.get(key(seat), 0) + change
    rest = {mark: units for mark, units in lair.units.items() if mark != key(seat)}
    return replace(lair, units={**rest, key(seat): count} if count else rest)


def _with_lair(position: Position, hex: HexId, lair: Lair) -> Position:
    return replace(position, lairs={**position.lairs, hex: lair})


@lairs.applies(LairPlaced)
def lair_placed(position: Position, event: LairPlaced) -> Position:
    """The token leaves its stack."""
    stacks = replace(position.stacks, lairs=position.stacks.lairs[1:])
    lair = Lair(number=whole(event.number), captured=False, units={})
    return _with_lair(replace(position, stacks=stacks), event.hex, lair)


@lairs.applies(UnitsLanded)
def units_landed(position: Position, event: UnitsLanded) -> Position:
    """From the hold to the lair."""
    cargo = without(position.seats[event.seat].ships[event.ship].cargo, _units(event.count))
    lair = _with_units(position.lairs[event.hex], event.seat, event.count)
    return _with_lair(with_ship(position, event.ship, cargo=cargo), event.hex, lair)


@lairs.applies(UnitsPickedUp)
def units_picked_up(position: Position, event: UnitsPickedUp) -> Position:
    """From the lair to the hold."""
    cargo = (*position.seats[event.seat].ships[event.ship].cargo, *_units(event.count))
    lair = _with_units(position.lairs[event.hex], event.seat, -event.count)
    return _with_lair(with_ship(position, event.ship, cargo=cargo), event.hex, lair)


@lairs.applies(UnitLost)
def unit_lost(position: Position, event: UnitLost) -> Position:
    """Off the lair into the supply."""
    return _with_lair(position, event.hex, _with_units(position.lairs[event.hex], event.seat, -1))


@lairs.applies(LairCaptured)
def lair_captured(position: Position, event: LairCaptured) -> Position:
    """The gold river is open and productive."""
    return _with_lair(position, event.hex, replace(position.lairs[event.hex], captured=True))


@lairs.applies(CaptureStarted)
@lairs.applies(HeroDetermined)
@lairs.applies(HeroDeclined)
def told(position: Position, event: Event) -> Position:
    """These events only tell what happened."""
    return position
