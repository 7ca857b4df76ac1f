"""Stowing: every card of the hand goes onto the stall or into the trash (FF-53 to FF-61)."""

from collections.abc import Iterable
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from referee.kernel.changes import replace, without
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.cards import NATURAL, SLOTS, Cards, Slot, Species, species_in
from referee.rulesets.fangfrisch.position import Case, Position, Says, SeatState, purchase_of, slot_of, with_seat
from referee.rulesets.fangfrisch.purchase import next_step

stowing = Chapter()

Names = tuple[Annotated[str, Meta(description="A card of the hand, named by its kind.")], ...]


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards for each slot, from below: the last one listed becomes the top card."""

    crate_1: Names = ()
    crate_2: Names = ()
    basin: Names = ()


class StowCards(Move):
    """Put the whole hand away, after emptying slots into the trash if you wish."""

    place: Placement
    empty_slots: tuple[Slot, ...] = ()
    discard: Names = ()


class SlotEmptied(Event):
    """A whole slot was thrown into its owner's trash."""

    seat: Seat
    slot: Slot
    cards: Cards


class CardsStowed(Event):
    """Cards of the hand lie on a slot, the last one on top."""

    seat: Seat
    slot: Slot
    cards: Cards


class CardsTrashed(Event):
    """Cards of the hand were thrown into the trash."""

    seat: Seat
    cards: Cards


@stowing.decides(StowCards)
def stow_cards(case: Case, move: StowCards) -> Says:
    """FF-3, FF-59, FF-54 to FF-58; then emptying, placing, discarding."""
    position, buyer = case.position, case.seat
    stall, empty_slots = position.seats[buyer], move.empty_slots
    require("FF-3", len(set(empty_slots)) == len(empty_slots), "A slot is named twice.")
    require("FF-59", all(slot_of(stall, slot) for slot in empty_slots), "An empty slot cannot be emptied.")
    piles: dict[Slot, Names] = {
        "crate_1": move.place.crate_1,
        "crate_2": move.place.crate_2,
        "basin": move.place.basin,
    }
    named = [*move.place.crate_1, *move.place.crate_2, *move.place.basin, *move.discard]
    hand = purchase_of(position).hand
    require("FF-54", sorted(named) == sorted(hand), "Every card of the hand is put away exactly once, no other is.")
    jokers = [card for card in move.discard if card not in NATURAL]
    require("FF-55", not jokers, "A joker cannot be discarded from the hand.")
    require_room(stall, empty_slots, (*piles.items(), (None, move.discard)))
    for slot in SLOTS:
        if slot in empty_slots:
            position = yield SlotEmptied(seat=buyer, slot=slot, cards=slot_of(stall, slot))
    for slot, pile in piles.items():
        if pile:
            position = yield CardsStowed(seat=buyer, slot=slot, cards=cast(Cards, pile))  # FF-60
    if move.discard:
        position = yield CardsTrashed(seat=buyer, cards=cast(Cards, move.discard))  # FF-61
    yield from next_step(position)


def require_room(stall: SeatState, empty_slots: tuple[Slot, ...], piles: Iterable[tuple[Slot | None, Names]]) -> None:
    """Each species stays together, joins its like, and shares no slot with another; the discarded have no slot."""
    fates: dict[Species, Slot | None] = {}
    for slot, pile in piles:
        for card in pile:
            if card in NATURAL:
                fate = fates.setdefault(NATURAL[card], slot)
                require("FF-56", fate == slot, "All cards of a species in the hand share one fate.")
    lying: dict[Slot | None, Species] = {}
    for slot in SLOTS:
        species = None if slot in empty_slots else species_in(slot_of(stall, slot))
        if species is not None:
            lying[slot] = species
            require("FF-57", fates.get(species, slot) == slot, "A species that lies on the stall joins its slot.")
    for species, slot in fates.items():
        if slot is not None:
            require("FF-58", lying.setdefault(slot, species) == species, "No slot holds two species.")


@stowing.applies(SlotEmptied)
def slot_emptied(position: Position, event: SlotEmptied) -> Position:
    """The slot's cards are in the trash."""
    trash = position.seats[event.seat].trash + event.cards
    return replace(position, seats=with_seat(position, event.seat, **{event.slot: (), "trash": trash}))


@stowing.applies(CardsStowed)
def cards_stowed(position: Position, event: CardsStowed) -> Position:
    """The cards lie on top of the slot, in this order."""
    bought = purchase_of(position)
    cards = slot_of(position.seats[event.seat], event.slot) + event.cards
    return replace(
        position,
        seats=with_seat(position, event.seat, **{event.slot: cards}),
        purchase=replace(bought, hand=without(bought.hand, event.cards)),
    )


@stowing.applies(CardsTrashed)
def cards_trashed(position: Position, event: CardsTrashed) -> Position:
    """The cards are in the trash."""
    bought = purchase_of(position)
    trash = position.seats[event.seat].trash + event.cards
    return replace(
        position,
        seats=with_seat(position, event.seat, trash=trash),
        purchase=replace(bought, hand=without(bought.hand, event.cards)),
    )
