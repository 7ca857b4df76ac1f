"""Stowing: every card of the hand goes onto the stall or into the trash (FF-53 to FF-61)."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from referee.kernel.changes import replace, with_seat, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection, require
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.names import NATURAL, SLOTS, Cards, Slot, Species, species_in
from referee.rulesets.fangfrisch.position import Case, Position, Says, SeatState, purchase_of, require_once, slot_of
from referee.rulesets.fangfrisch.purchase import next_step

stowing = Chapter()

Names = tuple[Annotated[str, Meta(description="A card of the hand, named by its kind.")], ...]


class Placement(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The cards to place in each slot, from below: the last one listed becomes the top card."""

    crate_1: Names = ()
    crate_2: Names = ()
    basin: Names = ()


class StowCards(Move):
    """Place or discard every card of your hand; before that you may empty slots into your trash."""

    place: Placement
    empty_slots: tuple[Slot, ...] = ()
    discard: Names = ()


class SlotEmptied(Event):
    """A seat threw the cards of a whole slot into its trash."""

    seat: Seat
    slot: Slot
    cards: Cards


class CardsStowed(Event):
    """A seat placed cards of its hand in a slot, the last one on top."""

    seat: Seat
    slot: Slot
    cards: Cards


class CardsTrashed(Event):
    """A seat threw cards of its hand into its trash."""

    seat: Seat
    cards: Cards


@stowing.decides(StowCards)
def stow_cards(case: Case, move: StowCards) -> Says:
    """Check FF-3, FF-59 and FF-54 to FF-58; then empty slots, place cards and discard cards."""
    position, buyer = case.position, case.seat
    stall, empty_slots = position.seats[buyer], move.empty_slots
    require_once("empty_slots", empty_slots)
    for slot in empty_slots:
        require("FF-59", bool(slot_of(stall, slot)), f"Your `{slot}` is empty already.")
    piles: dict[Slot, Names] = {
        "crate_1": move.place.crate_1,
        "crate_2": move.place.crate_2,
        "basin": move.place.basin,
    }
    named = [*move.place.crate_1, *move.place.crate_2, *move.place.basin, *move.discard]
    hand = purchase_of(position).hand
    if sorted(named) != sorted(hand):
        raise Rejection("FF-54", not_the_hand(hand, named))
    for card in move.discard:
        require("FF-55", card in NATURAL, f"You cannot discard `{card}`: a joker must go into a slot.")
    require_room(stall, empty_slots, (*piles.items(), (None, move.discard)))
    for slot in SLOTS:
        if slot in empty_slots:
            position = yield SlotEmptied(seat=buyer, slot=slot, cards=slot_of(stall, slot))
    for slot, pile in piles.items():
        if pile:
            position = yield CardsStowed(seat=buyer, slot=slot, cards=cast(Cards, pile))  # FF-60
    if move.discard:
        position = yield CardsTrashed(seat=buyer, cards=cast(Cards, move.discard))  # FF-61
    yield from next_step(position, has_stowed=True)


def require_room(stall: SeatState, empty_slots: tuple[Slot, ...], piles: Iterable[tuple[Slot | None, Names]]) -> None:
    """Refuse piles that split a species, ignore the slot that has it, or mix two in one slot; discards have no slot."""
    fates: dict[Species, Slot | None] = {}
    for slot, pile in piles:
        for card in pile:
            if card in NATURAL and fates.setdefault(NATURAL[card], slot) != slot:
                raise Rejection("FF-56", f"Put all {NATURAL[card]} cards of your hand into one slot, or discard all.")
    lying: dict[Slot | None, Species] = {}
    for slot in SLOTS:
        species = None if slot in empty_slots else species_in(slot_of(stall, slot))
        if species is not None:
            lying[slot] = species
            if fates.get(species, slot) != slot:
                raise Rejection("FF-57", f"Your `{slot}` holds {species}; {species} cards of your hand must go there.")
    for species, slot in fates.items():
        if slot is not None and lying.setdefault(slot, species) != species:
            raise Rejection("FF-58", f"Your `{slot}` cannot hold both {lying[slot]} and {species}.")


def not_the_hand(hand: Cards, named: list[str]) -> str:
    """Why these are not exactly the cards of the hand."""
    if missing := sorted((Counter[str](hand) - Counter(named)).elements()):
        return f"Place or discard every card of your hand; you leave out {', '.join(missing)}."
    return f"Place or discard each card of your hand once, and no other card; you hold {', '.join(hand)}."


@stowing.applies(SlotEmptied)
def slot_emptied(position: Position, event: SlotEmptied) -> Position:
    """Move the slot's cards to the trash."""
    trash = position.seats[event.seat].trash + event.cards
    return replace(position, seats=with_seat(position.seats, event.seat, **{event.slot: (), "trash": trash}))


@stowing.applies(CardsStowed)
def cards_stowed(position: Position, event: CardsStowed) -> Position:
    """Move the cards from the hand onto the slot, in this order."""
    bought = purchase_of(position)
    cards = slot_of(position.seats[event.seat], event.slot) + event.cards
    return replace(
        position,
        seats=with_seat(position.seats, event.seat, **{event.slot: cards}),
        purchase=replace(bought, hand=without(bought.hand, event.cards)),
    )


@stowing.applies(CardsTrashed)
def cards_trashed(position: Position, event: CardsTrashed) -> Position:
    """Move the cards from the hand to the trash."""
    bought = purchase_of(position)
    trash = position.seats[event.seat].trash + event.cards
    return replace(
        position,
        seats=with_seat(position.seats, event.seat, trash=trash),
        purchase=replace(bought, hand=without(bought.hand, event.cards)),
    )
