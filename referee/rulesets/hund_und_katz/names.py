"""The names of the box: what moves, events and positions call its things."""

from typing import Final, Literal, NewType, get_args

AnimalId = NewType("AnimalId", str)
"""An animal card, by the id that the edition gives it."""

ANIMAL_ID: Final = "^[a-z][a-z0-9_]*$"

Species = Literal["dog", "cat"]

FoodId = Literal[
    "bone_1", "bone_2", "bone_3", "bone_4", "bone_5", "bone_6",
    "fish_1", "fish_2", "fish_3", "fish_4", "fish_5", "fish_6",
]  # fmt: skip
"""A kind of food card: the food and how much of it."""

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

Phase = Literal["setup", "place_pawn", "card", "assign", "series", "scoring", "finished"]


def shows(food: FoodId) -> str:
    """What a food card shows: `bone` or `fish`."""
    return food[:4]


def points(food: FoodId) -> int:
    """The value of a food card: the number of bones or fish on it."""
    return int(food[5:])


VALUE_TO: Final[dict[Species, dict[FoodId, int]]] = {
    species: {food: points(food) if shows(food) == favourite else -points(food) for food in FOODS}
    for species, favourite in FAVOURITE.items()
}
"""The value of a food card at a species: favourite food counts plus, other food minus (HK-70, HK-71)."""
