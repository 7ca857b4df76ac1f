"""Selling fish: in a turn, after a late purchase, and when the market closes (FF-18 to FF-28)."""

from typing import Annotated, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace
from referee.kernel.message import Event, Move
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.auction import open_auction
from referee.rulesets.fangfrisch.cards import CRATES, SLOTS, Card, Cards, Slot, Species, fish_on, species_in
from referee.rulesets.fangfrisch.closing import FinalSaleMade, next_final_sale
from referee.rulesets.fangfrisch.position import Case, Position, Says, SeatState, clockwise, slot_of, with_seat
from referee.rulesets.fangfrisch.turns import next_turn

selling = Chapter()


class Lot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A slot to be sold whole. `species` is named for a slot with jokers only, else it may be left out."""

    slot: Slot
    species: Species | UnsetType = UNSET


class SellFish(Move):
    """Sell the contents of none, one or several of your slots, in the order listed."""

    lots: Annotated[tuple[Lot, ...], Meta(max_length=len(SLOTS))]


class FishSold(Event):
    """A slot was sold as one lot."""

    seat: Seat
    slot: Slot
    species: Species
    cards: Cards
    fish: int
    price: int
    half_price: bool


class CardSpoiled(Event):
    """The top card of a crate of the species sold went into its owner's trash."""

    seat: Seat
    slot: Slot
    card: Card


@selling.decides(SellFish)
def sell_fish(case: Case, move: SellFish) -> Says:
    """FF-3, FF-20 to FF-24; then lot after lot, and what the phase goes on with."""
    position, seat = case.position, case.seat
    phase = position.phase
    half = phase == "final_sale"  # FF-70
    income = 0
    for slot, species in lots_named(position.seats[seat], move.lots):
        cards = slot_of(position.seats[seat], slot)
        fish = fish_on(cards)
        price = case.edition.price_of(fish, half)  # FF-21
        income += price
        position = yield FishSold(
            seat=seat, slot=slot, species=species, cards=cards, fish=fish, price=price, half_price=half
        )
        for spoiled in () if half else spoiled_by(position, seat, species):  # FF-71
            position = yield spoiled
    if phase == "selling":
        yield from open_auction(position, case.edition)  # FF-29
    elif phase == "buyer_sale":
        yield from next_turn(position)  # FF-67
    else:
        position = yield FinalSaleMade(seat=seat, income=income)
        yield from next_final_sale(position)


def lots_named(stall: SeatState, lots: tuple[Lot, ...]) -> list[tuple[Slot, Species]]:
    """The slots to be sold, each with the species it is sold as."""
    slots = [lot.slot for lot in lots]
    require("FF-3", len(set(slots)) == len(slots), "A slot is named twice.")
    require("FF-20", all(slot_of(stall, slot) for slot in slots), "An empty slot cannot be sold.")
    lying = {slot: species_in(slot_of(stall, slot)) for slot in SLOTS}
    true_to_slot = [lot.species in (UNSET, lying[lot.slot]) for lot in lots if lying[lot.slot] is not None]
    require("FF-22", all(true_to_slot), "A slot with a species is sold as that species.")
    posed = [lot.species for lot in lots if lying[lot.slot] is None]
    require("FF-23", UNSET not in posed, "A slot with jokers only is sold as a species that you name.")
    require(
        "FF-24",
        len(set(posed)) == len(posed) and all(named not in lying.values() for named in posed),
        "Jokers are not sold as a species that another slot holds or is sold as.",
    )
    return [(lot.slot, cast(Species, lying[lot.slot] or lot.species)) for lot in lots]


def spoiled_by(position: Position, seller: Seat, species: Species) -> list[CardSpoiled]:
    """What the others lose when this species is sold, clockwise from the selling seat (FF-26, FF-27)."""
    return [
        CardSpoiled(seat=other, slot=crate, card=cards[-1])
        for other in clockwise(position, seller)
        for crate in CRATES
        if species_in(cards := slot_of(position.seats[other], crate)) == species
    ]


@selling.applies(FishSold)
def fish_sold(position: Position, event: FishSold) -> Position:
    """The whole slot is discarded, surplus fish too; the seat is paid (FF-19, FF-25)."""
    money = position.seats[event.seat].money + event.price
    return replace(
        position,
        seats=with_seat(position, event.seat, **{event.slot: (), "money": money}),
        discard=position.discard + event.cards,
    )


@selling.applies(CardSpoiled)
def card_spoiled(position: Position, event: CardSpoiled) -> Position:
    """The top card of the crate is in the trash."""
    stall = position.seats[event.seat]
    changes = {event.slot: slot_of(stall, event.slot)[:-1], "trash": (*stall.trash, event.card)}
    return replace(position, seats=with_seat(position, event.seat, **changes))
