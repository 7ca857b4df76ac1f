"""The bell: who buys, in turn pace and in live pace (FF-37 to FF-44)."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.auction import turn_card
from referee.rulesets.fangfrisch.position import (
    Answer,
    Case,
    Position,
    Says,
    bidders,
    clockwise,
    is_live,
    may_seller_bid,
    seller_of,
    with_seat,
)
from referee.rulesets.fangfrisch.purchase import sell_lot

bell = Chapter()

Seen = Annotated[
    int | UnsetType, Meta(description="How many cards the offer had when the move was chosen; else it is stale.")
]


class Ring(Move):
    """Buy the offer: at once in live pace, if no seat nearer to the seller rings in turn pace."""

    secret: ClassVar[bool] = True
    seen: Seen = UNSET


class Pass(Move):
    """Let this card go by."""

    secret: ClassVar[bool] = True
    seen: Seen = UNSET


class RevealCard(Move):
    """Turn the next card, in live pace: the seller by hand, or the referee by the clock."""

    seen: Seen = UNSET


class AnswerGiven(Event):
    """A seat has answered the newest card."""

    seat: Seat
    answer: Annotated[Answer | UnsetType, only("seat")]


class AnswersShown(Event):
    """All have answered: the answers by seat, null for those that took no part."""

    answers: tuple[Answer | None, ...]


@bell.decides(Ring)
def ring(case: Case, move: Ring) -> Says:
    """FF-30, FF-31, FF-38, FF-43; then the answer is noted, or the lot is bought."""
    require_part(case)
    require_fresh(case, move.seen)
    if is_live(case.position):
        yield from sell_lot(case.position, case.edition, case.seat)  # FF-41
    else:
        yield from give_answer(case, "ring")


@bell.decides(Pass)
def pass_(case: Case, move: Pass) -> Says:
    """FF-41, FF-30, FF-31, FF-38, FF-43; then the answer is noted."""
    require("FF-41", not is_live(case.position), "In live pace nobody passes: just do not ring.")
    require_part(case)
    require_fresh(case, move.seen)
    yield from give_answer(case, "pass")


@bell.decides(RevealCard)
def reveal_card(case: Case, move: RevealCard) -> Says:
    """FF-43; then the next card is turned (FF-42)."""
    require_fresh(case, move.seen)
    yield from turn_card(case.position)


def require_part(case: Case) -> None:
    """Only a seat that takes part answers, and once per card."""
    position, seat = case.position, case.seat
    require(
        "FF-30",
        seat != position.seller or may_seller_bid(position, case.edition),
        "With so many seats the seller takes no part in its own auction.",
    )
    money, answer = position.seats[seat].money, position.seats[seat].answer
    require("FF-31", money >= case.edition.lot_price, "This seat cannot pay for the lot.")
    require("FF-38", answer is None, "This seat has answered this card; the answer is final.")


def require_fresh(case: Case, seen: int | UnsetType) -> None:
    """A move that names another number of cards than lie there was chosen for another offer."""
    require("FF-43", seen is UNSET or seen == len(case.position.offer), "The offer has changed since.")


def give_answer(case: Case, answer: Answer) -> Says:
    """The answer is noted; the last one decides the card."""
    position = yield AnswerGiven(seat=case.seat, answer=answer)
    if any(position.seats[seat].answer is None for seat in bidders(position, case.edition)):
        return
    answers = tuple([seat.answer for seat in position.seats])
    position = yield AnswersShown(answers=answers)
    seller = seller_of(position)
    for seat in (*clockwise(position, seller), seller):  # FF-39
        if answers[seat] == "ring":
            yield from sell_lot(position, case.edition, seat)
            return
    yield from turn_card(position)  # FF-40


@bell.applies(AnswerGiven)
def answer_given(position: Position, event: AnswerGiven) -> Position:
    """The seat's answer waits for the others."""
    return replace(position, seats=with_seat(position, event.seat, answer=whole(event.answer)))


@bell.applies(AnswersShown)
def answers_shown(position: Position, event: AnswersShown) -> Position:
    """The answers are off the table."""
    return replace(position, seats=tuple([replace(seat, answer=None) for seat in position.seats]))
