"""The numbers of the box, typed and frozen: `edition.toml` and the further ones in `editions/`."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from referee.kernel.edition import read_edition
from referee.rulesets.hund_und_katz.names import ACTIONS, ANIMAL_ID, FOODS, ActionId, AnimalId, FoodId, Species

PACKAGE: Final = Path(__file__).parent

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]


class AnimalCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An animal of the box."""

    id: Annotated[AnimalId, Meta(pattern=ANIMAL_ID)]
    name: str
    species: Species
    squares: Positive


class FoodCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of food cards of the values 1 to 6."""

    bone: tuple[Count, Count, Count, Count, Count, Count]
    fish: tuple[Count, Count, Count, Count, Count, Count]


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The contents of the box, and each seat's share of it."""

    name: str
    seats_min: Annotated[int, Meta(ge=2)]
    seats_max: Positive
    animals_per_seat: Positive
    actions_per_seat: Count
    action_copies: Count
    pawns_per_seat: Positive
    sated_at: Positive
    series_limit: Positive
    food: FoodCards
    animals: tuple[AnimalCard, ...]

    def __post_init__(self) -> None:
        """Refuse a box with which no game can be played."""
        faults = {
            "seats_min is above seats_max": self.seats_min > self.seats_max,
            "two animals have one id": len(self.squares) < len(self.animals),
            "the animals do not suffice for all seats": len(self.animals) < self.animals_per_seat * self.seats_max,
            "the action cards do not suffice for all seats": len(self.action_cards)
            < self.actions_per_seat * self.seats_max,
            "a series would sate an animal": self.series_limit >= self.sated_at,
            "there is no food": not self.food_cards,
        }
        for fault, found in faults.items():
            if found:
                raise ValueError(f"edition: {fault}")

    @property
    def seats(self) -> range:
        """The numbers of seats that the box allows."""
        return range(self.seats_min, self.seats_max + 1)

    @cached_property
    def squares(self) -> dict[AnimalId, int]:
        """The number of pawns that each animal can carry."""
        return {animal.id: animal.squares for animal in self.animals}

    @cached_property
    def species(self) -> dict[AnimalId, Species]:
        """The species of each animal."""
        return {animal.id: animal.species for animal in self.animals}

    @cached_property
    def food_cards(self) -> tuple[FoodId, ...]:
        """Every food card of the box."""
        counts = (*self.food.bone, *self.food.fish)
        return tuple(food for food, count in zip(FOODS, counts, strict=True) for _ in range(count))

    @cached_property
    def action_cards(self) -> tuple[ActionId, ...]:
        """Every action card of the box."""
        return tuple(action for action in ACTIONS for _ in range(self.action_copies))


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"), Edition)
"""The edition of the rulebook."""
