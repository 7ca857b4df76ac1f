"""Ways to stow a hand that are worth listing: a choice for every card, and every card that could lie on top.

A large hand has far too many of them. So they come in rounds, the plainest first, until they are enough: jokers
together and small cards on top, then jokers apart, then other cards on top.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, islice, product

import msgspec

from referee.rulesets.fangfrisch.names import FISH, NATURAL, SLOTS, Card, Cards, Slot, Species, species_in
from referee.rulesets.fangfrisch.position import SeatState, slot_of
from referee.rulesets.fangfrisch.stowing import Placement, StowCards

Piles = tuple[Cards, ...]
"""The cards for each slot, in the order of the slots."""

Held = tuple[Species | bool, ...]
"""What lies in each slot: a species; True, jokers only; False, nothing. More of a stall does not matter here."""


class Plan(msgspec.Struct, frozen=True, gc=False):
    """What happens to the natural cards."""

    empty_slots: tuple[Slot, ...]
    piles: Piles
    discard: Cards


def stowings(stall: SeatState, hand: Cards, most: int) -> tuple[StowCards, ...]:
    """Every choice of slots with every choice of top cards, each once and legal, but at most `most` of them."""
    return _stowings(held_in(stall), hand, most)


def held_in(stall: SeatState) -> Held:
    """What lies in each slot of a stall."""
    slots = [slot_of(stall, slot) for slot in SLOTS]
    return tuple([species_in(cards) or bool(cards) for cards in slots])


@lru_cache(maxsize=1024)
def _stowings(held: Held, hand: Cards, most: int) -> tuple[StowCards, ...]:
    jokers = large_first([card for card in hand if card not in NATURAL])
    together = jokers_together(jokers)
    apart = [piles for piles in islice(joker_spreads(jokers), most) if piles not in together]
    return tuple(islice(in_rounds(held, hand, together, apart), most))


def in_rounds(held: Held, hand: Cards, together: list[Piles], apart: list[Piles]) -> Iterator[StowCards]:
    """Every way to stow the hand, the plainest first."""
    for layouts in (together, apart):
        for plan in plans(held, hand) if layouts else ():
            for layout in layouts:
                yield stowed(plan, settled(plan, layout))
    for plan in plans(held, hand):
        for layout in (*together, *apart):
            usual = settled(plan, layout)
            for piles in product(*[with_each_on_top(pile) for pile in usual]):
                if piles != usual:
                    yield stowed(plan, piles)


def stowed(plan: Plan, piles: Piles) -> StowCards:
    """The move that carries out a plan with these piles."""
    crate_1, crate_2, basin = piles
    return StowCards(
        place=Placement(crate_1=crate_1, crate_2=crate_2, basin=basin),
        empty_slots=plan.empty_slots,
        discard=plan.discard,
    )


def plans(held: Held, hand: Cards) -> Iterator[Plan]:
    """Every plan for the natural cards that the rules allow, beginning with those that empty the fewest slots."""
    groups: dict[Species, Cards] = {}
    for card in large_first(hand):
        if card in NATURAL:
            groups[NATURAL[card]] = (*groups.get(NATURAL[card], ()), card)
    used = [slot for slot, there in zip(SLOTS, held, strict=True) if there]
    species_at = {slot: there if isinstance(there, str) else None for slot, there in zip(SLOTS, held, strict=True)}
    for empty_slots in chain.from_iterable(combinations(used, size) for size in range(len(used) + 1)):
        lying = {slot: None if slot in empty_slots else species_at[slot] for slot in SLOTS}
        homes = {species: slot for slot, species in lying.items() if species is not None}
        free = [slot for slot in SLOTS if lying[slot] is None]
        new = [species for species in groups if species not in homes]
        for fates in ways_to_place(len(new), free):
            place = {**homes, **{species: slot for species, slot in zip(new, fates, strict=True) if slot is not None}}
            slots = {slot: species for species, slot in place.items()}
            piles = tuple([groups.get(slots[slot], ()) if slot in slots else () for slot in SLOTS])
            discard = [card for species in new if species not in place for card in groups[species]]
            yield Plan(empty_slots, piles, tuple(discard))


def ways_to_place(species: int, free: list[Slot]) -> Iterator[tuple[Slot | None, ...]]:
    """Every way to give each of `species` species a free slot of its own; None: the species is discarded."""
    if species == 0:
        yield ()
        return
    for slot in (*free, None):
        rest = [other for other in free if other != slot]
        for fates in ways_to_place(species - 1, rest):
            yield (slot, *fates)


def jokers_together(jokers: Cards) -> list[Piles]:
    """Every way to place all jokers in one slot."""
    return [
        tuple([jokers if at == home else () for at in range(len(SLOTS))]) for home in range(len(SLOTS) if jokers else 1)
    ]


def joker_spreads(jokers: Cards) -> Iterator[Piles]:
    """Every way to spread the jokers over the slots; equal jokers count as the same."""
    kinds = sorted(set(jokers), key=jokers.index)
    spreads = [combinations_with_replacement(range(len(SLOTS)), jokers.count(kind)) for kind in kinds]
    for spread in product(*spreads):
        yield tuple(
            [
                tuple([kind for kind, slots in zip(kinds, spread, strict=True) for at in slots if at == slot])
                for slot in range(len(SLOTS))
            ]
        )


def settled(plan: Plan, jokers: Piles) -> Piles:
    """The piles with their jokers, small cards on top: these spoil or are stolen first."""
    return tuple([large_first(pile + more) if more else pile for pile, more in zip(plan.piles, jokers, strict=True)])


def large_first(cards: Cards | list[Card]) -> Cards:
    """The cards with many fish below those with few."""
    return tuple(sorted(cards, key=FISH.__getitem__, reverse=True))


def with_each_on_top(pile: Cards) -> list[Cards]:
    """The pile with every kind of its cards on top, the usual one first."""
    if len(pile) < 2:
        return [pile]
    tops = sorted(set(pile), key=pile[::-1].index)
    return [(*pile[: (at := pile.index(top))], *pile[at + 1 :], top) for top in tops]
