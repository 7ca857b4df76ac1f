"""The numbers of the box, typed and frozen: `edition.toml` and the further ones in `editions/`."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, NewType, get_args

import msgspec
from msgspec import Meta

PACKAGE: Final = Path(__file__).parent

AnimalId = NewType("AnimalId", str)
"""An animal card, by the id that the edition gives it."""

ANIMAL_ID: Final = "^[a-z][a-z0-9_]*$"

Species = Literal["dog", "cat"]

FoodId = Literal[
    "bone_1", "bone_2", "bone_3", "bone_4", "bone_5", "bone_6",
    "fish_1", "fish_2", "fish_3", "fish_4", "fish_5", "fish_6",
]  # fmt: skip
"""A kind of food card: what it shows and how often."""

ActionId = Literal[
    "return_food",
    "swap_meals_dog_cat",
    "swap_fish_and_bone",
    "swap_meals_same_species",
    "swap_two_foods",
    "swap_meals_any",
    "swap_pawns",
    "return_pawn",
    "replace_pawn",
]
"""A kind of action card."""

FOODS: Final[tuple[FoodId, ...]] = get_args(FoodId)
ACTIONS: Final[tuple[ActionId, ...]] = get_args(ActionId)

FAVOURITE: Final[dict[Species, str]] = {"dog": "bone", "cat": "fish"}

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]


def shows(food: FoodId) -> str:
    """What a food card shows: `bone` or `fish`."""
    return food[:4]


def points(food: FoodId) -> int:
    """How many of them it shows."""
    return int(food[5:])


VALUE_TO: Final[dict[Species, dict[FoodId, int]]] = {
    species: {food: points(food) if shows(food) == favourite else -points(food) for food in FOODS}
    for species, favourite in FAVOURITE.items()
}
"""What a food card counts at an animal: favourite food for it, other food against it (HK-70, HK-71)."""


class AnimalCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An animal of the box."""

    id: Annotated[AnimalId, Meta(pattern=ANIMAL_ID)]
    name: str
    species: Species
    squares: Positive


class FoodCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many food cards there are of the values 1 to 6."""

    bone: tuple[Count, Count, Count, Count, Count, Count]
    fish: tuple[Count, Count, Count, Count, Count, Count]


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """What is in the box, and how much of it each seat gets."""

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
        """Refuse a box that cannot be played."""
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
        """The numbers of seats that the box is made for."""
        return range(self.seats_min, self.seats_max + 1)

    @cached_property
    def squares(self) -> dict[AnimalId, int]:
        """How many pawns an animal can carry."""
        return {animal.id: animal.squares for animal in self.animals}

    @cached_property
    def species(self) -> dict[AnimalId, Species]:
        """Whether an animal is a dog or a cat."""
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


def read_edition(text: str) -> Edition:
    """An edition from its TOML; raises msgspec.ValidationError for one that cannot be played."""
    return msgspec.toml.decode(text, type=Edition)


EDITION: Final = read_edition((PACKAGE / "edition.toml").read_text(encoding="utf-8"))
"""The edition of the rulebook."""
