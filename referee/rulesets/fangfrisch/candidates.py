"""Moves worth trying: all of them, or as many as are worth listing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Final, TypeVar

from referee.kernel.candidates import Candidates, Proved, proved_if
from referee.kernel.seat import Seat
from referee.rulesets.fangfrisch.bell import Pass, RevealCard, Ring
from referee.rulesets.fangfrisch.canning import ClearTrash
from referee.rulesets.fangfrisch.edition import Edition
from referee.rulesets.fangfrisch.names import (
    FISH,
    FISH_PER_CARD,
    SLOTS,
    SPECIES,
    Card,
    Cards,
    Slot,
    fish_on,
    species_in,
)
from referee.rulesets.fangfrisch.position import (
    Position,
    SeatState,
    is_live,
    others_of,
    purchase_of,
    slot_of,
    used_slots,
)
from referee.rulesets.fangfrisch.selling import Lot, SellFish, can_spoil
from referee.rulesets.fangfrisch.stowing_plans import stowings
from referee.rulesets.fangfrisch.thieving import StealCards, Theft

LISTED_MAX: Final = 200
"""The largest number of ways to steal, stow or remove cards that are listed."""

ANSWERS: Final = Proved((Ring(), Pass()))
"""What an awaited seat may answer in turn pace, once there is an offer."""

T = TypeVar("T")


def candidates(position: Position, seat: Seat, edition: Edition) -> Candidates:
    """The moves that an awaited seat can try."""
    match position.phase:
        case "auction":
            return answers(position, seat)
        case "thieving":
            return (StealCards(thefts=thefts) for thefts in thefts_listed(position))
        case "stowing":
            return (Proved(stowings(position.seats[seat], purchase_of(position).hand, LISTED_MAX)),)  # FF-54 to FF-59
        case "canning":
            most = purchase_of(position).cans * edition.can_removes_max
            return (ClearTrash(cards=cards) for cards in removals_listed(position.seats[seat].trash, most))
        case _:
            return sales_listed(position.seats[seat], can_spoil(position, seat))


def answers(position: Position, seat: Seat) -> Candidates:
    """Ring or pass; in live pace a move names the offer that it is chosen for."""
    if not is_live(position):
        return proved_if(bool(position.offer), ANSWERS)  # FF-43
    seen = position.offer_number
    return (Ring(seen=seen), RevealCard(seen=seen)) if seat == position.seller else (Ring(seen=seen),)


def sales_listed(stall: SeatState, spoils: bool) -> Candidates:
    """The sales, as proved if no choice of species can be wrong (FF-23, FF-24)."""
    is_certain = not spoils or None not in [species_in(slot_of(stall, slot)) for slot in used_slots(stall)]
    return proved_if(is_certain, Proved(tuple(sales(stall, spoils))))


def sales(stall: SeatState, spoils: bool) -> Iterator[SellFish]:
    """Every choice of slots, the largest lot first, and of species for slots with jokers only if it spoils fish.

    The order of the lots makes no difference: each spoils crates of its own species, and only those.
    """
    slots = sorted(SLOTS, key=lambda slot: fish_on(slot_of(stall, slot)), reverse=True)
    for choice in product(*[(None, *lots_of(slot, slot_of(stall, slot), spoils)) for slot in slots]):
        yield SellFish(lots=tuple([lot for lot in choice if lot is not None]))


def lots_of(slot: Slot, cards: Cards, spoils: bool) -> list[Lot]:
    """The ways to sell this slot."""
    if not cards:
        return []
    return [Lot(slot, species) for species in SPECIES] if spoils and not species_in(cards) else [Lot(slot)]


def thefts_listed(position: Position) -> list[tuple[Theft, ...]]:
    """Every theft that the thieves allow; where these are too many, every theft of fewer cards."""
    listed: list[tuple[Theft, ...]] = [()]
    for most in range(1, purchase_of(position).thieves + 1):
        thefts = few(thefts_of(position, most))
        if thefts is None or thefts == listed:
            break
        listed = thefts
    return listed


def thefts_of(position: Position, most: int) -> Iterator[tuple[Theft, ...]]:
    """Every theft of at most `most` cards."""
    return heaps(
        [
            (Theft(seat, slot), len(slot_of(position.seats[seat], slot)))
            for seat in others_of(position, purchase_of(position).buyer)
            for slot in used_slots(position.seats[seat])
        ],
        most,
    )


def removals_listed(trash: Cards, most: int) -> list[Cards]:
    """Every heap of cards that the cans allow; where these are too many, one for each choice of numbers of fish.

    Little is lost by that: a card that has left the trash never comes back, whatever its species.
    """
    every = few(removals_of(trash, most))
    if every is not None:
        return every
    by_fish = [tuple([card for card in trash if FISH[card] == fish]) for fish in FISH_PER_CARD]
    counts = heaps([(fish, len(cards)) for fish, cards in zip(FISH_PER_CARD, by_fish, strict=True)], most)
    return [first_cards(by_fish, heap) for heap in islice(counts, LISTED_MAX)]


def removals_of(trash: Cards, most: int) -> Iterator[Cards]:
    """Every heap of at most `most` cards of the trash; equal cards count as the same."""
    return heaps(sorted(Counter(trash).items()), most)


def first_cards(by_fish: list[Cards], heap: tuple[int, ...]) -> Cards:
    """The first cards with these numbers of fish."""
    taken: list[Card] = []
    for fish, cards in zip(FISH_PER_CARD, by_fish, strict=True):
        taken += cards[: heap.count(fish)]
    return tuple(taken)


def few(things: Iterator[T]) -> list[T] | None:
    """The things in a list; None if there are more than `LISTED_MAX`."""
    listed = list(islice(things, LISTED_MAX + 1))
    return listed if len(listed) <= LISTED_MAX else None


def heaps(kinds: Sequence[tuple[T, int]], most: int) -> Iterator[tuple[T, ...]]:
    """Every heap of at most `most` things; each kind comes with the number of things that there are of it."""
    if not kinds:
        yield ()
        return
    (kind, count), *rest = kinds
    for number in range(min(count, most) + 1):
        for others in heaps(rest, most - number):
            yield (kind,) * number + others
