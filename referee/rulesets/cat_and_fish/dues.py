"""Union dues and loans: CF-71 to CF-76."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.cat_and_fish.edition import Edition
from referee.rulesets.cat_and_fish.names import FISH, WHALE, Tile, counted, words_of
from referee.rulesets.cat_and_fish.position import (
    Case,
    DuesAnswer,
    DuesCall,
    Means,
    Position,
    Says,
    SeatState,
    fish_held,
    turn_order,
)

dues = Chapter()


class PayDues(Move):
    """Pay your union dues with money or with a fish."""

    secret = True

    with_: Annotated[Means, Meta(description="What you pay with.")] = field(name="with")
    tile: Annotated[
        Tile | UnsetType, Meta(description="The fish that you pay with; left out if you pay with money.")
    ] = UNSET


class DuesCalled(Event):
    """The union asked for its dues; the seats named have a choice, and choose at the same time."""

    seats: tuple[Seat, ...]


class DuesChosen(Event):
    """A seat has chosen how to pay. The others see its choice when all have chosen."""

    seat: Seat
    with_: Annotated[Means | UnsetType, only("seat")] = field(name="with", default=UNSET)
    tile: Annotated[Tile | UnsetType | None, only("seat")] = UNSET


class DuesPaid(Event):
    """A seat paid its dues."""

    seat: Seat
    with_: Means = field(name="with")
    amount: int
    tile: Tile | None


class LoanGranted(Event):
    """A seat could not pay its dues and took a penalty token."""

    seat: Seat


class DuesClosed(Event):
    """All dues are settled."""

    phase: Literal["summoning", "year_end"]


def fish_for_dues(state: SeatState) -> tuple[Tile, ...]:
    """The fish that the union takes: no whale (CF-74)."""
    return tuple(tile for tile in fish_held(state) if tile != WHALE)


def dues_answers(state: SeatState, edition: Edition) -> tuple[DuesAnswer, ...]:
    """Every way in which a seat can pay (CF-72)."""
    money = (DuesAnswer(with_="money", tile=None),) if state.money >= edition.dues else ()
    return (*money, *(DuesAnswer(with_="fish", tile=tile) for tile in fish_for_dues(state)))


def call_dues(case: Case) -> Says:
    """Seats without a choice pay at once or get a loan; the others are asked (CF-8)."""
    position, edition = case.position, case.edition
    order = turn_order(position)
    answers = {seat: dues_answers(position.seats[seat], edition) for seat in order}
    asked = tuple(seat for seat in order if len(answers[seat]) > 1)
    position = yield DuesCalled(seats=asked)
    for seat in order:
        if not answers[seat]:
            position = yield LoanGranted(seat=seat)  # CF-75
        elif len(answers[seat]) == 1:
            position = yield dues_as_answered(seat, answers[seat][0], edition)
    if not asked:
        yield from close_dues(position, edition)


def dues_as_answered(seat: Seat, answer: DuesAnswer, edition: Edition) -> DuesPaid:
    """The payment that an answer leads to."""
    amount = edition.dues if answer.with_ == "money" else 0
    return DuesPaid(seat=seat, with_=answer.with_, amount=amount, tile=answer.tile)


def close_dues(position: Position, edition: Edition) -> Says:
    """End the dues; in some years the Summoner is awarded before the new year (CF-76)."""
    yield DuesClosed(phase="summoning" if position.year in edition.award_years else "year_end")


def require_fish(state: SeatState, tile: Tile) -> None:
    """Refuse a tile that the union does not take, or that the seat does not hold."""
    if tile not in fish_for_dues(state):
        require("CF-74", tile != WHALE, "The union takes no whale.")
        require("CF-74", tile in FISH, f"A {words_of(tile)} is not a fish; the union takes fish only.")
        raise Rejection("CF-74", f"You have no {words_of(tile)} in your store.")


@dues.decides(PayDues)
def pay_dues(case: Case, move: PayDues) -> Says:
    """Keep the answer; when the last one is given, carry out all of them (CF-9)."""
    own = case.position.seats[case.seat]
    tile = None if isinstance(move.tile, UnsetType) else move.tile
    if tile is not None:
        require_fish(own, tile)
    elif own.money < case.edition.dues:
        raise Rejection("CF-73", f"The dues are {counted(case.edition.dues, 'euro')}; you have {own.money}.")
    position = yield DuesChosen(seat=case.seat, with_=move.with_, tile=tile)
    pending = position.pending
    assert isinstance(pending, DuesCall)
    if len(pending.answers) == len(pending.seats):
        for seat in pending.seats:
            position = yield dues_as_answered(seat, pending.answers[str(seat)], case.edition)
        yield from close_dues(position, case.edition)


@dues.applies(DuesCalled)
def dues_called(position: Position, event: DuesCalled) -> Position:
    """Wait for the seats that have a choice, if there are any."""
    if not event.seats:
        return position
    return replace(position, phase="dues", pending=DuesCall(seats=event.seats, answers={}))


@dues.applies(DuesChosen)
def dues_chosen(position: Position, event: DuesChosen) -> Position:
    """Keep the answer, hidden from other seats."""
    pending = position.pending
    assert isinstance(pending, DuesCall)
    answer = DuesAnswer(with_=whole(event.with_), tile=whole(event.tile))
    return replace(position, pending=replace(pending, answers={**pending.answers, str(event.seat): answer}))


@dues.applies(DuesPaid)
def dues_paid(position: Position, event: DuesPaid) -> Position:
    """Pay the money to the bank, or discard the fish."""
    state = position.seats[event.seat]
    if event.tile is None:
        return replace(position, seats=with_seat(position.seats, event.seat, money=state.money - event.amount))
    return replace(
        position,
        discards=position.discards.add(event.tile),
        seats=with_seat(position.seats, event.seat, store=without(state.store, (event.tile,))),
    )


@dues.applies(LoanGranted)
def loan_granted(position: Position, event: LoanGranted) -> Position:
    """Give the seat a penalty token; the loan itself is spent at once."""
    penalties = position.seats[event.seat].penalties + 1
    return replace(position, seats=with_seat(position.seats, event.seat, penalties=penalties))


@dues.applies(DuesClosed)
def dues_closed(position: Position, event: DuesClosed) -> Position:
    """Go on with the end of the winter."""
    return replace(position, phase=event.phase, pending=None)
