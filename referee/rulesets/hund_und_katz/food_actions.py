"""The six action cards that move food (HK-51 to HK-56)."""

from msgspec import UNSET, UnsetType

from referee.kernel.changes import put, replace, without
from referee.kernel.chapter import Chapter
from referee.kernel.message import Event
from referee.kernel.rejection import Rejection
from referee.kernel.seat import Seat
from referee.rulesets.hund_und_katz.actions import PlayAction, carries_out, one_animal, two_animals
from referee.rulesets.hund_und_katz.names import AnimalId, FoodId, shows
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
    if are_same_species(case, one, other):
        species = case.edition.species[one.id]
        raise Rejection("HK-52", f"{one.id} and {other.id} are both {species}s; this card takes a dog and a cat.")
    return swap_meals(case, one, other)


@carries_out("swap_fish_and_bone")
def swap_fish_and_bone(case: Case, move: PlayAction) -> FoodsSwapped:
    """A fish card and a bone card change places (HK-53)."""
    one, other = two_animals(case, move)
    assert move.food_a is not UNSET and move.food_b is not UNSET
    if shows(move.food_a) == shows(move.food_b):
        both = f"{move.food_a} and {move.food_b} are both {shows(move.food_a)} cards"
        raise Rejection("HK-53", f"{both}; this card takes a bone card and a fish card.")
    return swap_foods(case, move, one, other)


@carries_out("swap_meals_same_species")
def swap_meals_same_species(case: Case, move: PlayAction) -> MealsSwapped:
    """Two dogs, or two cats, exchange their meals (HK-54)."""
    one, other = two_animals(case, move)
    if not are_same_species(case, one, other):
        raise Rejection("HK-54", f"{one.id} and {other.id} are a dog and a cat; this card takes two of one species.")
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
    """The food card that a move names; it must lie at the animal."""
    assert food is not UNSET
    if food not in animal.food:
        meal = f"its food cards are {', '.join(animal.food)}" if animal.food else "it has no food card"
        raise Rejection("HK-44", f"No {food} card lies at {animal.id}; {meal}.")
    return food


def swap_meals(case: Case, one: Animal, other: Animal) -> MealsSwapped:
    """One of the meals may be empty, but not both."""
    if not one.food and not other.food:
        raise Rejection("HK-46", f"Neither {one.id} nor {other.id} has a food card to exchange.")
    return MealsSwapped(seat=case.seat, animal_a=one.id, animal_b=other.id)


def swap_foods(case: Case, move: PlayAction, one: Animal, other: Animal) -> FoodsSwapped:
    """Both cards must lie at the animals that the move names; they may be of one kind (HK-48)."""
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
