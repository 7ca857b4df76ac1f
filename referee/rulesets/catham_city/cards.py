"""Heaps of cards, counted by faction."""

from collections.abc import Iterable, Iterator
from typing import cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import astuple, replace

from referee.rulesets.catham_city.names import FACTIONS, RANK, Cards, Faction


class CountMap(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The number of cards of each faction in play; the other factions are left out."""

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
    """The number of cards of this faction, which is in play."""
    return cast(int, getattr(counts, faction))


def total(counts: CountMap) -> int:
    """The number of cards in all."""
    return sum([number for number in astuple(counts) if number is not UNSET])


def listed(counts: CountMap) -> Cards:
    """The cards one by one, in the canonical order."""
    return tuple([faction for faction, number in each(counts) for _ in range(number)])


def in_words(count: int, faction: str) -> str:
    """A number of cards of one faction, for a message: `1 hacker card`, `2 hacker cards`."""
    return f"{count} {faction} card{'' if count == 1 else 's'}"


def copies(faction: Faction, count: int) -> Cards:
    """This number of cards of one faction."""
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
