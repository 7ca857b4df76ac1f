"""Victims of a catastrophe pay, lose a fish and flee: CF-59 to CF-64."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.cat_and_fish.board import DISTANCE, TOUCHES
from referee.rulesets.cat_and_fish.names import CORNERS, Catastrophe, Corner, Hex, Tile
from referee.rulesets.cat_and_fish.position import (
    Case,
    Flight,
    FlightAnswer,
    MonsterFlight,
    OilFlight,
    Position,
    Resume,
    Says,
    SeatState,
    Step,
    TyphoonFlight,
    fish_held,
    is_accessible,
    is_safe,
)
from referee.rulesets.cat_and_fish.turns import go_on

flight = Chapter()

FLIGHT_FROM: dict[Catastrophe, type[TyphoonFlight] | type[OilFlight] | type[MonsterFlight]] = {
    "typhoon": TyphoonFlight,
    "oil": OilFlight,
    "monster": MonsterFlight,
}


class Flee(Move):
    """Flee to a nearest safe corner, and name the fish that you lose."""

    secret = True

    to: Annotated[Corner, Meta(description="One of the nearest safe corners.")]
    tile: Annotated[
        Tile | UnsetType, Meta(description="The fish that you lose; left out if you have none, and for the oil.")
    ] = UNSET


class PenaltyPaid(Event):
    """A victim paid the penalty to the bank, or all its money if that was less."""

    seat: Seat
    cause: Literal["oil", "monster"]
    amount: int


class FishLost(Event):
    """A victim lost a fish."""

    seat: Seat
    cause: Literal["typhoon", "monster"]
    tile: Tile


class PawnFled(Event):
    """A victim's pawn fled to a safe corner."""

    seat: Seat
    from_: Corner = field(name="from")
    to: Corner


class FlightDemanded(Event):
    """Victims have a choice, and choose at the same time."""

    kind: Catastrophe
    hex: Hex
    start: Seat
    resume: Resume
    seats: tuple[Seat, ...]


class FlightChosen(Event):
    """A victim has chosen. The others see its choice when all have chosen."""

    seat: Seat
    tile: Annotated[Tile | UnsetType | None, only("seat")] = UNSET
    to: Annotated[Corner | UnsetType, only("seat")] = UNSET


class FlightResolved(Event):
    """All victims have fled; play goes on."""

    phase: Resume


def is_struck(position: Position, seat: Seat, hex: Hex) -> bool:
    """Whether a seat's pawn touches a hex (CF-59)."""
    return hex in TOUCHES[position.seats[seat].pawn]


def fish_at_risk(kind: Catastrophe, state: SeatState) -> tuple[Tile, ...]:
    """The kinds of fish of which a victim must give one (CF-61); none to the oil."""
    return () if kind == "oil" else fish_held(state)


def refuges(position: Position, seat: Seat) -> tuple[Corner, ...]:
    """The nearest corners that are accessible to a seat and safe (CF-63)."""
    state = position.seats[seat]
    distance = DISTANCE[state.pawn]
    safe = [corner for corner in CORNERS if is_accessible(state, corner) and is_safe(position, corner)]
    nearest = min(distance[corner] for corner in safe)
    return tuple(corner for corner in safe if distance[corner] == nearest)


def flight_answers(position: Position, kind: Catastrophe, seat: Seat) -> tuple[FlightAnswer, ...]:
    """Every answer that a victim can give; equal tiles are one (CF-8)."""
    tiles = fish_at_risk(kind, position.seats[seat]) or (None,)
    return tuple(FlightAnswer(tile=tile, to=corner) for tile in tiles for corner in refuges(position, seat))


def strike(case: Case, position: Position, kind: Catastrophe, hex: Hex, resume: Resume) -> Step:
    """All victims pay; then victims without a choice flee; then the others are asked (CF-64)."""
    edition = case.edition
    victims = [seat for seat in clockwise(case.seat, len(position.seats)) if is_struck(position, seat, hex)]
    if kind != "typhoon":
        penalty = edition.oil_penalty if kind == "oil" else edition.monster_penalty
        for seat in victims:
            amount = min(penalty, position.seats[seat].money)  # CF-60
            position = yield PenaltyPaid(seat=seat, cause=kind, amount=amount)
    asked = []
    for seat in victims:
        answers = flight_answers(position, kind, seat)
        if len(answers) == 1:
            position = yield from flee_as_answered(position, kind, seat, answers[0])  # CF-8
        else:
            asked.append(seat)
    if asked:
        position = yield FlightDemanded(kind=kind, hex=hex, start=case.seat, resume=resume, seats=tuple(asked))
    return position


