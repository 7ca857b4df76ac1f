"""The action cards that move food (HK-44 to HK-56)."""

import pytest

from referee.rulesets.hund_und_katz.actions import ActionPlayed, PlayAction
from referee.rulesets.hund_und_katz.feeding import AssignFood, RevealFood
from referee.rulesets.hund_und_katz.food_actions import FoodReturned, FoodsSwapped, MealsSwapped
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.turns import TurnStarted
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import a_table, animal, filled

NEXT = TurnStarted(seat=1, phase="place_pawn")
MEALS = ("swap_meals_dog_cat", "swap_meals_same_species", "swap_meals_any")


def holding(card, *animals, **parts):
    """A table at which seat 0 holds this card."""
    return a_table(*animals, hands={0: [card]}, **parts)


def swap_meals(card, one, other):
    return PlayAction(card=card, animal_a=one, animal_b=other)


def swap_foods(one, food, other, against, card="swap_two_foods"):
    return PlayAction(card=card, animal_a=one, food_a=food, animal_b=other, food_b=against)


@clause("HK-51", "HK-47", "HK-R24")
def test_a_returned_food_card_lies_under_the_deck_and_the_others_move_up():
    meal = ["bone_2", "fish_3", "bone_4", "fish_3"]
    table = holding("return_food", animal("igor", meal))
    deck = table.position.food_deck
    table = table.when(0, PlayAction(card="return_food", animal="igor", food="fish_3")).says(
        ActionPlayed(seat=0, card="return_food"), FoodReturned(seat=0, animal="igor", food="fish_3"), NEXT
    )
    assert table.position.animals[0].food == ("bone_2", "bone_4", "fish_3")
    assert table.position.food_deck == (*deck, "fish_3")


@clause("HK-44")
def test_a_food_card_that_is_named_lies_at_the_animal_named_with_it():
    meals = (animal("igor", ["bone_2"]), animal("hazel", ["fish_3"]))
    table = holding("return_food", *meals)
    table.when(0, PlayAction(card="return_food", animal="igor", food="fish_3")).refused("HK-44")
    table = holding("swap_two_foods", *meals)
    table.when(0, swap_foods("igor", "fish_3", "hazel", "fish_3")).refused("HK-44")
    table.when(0, swap_foods("igor", "bone_2", "hazel", "bone_2")).refused("HK-44")


@clause("HK-52")
def test_a_dog_and_a_cat_exchange_their_meals():
    card = "swap_meals_dog_cat"
    table = holding(card, animal("igor", ["bone_2"]), animal("clarence", ["fish_3"]), animal("fritz"), animal("hazel"))
    table.when(0, swap_meals(card, "igor", "clarence")).says(
        ActionPlayed(seat=0, card=card), MealsSwapped(seat=0, animal_a="igor", animal_b="clarence"), NEXT
    )
    table.when(0, swap_meals(card, "igor", "fritz")).refused("HK-52")
    table.when(0, swap_meals(card, "clarence", "hazel")).refused("HK-52")


@clause("HK-54")
def test_two_dogs_or_two_cats_exchange_their_meals():
    card = "swap_meals_same_species"
    table = holding(card, animal("igor", ["bone_2"]), animal("clarence", ["fish_3"]), animal("fritz"), animal("hazel"))
    for one, other in (("igor", "fritz"), ("clarence", "hazel")):
        table.when(0, swap_meals(card, one, other)).says(
            ActionPlayed(seat=0, card=card), MealsSwapped(seat=0, animal_a=one, animal_b=other), NEXT
        )
    table.when(0, swap_meals(card, "igor", "clarence")).refused("HK-54")


@clause("HK-56", "HK-46", "HK-47", "HK-R28")
def test_any_two_animals_exchange_their_meals_even_an_empty_one_and_keep_their_pawns():
    table = holding("swap_meals_any", animal("hazel", ["bone_2", "fish_3"], [1]), animal("dinah", [], [2]))
    table = table.when(0, swap_meals("swap_meals_any", "hazel", "dinah")).says(
        ActionPlayed(seat=0, card="swap_meals_any"), MealsSwapped(seat=0, animal_a="hazel", animal_b="dinah"), NEXT
    )
    hazel, dinah = table.position.animals[:2]
    assert (hazel.food, dinah.food) == ((), ("bone_2", "fish_3"))
    assert (hazel.pawns, dinah.pawns) == ((1,), (2,))


@clause("HK-46", "HK-R30")
@pytest.mark.parametrize(("card", "other"), list(zip(MEALS, ("hazel", "fritz", "fritz"), strict=True)))
@pytest.mark.parametrize("fed_first", [True, False])
def test_a_meal_moves_to_an_animal_that_has_none(card, other, fed_first):
    meal = ("bone_2", "fish_3")
    table = holding(card, animal("igor", meal), animal("fritz"), animal("hazel"))
    named = ("igor", other) if fed_first else (other, "igor")
    food = {each.id: each.food for each in table.when(0, swap_meals(card, *named)).position.animals}
    assert (food["igor"], food[other]) == ((), meal)


