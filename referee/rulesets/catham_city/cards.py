"""Cards: a card is named by its faction, a heap of cards is counted by faction."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, cast, get_args

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple, replace

Faction = Literal["journalist", "detective", "bureaucrat", "scientist", "robocat", "mafia", "police", "hacker"]
"""One of the eight factions; a card has no other feature."""

FACTIONS: Final[tuple[Faction, ...]] = get_args(Faction)
"""All factions, in the canonical order."""

RANK: Final[dict[str, int]] = {faction: rank for rank, faction in enumerate(FACTIONS)}

Cards = tuple[Faction, ...]
"""Cards one by one: in pile order where a pile is meant, else in the canonical order."""


class CountMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many cards of each faction; the factions that are not in play are left out."""

    journalist: int | UnsetType = UNSET
    detective: int | UnsetType = UNSET
    bureaucrat: int | UnsetType = UNSET
    scientist: int | UnsetType = UNSET
    robocat: int | UnsetType = UNSET
    mafia: int | UnsetType = UNSET
    police: int | UnsetType = UNSET
    hacker: int | UnsetType = UNSET


def no_cards(factions: Iterable[str]) -> CountMap:
    """The empty count map of these factions."""
    return CountMap(**dict.fromkeys(factions, 0))


def counted(factions: Iterable[str], cards: Iterable[Faction]) -> CountMap:
    """These cards as a count map of these factions."""
    return plus(no_cards(factions), cards)


def each(counts: CountMap) -> Iterator[tuple[Faction, int]]:
    """Every faction of the map with its number, in the canonical order."""
    for faction, number in zip(FACTIONS, astuple(counts), strict=True):
        if number is not UNSET:
            yield faction, number


def number_of(counts: CountMap, faction: str) -> int:
    """How many cards of this faction, which is in play."""
    return cast(int, getattr(counts, faction))


def total(counts: CountMap) -> int:
    """How many cards in all."""
    return sum([number for number in astuple(counts) if number is not UNSET])


def listed(counts: CountMap) -> Cards:
    """The cards one by one, in the canonical order."""
    return tuple([faction for faction, number in each(counts) for _ in range(number)])


def copies(faction: Faction, count: int) -> Cards:
    """So many cards of one faction."""
    return (faction,) * count


def in_order(cards: Iterable[Faction]) -> Cards:
    """The cards in the canonical order."""
    return tuple(sorted(cards, key=RANK.__getitem__))


def plus(counts: CountMap, cards: Iterable[Faction]) -> CountMap:
    """The map with these cards added."""
    changes: dict[str, int] = {}
    for card in cards:
        changes[card] = (changes[card] if card in changes else getattr(counts, card)) + 1
    return replace(counts, **changes)


def minus(counts: CountMap, cards: Iterable[Faction]) -> CountMap:
    """The map with these cards taken away."""
    changes: dict[str, int] = {}
    for card in cards:
        changes[card] = (changes[card] if card in changes else getattr(counts, card)) - 1
    return replace(counts, **changes)


def includes(counts: CountMap, cards: Cards) -> bool:
    """Whether all these cards, each of a faction in play, are there at once."""
    return all(number_of(counts, card) >= cards.count(card) for card in dict.fromkeys(cards))
