"""The capture of a lair: EP-90 to EP-96."""

from collections.abc import Sequence
from typing import Any

from referee.kernel.chance import Chance, Source
from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.rejection import require
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.explorers_and_pirates.missions.lairs import MISSION, with_lair, with_units
from referee.rulesets.explorers_and_pirates.missions.tracks import advance, is_last
from referee.rulesets.explorers_and_pirates.names import Hex, HexId
from referee.rulesets.explorers_and_pirates.position import Case, Position, Says, key
from referee.rulesets.explorers_and_pirates.production import gain_gold
from referee.rulesets.explorers_and_pirates.scoring import wins_at_once
from referee.rulesets.explorers_and_pirates.turns import PhaseStarted, finish_turn, lairs_due

captures = Chapter()

FACES = 6

Rounds = tuple[tuple[int, ...], ...]


class ClaimHero(Move):
    """Decide as the hero: advance one more space and lose one of your units, or keep the unit."""

    advance: bool


class CaptureLair(Move):
    """Choose which of several lairs is captured next, at the end of your turn."""

    hex: Hex


class ResolveCapture(Trigger):
    """Carry out the capture of the only lair that is due."""


class CaptureStarted(Event):
    """These seats capture a lair together."""

    hex: HexId
    seats: tuple[Seat, ...]


class HeroDetermined(Event):
    """A seat became the hero of a capture; `rounds` has the dice of each round, none if the seat captures alone."""

    hex: HexId
    seat: Seat
    seats: tuple[Seat, ...]
    rounds: Rounds


class UnitLost(Event):
    """A unit of the hero returned to the supply."""

    seat: Seat
    hex: HexId


class HeroDeclined(Event):
    """The hero kept the unit and did not advance."""

    seat: Seat
    hex: HexId


class LairCaptured(Event):
    """A lair was captured; its number is open for good."""

    hex: HexId
    number: int


@captures.decides(ResolveCapture)
@wins_at_once
def resolve_capture(case: Case, move: ResolveCapture) -> Says:
    """Capture the lair that is due (EP-91)."""
    (hex,) = lairs_due(case.position, case.edition)
    yield from _capture(case, hex)


@captures.decides(CaptureLair)
@wins_at_once
def capture_lair(case: Case, move: CaptureLair) -> Says:
    """Check EP-91; then capture the lair that the active seat has chosen."""
    choice = lairs_due(case.position, case.edition)
    require("EP-91", move.hex in choice, f"{move.hex} is not captured now; choose {' or '.join(choice)}.")
    yield from _capture(case, move.hex)


def _capture(case: Case, hex: HexId) -> Says:
    """Capture a lair, and reward the seats that took part (EP-92 to EP-96)."""
    position = case.position
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
    """The hero advances one more space and loses one unit (EP-94, EP-95)."""
    position = yield from advance(position, MISSION, hero)
    position = yield UnitLost(seat=hero, hex=hex)
    yield from _turn_token(case, position, hex)


def _turn_token(case: Case, position: Position, hex: HexId) -> Says:
    """Turn the token of the lair (EP-96); then the next capture or the next turn follows."""
    position = yield LairCaptured(hex=hex, number=position.lairs[hex].number)
    yield from finish_turn(position, case.edition)


@captures.decides(ClaimHero)
@wins_at_once
def claim_hero(case: Case, move: ClaimHero) -> Says:
    """The hero takes or declines the reward (EP-94)."""
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
    """The index of the highest sum, and among equal sums of the most units; None if both are equal (EP-93)."""
    ranked = sorted(
        ((die + units, units, place) for place, (die, units) in enumerate(zip(dice, strength, strict=True)))
    )
    best, second = ranked[-1], ranked[-2]
    return best[2] if best[:2] != second[:2] else None


def winner_of(dice: Sequence[int], strength: tuple[int, ...]) -> int:
    """The index of the hero in a round that has one."""
    winner = _winner(dice, strength)
    assert winner is not None
    return winner


@captures.applies(UnitLost)
def unit_lost(position: Position, event: UnitLost) -> Position:
    """Return the unit from the lair to the supply."""
    return with_lair(position, event.hex, with_units(position.lairs[event.hex], event.seat, -1))


@captures.applies(LairCaptured)
def lair_captured(position: Position, event: LairCaptured) -> Position:
    """Mark the lair as captured."""
    return with_lair(position, event.hex, replace(position.lairs[event.hex], captured=True))


@captures.applies(CaptureStarted)
@captures.applies(HeroDetermined)
@captures.applies(HeroDeclined)
def unchanged(position: Position, event: Event) -> Position:
    """Change nothing; these events only inform."""
    return position
