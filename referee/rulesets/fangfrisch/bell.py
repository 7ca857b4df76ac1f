"""The bell: which seat buys, in turn pace and in live pace (FF-37 to FF-44)."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat, clockwise
from referee.rulesets.fangfrisch.auction import turn_card
from referee.rulesets.fangfrisch.names import counted
from referee.rulesets.fangfrisch.position import (
    Answer,
    Case,
    Position,
    Says,
    bidders,
    is_live,
    may_seller_bid,
    seller_of,
)
from referee.rulesets.fangfrisch.purchase import sell_lot

bell = Chapter()

Seen = Annotated[
    int | UnsetType,
    Meta(description="The number of cards in the offer that you saw; if it has changed, the move is refused."),
]


class Ring(Move):
    """Ring to buy the offer. In live pace you buy it at once, in turn pace if no seat nearer to the seller rings."""

    secret: ClassVar[bool] = True
    seen: Seen = UNSET


class Pass(Move):
    """Let this card go by without buying the offer."""

    secret: ClassVar[bool] = True
    seen: Seen = UNSET


class RevealCard(Move):
    """Turn the next card in live pace: the seller does so by hand, the referee by the clock."""

    seen: Seen = UNSET


class AnswerGiven(Event):
    """A seat answered the newest card."""

    seat: Seat
    answer: Annotated[Answer | UnsetType, only("seat")]


class AnswersShown(Event):
    """All seats have answered. `answers` is by seat, null for a seat that took no part."""

    answers: tuple[Answer | None, ...]


@bell.decides(Ring)
def ring(case: Case, move: Ring) -> Says:
    """Check FF-30, FF-31, FF-38 and FF-43; then note the answer, or sell the lot."""
    require_part(case)
    require_fresh(case, move.seen)
    if is_live(case.position):
        yield from sell_lot(case.position, case.edition, case.seat)  # FF-41
    else:
        yield from give_answer(case, "ring")


@bell.decides(Pass)
def pass_(case: Case, move: Pass) -> Says:
    """Check FF-41, FF-30, FF-31, FF-38 and FF-43; then note the answer."""
    require("FF-41", not is_live(case.position), "In live pace nobody passes: to let a card go by, do not ring.")
    require_part(case)
    require_fresh(case, move.seen)
    yield from give_answer(case, "pass")


@bell.decides(RevealCard)
def reveal_card(case: Case, move: RevealCard) -> Says:
    """Check FF-43; then turn the next card (FF-42)."""
    require_fresh(case, move.seen)
    yield from turn_card(case.position)


def require_part(case: Case) -> None:
    """Refuse the answer of a seat that takes no part, and a second answer to the same card."""
    position, seat = case.position, case.seat
    require(
        "FF-30",
        seat != position.seller or may_seller_bid(position, case.edition),
        f"You are the seller; with {len(position.seats)} seats the seller takes no part in its own auction.",
    )
    price, money, answer = case.edition.lot_price, position.seats[seat].money, position.seats[seat].answer
    require("FF-31", money >= price, f"The lot costs {price} euros; you have {money}.")
    require("FF-38", answer is None, f"You answered `{answer}` to the newest card already; an answer is final.")


def require_fresh(case: Case, seen: int | UnsetType) -> None:
    """Refuse a move that was chosen for another offer."""
    count = len(case.position.offer)
    if isinstance(seen, int) and seen != count:
        raise Rejection("FF-43", f"Your move names an offer of {counted(seen, 'card')}; the offer has {count} now.")


def give_answer(case: Case, answer: Answer) -> Says:
    """Note the answer; the last answer sells the lot or turns the next card."""
    position = yield AnswerGiven(seat=case.seat, answer=answer)
    if any(position.seats[seat].answer is None for seat in bidders(position, case.edition)):
        return
    answers = tuple([seat.answer for seat in position.seats])
    position = yield AnswersShown(answers=answers)
    seller = seller_of(position)
    for seat in clockwise(seller + 1, len(position.seats)):  # FF-39
        if answers[seat] == "ring":
            yield from sell_lot(position, case.edition, seat)
            return
    yield from turn_card(position)  # FF-40


@bell.applies(AnswerGiven)
def answer_given(position: Position, event: AnswerGiven) -> Position:
    """The seat has its answer."""
    return replace(position, seats=with_seat(position.seats, event.seat, answer=whole(event.answer)))


@bell.applies(AnswersShown)
def answers_shown(position: Position, event: AnswersShown) -> Position:
    """No seat has an answer any more."""
    return replace(position, seats=tuple([replace(seat, answer=None) for seat in position.seats]))
