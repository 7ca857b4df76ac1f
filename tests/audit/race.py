"""A small race game with every kind of luck and of trigger, for records in tests."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, UnsetType

from referee.kernel.attempt import Attempt
from referee.kernel.audience import NOBODY, OWN_ENTRY
from referee.kernel.chance import Chance
from referee.kernel.changes import put, replace, without
from referee.kernel.chapter import Chapter
from referee.kernel.clauses import read_rulebook
from referee.kernel.message import Event, Move, Trigger, tag
from referee.kernel.ranking import Place
from referee.kernel.rejection import ensure, require
from referee.kernel.ruleset import Case, Contract, Decision, Due, Ruleset
from referee.kernel.seat import REFEREE, Seat

REST_S = 10
EARLIEST_S = 3
CARDS = tuple(range(1, 13))

chapter = Chapter()


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: Annotated[int, Meta(ge=5, le=100)] = 25


class Runner(msgspec.Struct, frozen=True):
    steps: int = 0
    hand: tuple[int, ...] = ()


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: Options
    phase: Literal["setup", "run", "lap", "rest", "finished"]
    seats: tuple[Runner, ...]
    ruleset: Literal["race"] = "race"
    active: int = 0
    moved: int = 0


class SetUp(Trigger):
    """Draw who begins, shuffle and deal."""


class Roll(Move):
    """Go as far as two dice say."""

    shout: str = ""


class PlayCard(Move):
    """Move the number of steps on a card."""

    card: int


class CloseLap(Trigger):
    """Everybody has moved: wind blows, and a rest begins."""


class StartLap(Trigger):
    """The rest is over."""


class Hurry(Move):
    """End the rest before its time."""


class Seated(Event):
    """This seat begins."""

    first: Seat


class Dealt(Event):
    """The cards are dealt."""

    hands: Annotated[tuple[tuple[int, ...] | None, ...], OWN_ENTRY]
    left_out: Annotated[tuple[int, ...] | UnsetType, NOBODY]


class Rolled(Event):
    """Two dice fell."""

    dice: tuple[int, ...]


class CardPlayed(Event):
    """A card was played."""

    seat: Seat
    card: int


class Went(Event):
    """A runner went on."""

    seat: Seat
    steps: int


class LapClosed(Event):
    """Everybody has moved."""


class Blown(Event):
    """The wind blew a runner on."""

    seat: Seat
    steps: int


class LapStarted(Event):
    """The next lap begins."""


class GameFinished(Event):
    """The race is over."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


Says = Generator[Event, Position, None]
TheCase = Case[Position, Any]


def blank(options: Options, seats: int, edition: Any) -> Position:
    require("RA-1", 2 <= seats <= 4, "Two to four run.")
    require("RA-2", options.goal % 5 == 0, "The goal is a multiple of five.")
    return Position(options=options, phase="setup", seats=(Runner(),) * seats)


def before(case: TheCase, attempt: Attempt) -> None:
    position = case.position
    require("RA-3", position.phase != "finished", "The race is over.")
    kind = type(attempt.readable("RA-4"))
    allowed = {"setup": (SetUp,), "run": (Roll, PlayCard), "lap": (CloseLap,), "rest": (StartLap, Hurry)}
    require("RA-5", kind in allowed[position.phase], "Not now.")
    if issubclass(kind, Trigger):
        require("RA-6", case.actor == REFEREE, "Only the referee does this.")
    else:
        require("RA-6", any(each.seat == case.actor for each in awaited(position, case.edition)), "Not your turn.")


def awaited(position: Position, edition: Any) -> tuple[Decision, ...]:
    if position.phase == "run":
        return (Decision(Seat(position.active), (tag(Roll), tag(PlayCard))),)
    if position.phase == "rest":
        return (
            Decision(
                Seat(position.active), (tag(Hurry),), obliged=False, not_before_s=EARLIEST_S, not_before_clause="RA-8"
            ),
        )
    return ()


def due(position: Position, edition: Any) -> Due | None:
    return {"setup": Due(SetUp()), "lap": Due(CloseLap()), "rest": Due(StartLap(), REST_S * 1000)}.get(position.phase)


def candidates(position: Position, seat: Seat, edition: Any) -> Iterator[Move]:
    yield from (Roll(), Hurry(), *(PlayCard(card=card) for card in position.seats[seat].hand))


@chapter.decides(SetUp)
def set_up(case: TheCase, move: SetUp) -> Says:
    count = len(case.position.seats)
    first = Seat(case.chance.number("draw_first", 0, count - 1))
    cards = case.chance.shuffle("shuffle_cards", CARDS)
    yield Seated(first=first)
    yield Dealt(hands=tuple(cards[2 * seat : 2 * seat + 2] for seat in range(count)), left_out=cards[2 * count :])


