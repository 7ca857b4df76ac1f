"""The bell: which seat buys, in turn pace and in live pace (FF-37 to FF-44)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from referee.kernel.audience import only, whole
from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move, Trigger
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.auction import CardAnnounced, turn_card
from referee.rulesets.fangfrisch.names import counted
from referee.rulesets.fangfrisch.position import (
    Answer,
    Case,
    Position,
    Says,
    bidders,
    is_live,
    may_seller_bid,
    ringing,
)
from referee.rulesets.fangfrisch.purchase import sell_lot

bell = Chapter()

Seen = Annotated[
    int | UnsetType,
    Meta(
        description="The number of the offer that you saw, `offer_number` in your view; a move for another "
        "offer is refused. In live pace you must name it."
    ),
]


class Ring(Move):
    """Ring to buy the offer. If several seats ring for it, luck draws the buyer among them."""

    secret: ClassVar[bool] = True
    seen: Seen = UNSET


class Pass(Move):
    """Let this card go by without buying the offer."""

    secret: ClassVar[bool] = True
    seen: Seen = UNSET


class RevealCard(Move):
    """Announce the next card of your auction in live pace; the referee shows it in a moment."""

    seen: Seen = UNSET


class ShowOffer(Trigger):
    """Turn the next card in live pace, where everybody sees it at the same moment."""


class CloseBell(Trigger):
    """End the time in which rings compete in live pace, and sell the lot."""


class AnswerGiven(Event):
    """A seat answered the newest card."""

    seat: Seat
    answer: Annotated[Answer | UnsetType, only("seat")]


class AnswersShown(Event):
    """The answers to an offer are complete. `answers` is by seat, null for a seat that gave none."""

    answers: tuple[Answer | None, ...]


@bell.decides(Ring)
def ring(case: Case, move: Ring) -> Says:
    """Check FF-30, FF-31, FF-38 and FF-43; then note the answer, or sell the lot."""
    require_part(case)
    require_fresh(case.position, move.seen)
    if not is_live(case.position):
        yield from give_answer(case, "ring")
    elif case.position.options.bell_window_ms == 0:
        yield from sell_lot(case.position, case.edition, case.seat)  # FF-41
    else:
        yield AnswerGiven(seat=case.seat, answer="ring")


@bell.decides(Pass)
def pass_(case: Case, move: Pass) -> Says:
    """Check FF-41, FF-30, FF-31, FF-38 and FF-43; then note the answer."""
    require("FF-41", not is_live(case.position), "In live pace nobody passes: to let a card go by, do not ring.")
    require_part(case)
    require_fresh(case.position, move.seen)
    yield from give_answer(case, "pass")


@bell.decides(RevealCard)
def reveal_card(case: Case, move: RevealCard) -> Says:
    """Check FF-43 and FF-42; then announce the next card."""
    require_fresh(case.position, move.seen)
    require(
        "FF-42", not case.position.is_announced, "You have announced the next card; the referee is about to show it."
    )
    require_silence(case.position)
    yield CardAnnounced(seller=case.seat)


@bell.decides(ShowOffer)
def show_offer(case: Case, move: ShowOffer) -> Says:
    """Check FF-42; then turn the next card."""
    require_silence(case.position)
    yield from turn_card(case.position)


@bell.decides(CloseBell)
def close_bell(case: Case, move: CloseBell) -> Says:
    """Check FF-41; then sell the lot to one of the seats that rang."""
    require("FF-41", bool(ringing(case.position)), "No seat has rung, so there is nothing to close.")
    yield from show_answers(case, case.position)


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
    require("FF-38", answer is None, f"You answered `{answer}` to offer {position.offer_number}; an answer is final.")


def require_silence(position: Position) -> None:
    """Refuse a further card once a seat has rung for the offer."""
    rung = [f"seat {seat}" for seat in ringing(position)]
    require(
        "FF-42", not rung, f"{', '.join(rung).capitalize()} rang for offer {position.offer_number}: it is sold first."
    )


def require_fresh(position: Position, seen: int | UnsetType) -> None:
    """Refuse a move that was chosen for another offer, or in live pace for none."""
    number = position.offer_number
    if isinstance(seen, int):
        if seen != number:
            raise Rejection("FF-43", what_became(position, seen))
    elif is_live(position):
        raise Rejection("FF-43", f"In live pace `seen` must name the offer that you saw; it is number {number} now.")
    require("FF-43", bool(position.offer), "The first card of this auction is not shown yet, so there is no offer.")


def what_became(position: Position, seen: int) -> str:
    """What became of an earlier offer, by its number."""
    number, last = position.offer_number, position.last_lot
    if seen > number:
        return f"You name offer {seen}, but the newest offer is number {number}."
    if last is not None and seen <= last.offer_number:
        return f"Offer {seen} is gone: {fate_of_last_lot(position)}."
    if not position.offer:
        return f"Offer {seen} is gone; the first card of this auction is not shown yet."
    cards = counted(len(position.offer), "card")
    return f"Offer {seen} has become offer {number}: it has {cards} now, the newest is {position.offer[-1]}."


def fate_of_last_lot(position: Position) -> str:
    """Which seat bought the last lot, and how large it was."""
    last = position.last_lot
    assert last is not None, "there was a lot"
    lot = f"the lot of {counted(last.cards, 'card')}, offer {last.offer_number}"
    return f"the market closed, and nobody got {lot}" if last.buyer is None else f"seat {last.buyer} bought {lot}"


def give_answer(case: Case, answer: Answer) -> Says:
    """Note the answer; the last answer sells the lot or turns the next card."""
    position = yield AnswerGiven(seat=case.seat, answer=answer)
    if all(position.seats[seat].answer is not None for seat in bidders(position, case.edition)):
        yield from show_answers(case, position)


def show_answers(case: Case, position: Position) -> Says:
    """Show the answers; then sell the lot to one of the seats that rang, or turn the next card (FF-39, FF-40)."""
    rang = ringing(position)
    position = yield AnswersShown(answers=tuple([seat.answer for seat in position.seats]))
    if rang:
        yield from sell_lot(position, case.edition, drawn_buyer(case, rang))
    else:
        yield from turn_card(position)


def drawn_buyer(case: Case, rang: Sequence[Seat]) -> Seat:
    """The seat that buys: luck draws one of those that rang (FF-39)."""
    if len(rang) == 1:
        return rang[0]
    (buyer,) = case.chance.pick("draw_buyer", rang, 1)
    return buyer


@bell.applies(AnswerGiven)
def answer_given(position: Position, event: AnswerGiven) -> Position:
    """The seat has its answer."""
    return replace(position, seats=with_seat(position.seats, event.seat, answer=whole(event.answer)))


@bell.applies(AnswersShown)
def answers_shown(position: Position, event: AnswersShown) -> Position:
    """Clear the answers of all seats."""
    return replace(position, seats=tuple([replace(seat, answer=None) for seat in position.seats]))
