"""The six action cards that move food (HK-51 to HK-56)."""

from msgspec import UNSET, UnsetType

from referee.kernel.changes import put, replace, without
from referee.kernel.message import Event
from referee.kernel.rejection import require
from referee.kernel.ruleset import Chapter
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import PlayAction, carries_out, one_animal, two_animals
from referee.rulesets.hund_und_katz.edition import AnimalId, FoodId, shows
from referee.rulesets.hund_und_katz.position import Animal, Case, Position, animal_of, with_animals

food_actions = Chapter()


class FoodReturned(Event):
    """A food card left an animal; it is now the last of the deck."""

    seat: Seat
    animal: AnimalId
    food: FoodId


class MealsSwapped(Event):
    """Two animals exchanged all their food cards."""

    seat: Seat
    animal_a: AnimalId
    animal_b: AnimalId


class FoodsSwapped(Event):
    """Two food cards changed places."""

    seat: Seat
    animal_a: AnimalId
    food_a: FoodId
    animal_b: AnimalId
    food_b: FoodId


@carries_out("return_food")
def return_food(case: Case, move: PlayAction) -> FoodReturned:
    """A food card goes under the deck (HK-51)."""
    animal = one_animal(case, move)
    food = food_at(animal, move.food)
    return FoodReturned(seat=case.seat, animal=animal.id, food=food)


@carries_out("swap_meals_dog_cat")
def swap_meals_dog_cat(case: Case, move: PlayAction) -> MealsSwapped:
    """A dog and a cat exchange their meals (HK-52)."""
    one, other = two_animals(case, move)
    require("HK-52", not are_same_species(case, one, other), "One of the two is a dog, the other a cat.")
    return swap_meals(case, one, other)


@carries_out("swap_fish_and_bone")
def swap_fish_and_bone(case: Case, move: PlayAction) -> FoodsSwapped:
    """A fish card and a bone card change places (HK-53)."""
    one, other = two_animals(case, move)
    assert move.food_a is not UNSET and move.food_b is not UNSET
    require("HK-53", shows(move.food_a) != shows(move.food_b), "One card shows bones, the other fish.")
    return swap_foods(case, move, one, other)


@carries_out("swap_meals_same_species")
def swap_meals_same_species(case: Case, move: PlayAction) -> MealsSwapped:
    """Two dogs, or two cats, exchange their meals (HK-54)."""
    one, other = two_animals(case, move)
    require("HK-54", are_same_species(case, one, other), "Both are dogs, or both are cats.")
    return swap_meals(case, one, other)


@carries_out("swap_two_foods")
def swap_two_foods(case: Case, move: PlayAction) -> FoodsSwapped:
    """Any two food cards change places (HK-55)."""
    one, other = two_animals(case, move)
    return swap_foods(case, move, one, other)


@carries_out("swap_meals_any")
def swap_meals_any(case: Case, move: PlayAction) -> MealsSwapped:
    """Any two animals exchange their meals (HK-56)."""
    one, other = two_animals(case, move)
    return swap_meals(case, one, other)


def are_same_species(case: Case, one: Animal, other: Animal) -> bool:
    """Whether two animals are both dogs or both cats."""
    species = case.edition.species
    return species[one.id] == species[other.id]


def food_at(animal: Animal, food: FoodId | UnsetType) -> FoodId:
    """The food card that a move names; it has to lie at the animal."""
    require("HK-44", food in animal.food, "This food card does not lie at this animal.")
    assert food is not UNSET
    return food


def swap_meals(case: Case, one: Animal, other: Animal) -> MealsSwapped:
    """One of the meals may be empty, but not both."""
    require("HK-46", bool(one.food or other.food), "There is no food to exchange.")
    return MealsSwapped(seat=case.seat, animal_a=one.id, animal_b=other.id)


def swap_foods(case: Case, move: PlayAction, one: Animal, other: Animal) -> FoodsSwapped:
    """Both cards have to lie where the move says; they may be of one kind (HK-48)."""
    return FoodsSwapped(
        seat=case.seat,
        animal_a=one.id,
        food_a=food_at(one, move.food_a),
        animal_b=other.id,
        food_b=food_at(other, move.food_b),
    )


@food_actions.applies(FoodReturned)
def food_returned(position: Position, event: FoodReturned) -> Position:
    """The later cards of the meal move up (HK-47)."""
    animal = animal_of(position, event.animal)
    return replace(
        position,
        animals=with_animals(position, replace(animal, food=without(animal.food, (event.food,)))),
        food_deck=(*position.food_deck, event.food),
    )


@food_actions.applies(MealsSwapped)
def meals_swapped(position: Position, event: MealsSwapped) -> Position:
    """The meals keep their order; the pawns stay where they are."""
    one, other = animal_of(position, event.animal_a), animal_of(position, event.animal_b)
    return replace(
        position,
        animals=with_animals(position, replace(one, food=other.food), replace(other, food=one.food)),
    )


@food_actions.applies(FoodsSwapped)
def foods_swapped(position: Position, event: FoodsSwapped) -> Position:
    """Each card takes the other's place in the meal (HK-47)."""
    one, other = animal_of(position, event.animal_a), animal_of(position, event.animal_b)
    return replace(
        position,
        animals=with_animals(
            position,
            replace(one, food=put(one.food, one.food.index(event.food_a), event.food_b)),
            replace(other, food=put(other.food, other.food.index(event.food_b), event.food_a)),
        ),
    )
