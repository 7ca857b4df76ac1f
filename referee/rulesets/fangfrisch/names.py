"""The names of the box: what moves, events and positions call its cards and the slots of a stall."""

from collections.abc import Iterable
from typing import Final, Literal, get_args

Species = Literal["eel", "shark", "plaice", "crab", "tuna", "lobster"]
"""One of the six species. The octopus is not a species but the joker."""

Card = Literal[
    "eel_1", "eel_2", "eel_3",
    "shark_1", "shark_2", "shark_3",
    "plaice_1", "plaice_2", "plaice_3",
    "crab_1", "crab_2", "crab_3",
    "tuna_1", "tuna_2", "tuna_3",
    "lobster_1", "lobster_2", "lobster_3",
    "octopus_1", "octopus_2", "octopus_3",
    "thief", "can",
    "end_phase", "market_close",
]  # fmt: skip
"""A kind of card: its species, or what else it shows, and its number of fish."""

Cards = tuple[Card, ...]

Slot = Literal["crate_1", "crate_2", "basin"]

SPECIES: Final[tuple[Species, ...]] = get_args(Species)
SLOTS: Final[tuple[Slot, ...]] = get_args(Slot)
CRATES: Final[tuple[Slot, ...]] = ("crate_1", "crate_2")

FISH_PER_CARD: Final = (1, 2, 3)

NATURAL: Final[dict[str, Species]] = {f"{species}_{fish}": species for species in SPECIES for fish in FISH_PER_CARD}
"""The species of each natural card."""

FISH: Final[dict[str, int]] = {
    f"{name}_{fish}": fish for name in (*SPECIES, "octopus") for fish in FISH_PER_CARD
}  # fmt: skip
"""The number of fish on each fish card, jokers included."""

SPECIAL: Final[Cards] = ("end_phase", "market_close")
"""The two cards that are never for sale."""


def counted(number: int, thing: str, things: str = "") -> str:
    """A number with its noun, for messages: `1 card`, `2 cards`."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def fish_on(cards: Iterable[Card]) -> int:
    """The number of fish on these fish cards."""
    return sum([FISH[card] for card in cards])


def species_in(cards: Iterable[str]) -> Species | None:
    """The species of a slot with these cards; none if it is empty or holds jokers only (FF-13, FF-14)."""
    for card in cards:
        if card in NATURAL:
            return NATURAL[card]
    return None
