"""Thieves: the buyer steals top cards from other stalls (FF-49 to FF-52)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.names import Card, Slot, counted
from referee.rulesets.fangfrisch.position import Case, Position, Says, purchase_of, slot_of
from referee.rulesets.fangfrisch.purchase import ThievesSpent, next_step

thieving = Chapter()


class Theft(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The seat and the slot whose top card you steal."""

    seat: Annotated[Seat, Meta(ge=0)]
    slot: Slot


class StealCards(Move):
    """Steal up to one top card per thief, in the order listed."""

    thefts: tuple[Theft, ...] = msgspec.field(name="from")


class CardStolen(Event):
    """The buyer stole the top card of a slot; it is in its hand."""

    buyer: Seat
    victim: Seat
    slot: Slot
    card: Card


@thieving.decides(StealCards)
def steal_cards(case: Case, move: StealCards) -> Says:
    """Check FF-3, FF-49, FF-50 and FF-51; then steal one card after the other."""
    position, buyer = case.position, case.seat
    thieves, used = purchase_of(position).thieves, len(move.thefts)
    for theft in move.thefts:
        if theft.seat >= len(position.seats):
            raise Rejection("FF-3", f"There is no seat {theft.seat}: the seats are 0 to {len(position.seats) - 1}.")
    if used > thieves:
        raise Rejection("FF-49", f"{counted(thieves, 'thief', 'thieves')} cannot steal {used} cards: each steals one.")
    require("FF-50", all(theft.seat != buyer for theft in move.thefts), "You cannot steal from your own stall.")
    for theft in move.thefts:
        held = len(slot_of(position.seats[theft.seat], theft.slot))
        if held < move.thefts.count(theft):
            raise Rejection("FF-51", too_few_cards(theft, held, move.thefts.count(theft)))
    for theft in move.thefts:
        card = slot_of(position.seats[theft.seat], theft.slot)[-1]
        position = yield CardStolen(buyer=buyer, victim=theft.seat, slot=theft.slot, card=card)
    position = yield ThievesSpent(seat=buyer, used=used, wasted=thieves - used)
    yield from next_step(position)


def too_few_cards(theft: Theft, held: int, named: int) -> str:
    """Why no further card can be stolen from this slot."""
    if not held:
        return f"The `{theft.slot}` of seat {theft.seat} is empty, so there is nothing to steal."
    return f"The `{theft.slot}` of seat {theft.seat} holds {counted(held, 'card')}; you name it {named} times."


@thieving.applies(CardStolen)
def card_stolen(position: Position, event: CardStolen) -> Position:
    """Move the card from the victim's slot to the end of the hand."""
    bought = purchase_of(position)
    left = slot_of(position.seats[event.victim], event.slot)[:-1]
    return replace(
        position,
        seats=with_seat(position.seats, event.victim, **{event.slot: left}),
        purchase=replace(bought, hand=(*bought.hand, event.card)),
    )
