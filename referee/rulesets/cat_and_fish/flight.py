"""Who is struck by a catastrophe, pays, loses a fish and flees: CF-59 to CF-64."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
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
    changed_seat,
    clockwise,
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
    """Choose the nearest safe corner to flee to, and the fish you lose."""

    secret = True

    to: Annotated[Corner, Meta(description="One of the nearest safe corners.")]
    tile: Annotated[
        Tile | UnsetType, Meta(description="The fish lost to the typhoon or the monster, if you have one.")
    ] = UNSET


class PenaltyPaid(Event):
    """A victim paid the bank, or all that it had."""

    seat: Seat
    cause: Literal["oil", "monster"]
    amount: int


class FishLost(Event):
    """A victim lost a fish."""

    seat: Seat
    cause: Literal["typhoon", "monster"]
    tile: Tile


class PawnFled(Event):
    """A victim's pawn is in safety."""

    seat: Seat
    from_: Corner = field(name="from")
    to: Corner


class FlightDemanded(Event):
    """Victims have a choice, and choose all at the same time."""

    kind: Catastrophe
    hex: Hex
    start: Seat
    resume: Resume
    seats: tuple[Seat, ...]


class FlightChosen(Event):
    """A victim has chosen; what, is seen when all have."""

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
    """The fish of which a victim must give one (CF-61): none to the oil."""
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
    """Payments of all victims, then the answers that leave no choice, then the others are asked (CF-64)."""
    edition = case.edition
    victims = [seat for seat in clockwise(position, case.seat) if is_struck(position, seat, hex)]
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
    """A victim loses its fish and is in safety."""
    if answer.tile is not None and kind != "oil":
        position = yield FishLost(seat=seat, cause=kind, tile=answer.tile)
    return (yield PawnFled(seat=seat, from_=position.seats[seat].pawn, to=answer.to))


@flight.decides(Flee)
def flee(case: Case, move: Flee) -> Says:
    """The answer is kept; the last one resolves all (CF-9)."""
    position, pending = case.position, case.position.pending
    assert isinstance(pending, Flight)
    at_risk = fish_at_risk(pending.kind, position.seats[case.seat])
    if at_risk:
        require("CF-62", move.tile in at_risk, "Name a fish that you hold.")
    else:
        require("CF-62", isinstance(move.tile, UnsetType), "You lose no fish.")
    require("CF-63", move.to in refuges(position, case.seat), "This is not one of the nearest safe corners.")
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
    """The money is the bank's."""
    money = position.seats[event.seat].money - event.amount
    return replace(position, seats=changed_seat(position, event.seat, money=money))


@flight.applies(FishLost)
def fish_lost(position: Position, event: FishLost) -> Position:
    """The fish is discarded."""
    return replace(
        position,
        discards=position.discards.add(event.tile),
        seats=changed_seat(position, event.seat, store=without(position.seats[event.seat].store, (event.tile,))),
    )


@flight.applies(PawnFled)
def pawn_fled(position: Position, event: PawnFled) -> Position:
    """The pawn stands on its new corner."""
    return replace(position, seats=changed_seat(position, event.seat, pawn=event.to))


@flight.applies(FlightDemanded)
def flight_demanded(position: Position, event: FlightDemanded) -> Position:
    """Everything waits for the victims."""
    pending = FLIGHT_FROM[event.kind](start=event.start, resume=event.resume, seats=event.seats, answers={})
    return replace(position, phase="flee", pending=pending)


@flight.applies(FlightChosen)
def flight_chosen(position: Position, event: FlightChosen) -> Position:
    """The answer is kept, and hidden."""
    pending = position.pending
    assert isinstance(pending, Flight)
    answer = FlightAnswer(tile=whole(event.tile), to=whole(event.to))
    return replace(position, pending=replace(pending, answers={**pending.answers, str(event.seat): answer}))


@flight.applies(FlightResolved)
def flight_resolved(position: Position, event: FlightResolved) -> Position:
    """Play goes on where it was."""
    return replace(position, phase=event.phase, pending=None)