def flee_as_answered(position: Position, kind: Catastrophe, seat: Seat, answer: FlightAnswer) -> Step:
    """A victim loses its fish and flees."""
    if answer.tile is not None and kind != "oil":
        position = yield FishLost(seat=seat, cause=kind, tile=answer.tile)
    return (yield PawnFled(seat=seat, from_=position.seats[seat].pawn, to=answer.to))


def require_loss(kind: Catastrophe, state: SeatState, tile: Tile | UnsetType) -> None:
    """Refuse a missing fish, a fish that the victim does not hold, and a fish where none is lost (CF-62)."""
    at_risk = fish_at_risk(kind, state)
    if at_risk and tile not in at_risk:
        raise Rejection("CF-62", f"Name a fish that you hold as `tile`: {' or '.join(at_risk)}.")
    if not at_risk and not isinstance(tile, UnsetType):
        why = "the oil takes no fish" if kind == "oil" else "you hold no fish"
        raise Rejection("CF-62", f"Leave out `tile`: {why}.")


@flight.decides(Flee)
def flee(case: Case, move: Flee) -> Says:
    """Keep the answer; when the last one is given, carry out all of them (CF-9)."""
    position, pending = case.position, case.position.pending
    assert isinstance(pending, Flight)
    require_loss(pending.kind, position.seats[case.seat], move.tile)
    havens = refuges(position, case.seat)
    if move.to not in havens:
        raise Rejection("CF-63", f"Flee to a nearest safe corner: {' or '.join(havens)}.")
    tile = None if isinstance(move.tile, UnsetType) else move.tile
    position = yield FlightChosen(seat=case.seat, tile=tile, to=move.to)
    pending = position.pending
    assert isinstance(pending, Flight)
    if len(pending.answers) == len(pending.seats):
        for seat in pending.seats:
            position = yield from flee_as_answered(position, pending.kind, seat, pending.answers[str(seat)])
        position = yield FlightResolved(phase=pending.resume)
        yield from go_on(position)


@flight.applies(PenaltyPaid)
def penalty_paid(position: Position, event: PenaltyPaid) -> Position:
    """Pay the money to the bank."""
    money = position.seats[event.seat].money - event.amount
    return replace(position, seats=with_seat(position.seats, event.seat, money=money))


@flight.applies(FishLost)
def fish_lost(position: Position, event: FishLost) -> Position:
    """Discard the fish."""
    return replace(
        position,
        discards=position.discards.add(event.tile),
        seats=with_seat(position.seats, event.seat, store=without(position.seats[event.seat].store, (event.tile,))),
    )


@flight.applies(PawnFled)
def pawn_fled(position: Position, event: PawnFled) -> Position:
    """Put the pawn on its new corner."""
    return replace(position, seats=with_seat(position.seats, event.seat, pawn=event.to))


@flight.applies(FlightDemanded)
def flight_demanded(position: Position, event: FlightDemanded) -> Position:
    """Wait for the victims."""
    pending = FLIGHT_FROM[event.kind](start=event.start, resume=event.resume, seats=event.seats, answers={})
    return replace(position, phase="flee", pending=pending)


@flight.applies(FlightChosen)
def flight_chosen(position: Position, event: FlightChosen) -> Position:
    """Keep the answer, hidden from other seats."""
    pending = position.pending
    assert isinstance(pending, Flight)
    answer = FlightAnswer(tile=whole(event.tile), to=whole(event.to))
    return replace(position, pending=replace(pending, answers={**pending.answers, str(event.seat): answer}))


@flight.applies(FlightResolved)
def flight_resolved(position: Position, event: FlightResolved) -> Position:
    """Go on where play was interrupted."""
    return replace(position, phase=event.phase, pending=None)
