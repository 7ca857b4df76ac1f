"""Thieves: stealing top cards from other stalls (FF-49 to FF-52)."""

from typing import Annotated

import msgspec
from msgspec import Meta

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import Card, Slot
from referee.rulesets.fangfrisch.position import Case, Position, Says, purchase_of, slot_of, with_seat
from referee.rulesets.fangfrisch.purchase import ThievesSpent, next_step

thieving = Chapter()


class Theft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose top card is stolen, and from which slot."""

    seat: Annotated[Seat, Meta(ge=0)]
    slot: Slot


class StealCards(Move):
    """Steal up to one top card per thief, in the order listed."""

    thefts: tuple[Theft, ...] = msgspec.field(name="from")


class CardStolen(Event):
    """The top card of a slot is now in the buyer's hand."""

    buyer: Seat
    victim: Seat
    slot: Slot
    card: Card


@thieving.decides(StealCards)
def steal_cards(case: Case, move: StealCards) -> Says:
    """FF-3, FF-49, FF-50, FF-51; then one card after the other."""
    position, buyer = case.position, case.seat
    thieves, used = purchase_of(position).thieves, len(move.thefts)
    require("FF-3", all(theft.seat < len(position.seats) for theft in move.thefts), "There is no such seat.")
    require("FF-49", used <= thieves, "Each thief steals one card.")
    require("FF-50", all(theft.seat != buyer for theft in move.thefts), "Nobody steals from itself.")
    for count, theft in enumerate(move.thefts):
        stolen = move.thefts[:count].count(theft)
        left = len(slot_of(position.seats[theft.seat], theft.slot)) - stolen
        require("FF-51", left > 0, "That slot is empty by then.")
    for theft in move.thefts:
        card = slot_of(position.seats[theft.seat], theft.slot)[-1]
        position = yield CardStolen(buyer=buyer, victim=theft.seat, slot=theft.slot, card=card)
    position = yield ThievesSpent(seat=buyer, used=used, wasted=thieves - used)
    yield from next_step(position)


@thieving.applies(CardStolen)
def card_stolen(position: Position, event: CardStolen) -> Position:
    """The card leaves the victim's slot for the end of the hand."""
    bought = purchase_of(position)
    left = slot_of(position.seats[event.victim], event.slot)[:-1]
    return replace(
        position,
        seats=with_seat(position, event.victim, **{event.slot: left}),
        purchase=replace(bought, hand=(*bought.hand, event.card)),
    )
