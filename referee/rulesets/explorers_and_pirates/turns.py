"""The frame of a turn: phases that start, turns that end (EP-69, EP-84)."""

from msgspec import UNSET, UnsetType

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.ending import ScoringEvent, wins_at_once
from referee.rulesets.explorers_and_pirates.ids import HexId
from referee.rulesets.explorers_and_pirates.position import Case, Hero, Phase, PirateBy, Position, Says, Turn

turns = Chapter()


class StartMovement(Move):
    """End trading and building; from now on your ships move."""


class EndTurn(Move):
    """End your turn."""


class TurnStarted(ScoringEvent):
    """A seat's turn began."""

    seat: Seat
    number: int


class TurnEnded(Event):
    """A seat's turn is over."""

    seat: Seat


class PhaseStarted(Event):
    """A phase began; `seat` is awaited, or active if the phase awaits several seats or the referee."""

    phase: Phase
    seat: Seat
    by: PirateBy | UnsetType = UNSET
    """Phase `pirate`: what brought it about."""
    hex: HexId | UnsetType = UNSET
    """Phase `hero`: the lair."""


@turns.decides(StartMovement)
def start_movement(case: Case, move: StartMovement) -> Says:
    """EP-69."""
    yield PhaseStarted(phase="movement", seat=case.seat)


@turns.decides(EndTurn)
@wins_at_once
def end_turn(case: Case, move: EndTurn) -> Says:
    """EP-84: the captures first."""
    yield from finish_turn(case.position, case.edition)


def finish_turn(position: Position, edition: Edition) -> Says:
    """The next lair with enough units is captured; after the last, the next seat's turn starts (EP-84, EP-91)."""
    active = position.active_seat
    if lair_due(position, edition) is not None:
        yield PhaseStarted(phase="captures", seat=active)
        return
    yield TurnEnded(seat=active)
    yield TurnStarted(seat=Seat((active + 1) % len(position.seats)), number=position.this_turn.number + 1)


def lair_due(position: Position, edition: Edition) -> HexId | None:
    """The first uncaptured lair in hex order that holds enough units (EP-90)."""
    due = [
        hex
        for hex, lair in position.lairs.items()
        if not lair.captured and sum(lair.units.values()) == edition.lair_units
    ]
    return min(due, key=position.board.place_in_order.__getitem__, default=None)


@turns.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    """All counters of the turn start anew."""
    return replace(
        position,
        phase="roll",
        active_seat=event.seat,
        turn=Turn(number=event.number),
        founding_step=None,
        hero=None,
        pirate_by=None,
    )


@turns.applies(TurnEnded)
def turn_ended(position: Position, event: TurnEnded) -> Position:
    """Nothing changes before the next turn starts."""
    return position


@turns.applies(PhaseStarted)
def phase_started(position: Position, event: PhaseStarted) -> Position:
    """The phase, and what belongs to it alone."""
    return replace(
        position,
        phase=event.phase,
        pirate_by=None if event.by is UNSET else event.by,
        hero=None if event.hex is UNSET else Hero(hex=event.hex, seat=event.seat),
        founding_step=0 if event.phase == "founding" else position.founding_step,
        discards=position.discards if event.phase == "discard" else None,
    )