@clause("HK-44", "HK-R30")
def test_a_card_is_not_exchanged_for_nothing():
    table = holding("swap_two_foods", animal("igor", ["bone_2"]), animal("fritz"))
    table.when(0, swap_foods("igor", "bone_2", "fritz", "bone_2", "swap_two_foods")).refused("HK-44")


@clause("HK-46", "HK-R11")
@pytest.mark.parametrize(("card", "other"), list(zip(MEALS, ("hazel", "fritz", "fritz"), strict=True)))
def test_two_empty_meals_are_not_exchanged(card, other):
    table = holding(card, animal("igor"), animal("fritz"), animal("hazel"))
    table.when(0, swap_meals(card, "igor", other)).refused("HK-46")


@clause("HK-53", "HK-47")
def test_a_fish_card_and_a_bone_card_take_each_others_places():
    card = "swap_fish_and_bone"
    table = holding(card, animal("igor", ["bone_2", "fish_6", "fish_6"]), animal("fritz", ["fish_1", "bone_1"]))
    table = table.when(0, swap_foods("igor", "fish_6", "fritz", "bone_1", card)).says(
        ActionPlayed(seat=0, card=card),
        FoodsSwapped(seat=0, animal_a="igor", food_a="fish_6", animal_b="fritz", food_b="bone_1"),
        NEXT,
    )
    igor, fritz = table.position.animals[:2]
    assert igor.food == ("bone_2", "bone_1", "fish_6")
    assert fritz.food == ("fish_1", "fish_6")


@clause("HK-53")
def test_neither_two_fish_nor_two_bones_are_a_fish_and_a_bone():
    card = "swap_fish_and_bone"
    table = holding(card, animal("igor", ["bone_2", "fish_6"]), animal("hazel", ["fish_1", "bone_1"]))
    table.when(0, swap_foods("igor", "fish_6", "hazel", "fish_1", card)).refused("HK-53")
    table.when(0, swap_foods("igor", "bone_2", "hazel", "bone_1", card)).refused("HK-53")
    table.when(0, swap_foods("igor", "bone_2", "hazel", "fish_1", card)).tells(
        "action_played", "foods_swapped", "turn_started"
    )


@clause("HK-55")
@pytest.mark.parametrize(("food", "against"), [("bone_2", "bone_5"), ("fish_6", "fish_1"), ("bone_2", "fish_1")])
def test_any_two_food_cards_change_places(food, against):
    table = holding("swap_two_foods", animal("igor", ["bone_2", "fish_6"]), animal("hazel", ["fish_1", "bone_5"]))
    table = table.when(0, swap_foods("igor", food, "hazel", against)).tells(
        "action_played", "foods_swapped", "turn_started"
    )
    igor, hazel = table.position.animals[:2]
    assert against in igor.food and food not in igor.food
    assert food in hazel.food and against not in hazel.food


@clause("HK-48", "HK-R11")
def test_two_cards_of_a_kind_may_change_places_with_no_visible_change():
    table = holding("swap_two_foods", animal("igor", ["bone_2"]), animal("hazel", ["bone_2"]))
    after = table.when(0, swap_foods("igor", "bone_2", "hazel", "bone_2")).says(
        ActionPlayed(seat=0, card="swap_two_foods"),
        FoodsSwapped(seat=0, animal_a="igor", food_a="bone_2", animal_b="hazel", food_b="bone_2"),
        NEXT,
    )
    assert after.position.animals == table.position.animals


@clause("HK-49")
@pytest.mark.parametrize("card", MEALS)
def test_no_exchange_of_meals_sates_an_animal(card):
    meals = (animal("igor", ["bone_1"] * 4), animal("fritz", ["fish_1"] * 4), animal("hazel", ["fish_2"] * 4))
    table = holding(card, *meals)
    for move in table.legal(0)[1:]:
        assert max(len(each.food) for each in table.when(0, move).position.animals) == 4


@clause("HK-R19", "HK-62")
def test_a_returned_card_puts_off_the_end_of_the_deck():
    dogs = ("argus", "bodo", "caspar", "dante", "edda", "fritz", "gundel", "hasso")
    animals = filled(*dogs, "amber", "biscuit", "cleo", deck=1)
    table = holding("return_food", *animals, seats=6)
    assert len(table.position.food_deck) == 1 and len(animals[-1].food) == 3
    move = PlayAction(card="return_food", animal="cleo", food=animals[-1].food[0])
    table = table.when(0, move).tells("action_played", "food_returned", "turn_started")
    assert len(table.position.food_deck) == 2
    table = table.when(1, PlacePawn(animal="cleo")).tells("pawn_placed")
    table = table.when(1, RevealFood()).tells("food_revealed")
    table = table.when(1, AssignFood(animal="cleo")).tells("food_assigned")
    assert table.position.phase == "series"
