"""Selling fish: in a turn, after a purchase in the final phase, and when the market closes (FF-18 to FF-28)."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from referee.kernel.changes import replace, with_seat
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event, Move
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.auction import open_auction
from referee.rulesets.fangfrisch.names import CRATES, SLOTS, Card, Cards, Slot, Species, fish_on, species_in
from referee.rulesets.fangfrisch.position import Case, Position, Says, others_of, require_once, slot_of
from referee.rulesets.fangfrisch.scoring import FinalSaleMade, next_final_sale
from referee.rulesets.fangfrisch.turns import next_turn

selling = Chapter()


class Lot(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A slot to sell whole. Name `species` for a slot with jokers only; otherwise you may leave it out."""

    slot: Slot
    species: Species | UnsetType = UNSET


class SellFish(Move):
    """Sell the contents of none, one or several of your slots, in the order listed."""

    lots: Annotated[tuple[Lot, ...], Meta(max_length=len(SLOTS))]


class FishSold(Event):
    """A seat sold a slot as one lot."""

    seat: Seat
    slot: Slot
    species: Species | None
    """Null: a slot with jokers only, where no species has an effect."""
    cards: Cards
    fish: int
    price: int
    half_price: bool


class CardSpoiled(Event):
    """A seat had to put the top card of a crate into its trash, since another seat sold that species."""

    seat: Seat
    slot: Slot
    card: Card


@selling.decides(SellFish)
def sell_fish(case: Case, move: SellFish) -> Says:
    """Check FF-3 and FF-20 to FF-24; then sell lot after lot, and go on with what follows in this phase."""
    position, seat = case.position, case.seat
    phase = position.phase
    half = phase == "final_sale"  # FF-70
    income = 0
    for slot, species in lots_named(position, seat, move.lots):
        cards = slot_of(position.seats[seat], slot)
        fish = fish_on(cards)
        price = case.edition.price_of(fish, half)  # FF-21
        income += price
        position = yield FishSold(
            seat=seat, slot=slot, species=species, cards=cards, fish=fish, price=price, half_price=half
        )
        for spoiled in () if half or species is None else spoiled_by(position, seat, species):  # FF-71
            position = yield spoiled
    if phase == "selling":
        yield from open_auction(position, case.edition)  # FF-29
    elif phase == "buyer_sale":
        yield from next_turn(position)  # FF-67
    else:
        position = yield FinalSaleMade(seat=seat, income=income)
        yield from next_final_sale(position)


def lots_named(position: Position, seat: Seat, lots: tuple[Lot, ...]) -> list[tuple[Slot, Species | None]]:
    """The slots to sell, each with the species that it is sold as; None where none has an effect."""
    stall, spoils = position.seats[seat], can_spoil(position, seat)
    require_once("lots", [lot.slot for lot in lots])
    for lot in lots:
        if not slot_of(stall, lot.slot):
            raise Rejection("FF-20", f"Your `{lot.slot}` is empty, so there is nothing to sell.")
    lying = {slot: species_in(slot_of(stall, slot)) for slot in SLOTS}
    for lot in lots:
        if lying[lot.slot] is not None and lot.species not in (UNSET, lying[lot.slot]):
            raise Rejection("FF-22", f"Your `{lot.slot}` holds {lying[lot.slot]}; you cannot sell it as {lot.species}.")
    posed = [lot for lot in lots if lying[lot.slot] is None]
    for lot in posed:
        if lot.species is UNSET and spoils:
            text = f"Your `{lot.slot}` holds jokers only: name the species that you sell them as, since it spoils fish."
            raise Rejection("FF-23", text)
    named = [lot for lot in posed if lot.species is not UNSET]
    for lot in named:
        for slot, species in lying.items():
            if lot.species == species:
                text = f"Your `{slot}` holds {species}; sell the jokers of your `{lot.slot}` as another species."
                raise Rejection("FF-24", text)
        slots = " and ".join(f"`{other.slot}`" for other in named if other.species == lot.species)
        if [other.species for other in named].count(lot.species) > 1:
            raise Rejection("FF-24", f"You cannot sell both {slots} as {lot.species}; name another species for one.")
    return [(lot.slot, lying[lot.slot] or (None if lot.species is UNSET else lot.species)) for lot in lots]


def can_spoil(position: Position, seller: Seat) -> bool:
    """Whether the species of a slot with jokers only has an effect: it can spoil fish in a crate of another seat."""
    if position.phase == "final_sale":  # FF-71
        return False
    own = {species_in(slot_of(position.seats[seller], slot)) for slot in SLOTS}
    crates = [slot_of(position.seats[other], crate) for other in others_of(position, seller) for crate in CRATES]
    return bool({species_in(crate) for crate in crates} - {None} - own)


def spoiled_by(position: Position, seller: Seat, species: Species) -> list[CardSpoiled]:
    """What the others lose when this species is sold, clockwise from the selling seat (FF-26, FF-27)."""
    return [
        CardSpoiled(seat=other, slot=crate, card=cards[-1])
        for other in others_of(position, seller)
        for crate in CRATES
        if species_in(cards := slot_of(position.seats[other], crate)) == species
    ]


@selling.applies(FishSold)
def fish_sold(position: Position, event: FishSold) -> Position:
    """Discard the whole slot, including the fish above ten, and pay the seat (FF-19, FF-25)."""
    money = position.seats[event.seat].money + event.price
    return replace(
        position,
        seats=with_seat(position.seats, event.seat, **{event.slot: (), "money": money}),
        discard=position.discard + event.cards,
    )


@selling.applies(CardSpoiled)
def card_spoiled(position: Position, event: CardSpoiled) -> Position:
    """Move the top card of the crate to the trash."""
    stall = position.seats[event.seat]
    changes = {event.slot: slot_of(stall, event.slot)[:-1], "trash": (*stall.trash, event.card)}
    return replace(position, seats=with_seat(position.seats, event.seat, **changes))
