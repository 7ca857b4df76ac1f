"""The capture of a lair: EP-90 to EP-96."""

from collections.abc import Sequence
from typing import Any

from referee.kernel.chance import Chance, Source
from referee.kernel.changes import replace
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.ending import wins_at_once
from referee.rulesets.explorers_and_pirates.ids import HexId
from referee.rulesets.explorers_and_pirates.missions.lairs import MISSION, with_lair, with_units
from referee.rulesets.explorers_and_pirates.missions.tracks import advance, is_last
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, clockwise, key
from referee.rulesets.explorers_and_pirates.production import gain_gold
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted, finish_turn, lair_due

captures = Chapter()

FACES = 6

Rounds = tuple[tuple[int, ...], ...]


class ClaimHero(Move):
    """As the hero: advance one more space for one of your units, or keep the unit."""

    advance: bool


class ResolveCapture(Trigger):
    """Carry out the capture of the next lair."""


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


@captures.decides(ResolveCapture)
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


@captures.decides(ClaimHero)
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


@captures.applies(UnitLost)
def unit_lost(position: Position, event: UnitLost) -> Position:
    """Off the lair into the supply."""
    return with_lair(position, event.hex, with_units(position.lairs[event.hex], event.seat, -1))


@captures.applies(LairCaptured)
def lair_captured(position: Position, event: LairCaptured) -> Position:
    """The gold river is open and productive."""
    return with_lair(position, event.hex, replace(position.lairs[event.hex], captured=True))


@captures.applies(CaptureStarted)
@captures.applies(HeroDetermined)
@captures.applies(HeroDeclined)
def told(position: Position, event: Event) -> Position:
    """These events only tell what happened."""
    return position