@chapter.decides(Roll)
def roll(case: TheCase, move: Roll) -> Says:
    dice = case.chance.dice("roll_dice", 2)
    yield Rolled(dice=dice)
    yield Went(seat=case.seat, steps=sum(dice))


@chapter.decides(PlayCard)
def play_card(case: TheCase, move: PlayCard) -> Says:
    require("RA-7", move.card in case.position.seats[case.seat].hand, "You do not hold this card.")
    yield CardPlayed(seat=case.seat, card=move.card)
    yield Went(seat=case.seat, steps=move.card)


@chapter.decides(CloseLap)
def close_lap(case: TheCase, move: CloseLap) -> Says:
    position = yield LapClosed()
    for seat in range(len(position.seats)):
        (steps,) = case.chance.pick("blow", range(case.edition["wind"]), 1)
        if steps:
            position = yield Blown(seat=Seat(seat), steps=steps)
    scores = tuple(runner.steps for runner in position.seats)
    if max(scores) >= position.options.goal:
        yield GameFinished(scores=scores, ranks=tuple(1 + sum(other > score for other in scores) for score in scores))


@chapter.decides(StartLap)
@chapter.decides(Hurry)
def start_lap(case: TheCase, move: Move) -> Says:
    yield LapStarted()


@chapter.applies(Seated)
def seated(position: Position, event: Seated) -> Position:
    return replace(position, active=event.first)


@chapter.applies(Dealt)
def dealt(position: Position, event: Dealt) -> Position:
    return replace(position, phase="run", seats=tuple(Runner(hand=hand or ()) for hand in event.hands))


@chapter.applies(Rolled)
def rolled(position: Position, event: Rolled) -> Position:
    return position


@chapter.applies(CardPlayed)
def card_played(position: Position, event: CardPlayed) -> Position:
    runner = position.seats[event.seat]
    hand = without(runner.hand, (event.card,))
    return replace(position, seats=put(position.seats, event.seat, replace(runner, hand=hand)))


@chapter.applies(Went)
def went(position: Position, event: Went) -> Position:
    moved = position.moved + 1
    return replace(
        _carried(position, event.seat, event.steps),
        phase="lap" if moved == len(position.seats) else "run",
        active=(event.seat + 1) % len(position.seats),
        moved=moved % len(position.seats),
    )


@chapter.applies(LapClosed)
def lap_closed(position: Position, event: LapClosed) -> Position:
    return replace(position, phase="rest")


@chapter.applies(Blown)
def blown(position: Position, event: Blown) -> Position:
    return _carried(position, event.seat, event.steps)


@chapter.applies(LapStarted)
def lap_started(position: Position, event: LapStarted) -> Position:
    return replace(position, phase="run")


@chapter.applies(GameFinished)
def game_finished(position: Position, event: GameFinished) -> Position:
    return replace(position, phase="finished")


def _carried(position: Position, seat: Seat, steps: int) -> Position:
    runner = position.seats[seat]
    return replace(position, seats=put(position.seats, seat, replace(runner, steps=runner.steps + steps)))


def check(position: Position, edition: Any) -> None:
    ensure(0 <= position.active < len(position.seats), "The active seat is a seat.")
    ensure(position.moved < len(position.seats), "Not everybody has moved.")


def ranking(position: Position, edition: Any) -> tuple[Place, ...]:
    scores = [runner.steps for runner in position.seats]
    places = [
        Place(Seat(seat), 1 + sum(other > score for other in scores), score, "RA-9")
        for seat, score in enumerate(scores)
    ]
    return tuple(sorted(places, key=lambda place: place.rank))


def view(position: Position, seat: Seat | None, edition: Any) -> Position:
    seats = tuple(
        runner if number == seat else replace(runner, hand=()) for number, runner in enumerate(position.seats)
    )
    return replace(position, seats=seats)


def alike(position: Position, seat: Seat | None, chance: Chance, edition: Any) -> Position:
    return position


RACE = Ruleset(
    slug="race",
    title="Race",
    version="1",
    directory=Path(__file__).parent,
    rulebook=read_rulebook(""),
    edition={"wind": 4},
    options_type=Options,
    position_type=Position,
    view_type=Position,
    chapters=(chapter,),
    contract=Contract(
        seats=lambda edition: range(2, 5),
        commits_max=lambda edition: 300,
        variants=lambda edition: (Options(),),
        blank=blank,
        before=before,
        awaited=awaited,
        default=lambda position, seat, edition: Roll(),
        due=due,
        candidates=candidates,
        check=check,
        view=view,
        alike=alike,
        ranking=ranking,
    ),
)
