"""Turns and phases: EP-69, EP-84."""

from msgspec import UNSET, UnsetType

from referee.kernel.changes import replace
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.seat import Seat, next_seat
from referee.rulesets.explorers_and_pirates.edition import Edition
from referee.rulesets.explorers_and_pirates.names import HexId, Phase, PirateBy
from referee.rulesets.explorers_and_pirates.pieces import require_arrived
from referee.rulesets.explorers_and_pirates.position import Case, Hero, Position, Says, Turn
from referee.rulesets.explorers_and_pirates.scoring import ScoringEvent, wins_at_once

turns = Chapter()


class StartMovement(Move):
    """Begin your movement phase; you can no longer trade or build in this turn."""


class EndTurn(Move):
    """End your turn."""


class TurnStarted(ScoringEvent):
    """A seat's turn started."""

    seat: Seat
    number: int


class TurnEnded(Event):
    """A seat's turn ended."""

    seat: Seat


class PhaseStarted(Event):
    """A phase started; `seat` is awaited, or is the active seat if several seats or the referee are awaited."""

    phase: Phase
    seat: Seat
    by: PirateBy | UnsetType = UNSET
    """Only in phase `pirate`: its cause."""
    hex: HexId | UnsetType = UNSET
    """Only in phase `hero`: the lair."""


@turns.decides(StartMovement)
def start_movement(case: Case, move: StartMovement) -> Says:
    """Start the movement phase (EP-69)."""
    yield PhaseStarted(phase="movement", seat=case.seat)


@turns.decides(EndTurn)
@wins_at_once
def end_turn(case: Case, move: EndTurn) -> Says:
    """End the turn, after the captures (EP-84)."""
    require_arrived(case.position, case.edition)
    yield from finish_turn(case.position, case.edition)


def finish_turn(position: Position, edition: Edition) -> Says:
    """Start the next capture, or the next seat's turn if no lair is due (EP-84, EP-91)."""
    active = position.active_seat
    if lairs_due(position, edition):
        yield PhaseStarted(phase="captures", seat=active)
        return
    yield TurnEnded(seat=active)
    yield TurnStarted(seat=next_seat(active, len(position.seats)), number=position.this_turn.number + 1)


def lairs_due(position: Position, edition: Edition) -> tuple[HexId, ...]:
    """The lairs that are not captured and hold enough units (EP-90), in hex order."""
    due = [
        hex
        for hex, lair in position.lairs.items()
        if not lair.captured and sum(lair.units.values()) == edition.lair_units
    ]
    return tuple(sorted(due, key=position.board.place_in_order.__getitem__))


@turns.applies(TurnStarted)
def turn_started(position: Position, event: TurnStarted) -> Position:
    """Reset all counters of the turn."""
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
    """Change nothing; the next turn starts with its own event."""
    return position


@turns.applies(PhaseStarted)
def phase_started(position: Position, event: PhaseStarted) -> Position:
    """Enter the phase, with the parts of the position that belong to it."""
    return replace(
        position,
        phase=event.phase,
        pirate_by=None if event.by is UNSET else event.by,
        hero=None if event.hex is UNSET else Hero(hex=event.hex, seat=event.seat),
        founding_step=0 if event.phase == "founding" else position.founding_step,
        discards=position.discards if event.phase == "discard" else None,
    )
