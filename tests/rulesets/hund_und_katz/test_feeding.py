"""Feeding an animal (HK-20 to HK-39)."""

import pytest

from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.feeding import (
    AddFood,
    AssignFood,
    FeedingStopped,
    FoodAssigned,
    FoodRevealed,
    RevealFood,
    StopFeeding,
)
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.turns import TurnStarted
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import SATING, a_table, animal

RETURN_FOOD = PlayAction(card="return_food", animal="igor", food="bone_1")


def fed(id, cards, **parts):
    """A table with an animal that has this number of cards, and a revealed fish of value 5."""
    return a_table(animal(id, SATING[:cards]), phase="assign", revealed="fish_5", **parts)


def in_series(id, cards, **parts):
    """A table with an animal that has this number of cards and is being fed."""
    return a_table(animal(id, SATING[:cards]), phase="series", series_animal=id, **parts)


@clause("HK-20", "HK-22")
def test_a_seat_feeds_or_plays_an_action_card_and_without_one_only_feeds():
    meal = animal("igor", ["bone_1"])
    assert a_table(meal, hands={0: ["return_food"]}).legal(0) == (RevealFood(), RETURN_FOOD)
    assert a_table(meal, hands={1: ["return_food"]}).legal(0) == (RevealFood(),)


@clause("HK-20", "HK-6")
@pytest.mark.parametrize("move", [PlacePawn(animal="igor"), AssignFood(animal="igor"), AddFood(), StopFeeding()])
def test_the_card_phase_takes_nothing_but_feeding_or_an_action_and_no_pass(move):
    a_table(animal("igor")).when(0, move).refused("HK-20")


@clause("HK-30")
def test_the_top_card_of_the_deck_is_turned():
    table = a_table(top=["fish_5", "bone_2"]).when(0, RevealFood()).says(FoodRevealed(seat=0, food="fish_5"))
    position = table.position
    assert (position.phase, position.revealed, position.food_deck[0]) == ("assign", "fish_5", "bone_2")
    assert len(position.food_deck) == 53


@clause("HK-21", "HK-31", "HK-R6")
@pytest.mark.parametrize("move", [RETURN_FOOD, RevealFood(), AddFood(), StopFeeding(), PlacePawn(animal="igor")])
def test_a_revealed_card_is_assigned_and_nothing_else_is_done_instead(move):
    table = a_table(animal("igor", ["bone_1"]), phase="assign", revealed="fish_1", hands={0: ["return_food"]})
    table.when(0, move).refused("HK-31")


@clause("HK-21")
def test_after_an_action_there_is_no_feeding_this_turn():
    table = a_table(animal("igor", ["bone_1"]), hands={0: ["return_food"]})
    table = table.when(0, RETURN_FOOD).tells("action_played", "food_returned", "turn_started")
    table.when(0, RevealFood()).refused("HK-4")


@clause("HK-32", "HK-R5")
@pytest.mark.parametrize("place", [animal("igor"), animal("hazel", [], [1]), animal("argus", ["bone_1"], [0])])
def test_any_unsated_animal_may_get_the_revealed_card(place):
    table = a_table(place, phase="assign", revealed="fish_5")
    count = len(place.food) + 1
    table = table.when(0, AssignFood(animal=place.id)).says(
        FoodAssigned(seat=0, animal=place.id, food="fish_5", count=count, sated=False)
    )
    assert table.position.animals[0].food == (*place.food, "fish_5")
    assert len(a_table(phase="assign", revealed="fish_5").legal(0)) == 6


@clause("HK-7", "HK-9")
def test_neither_a_sated_animal_nor_one_in_the_box_gets_the_card():
    table = fed("igor", 5)
    table.when(0, AssignFood(animal="igor")).refused("HK-9")
    table.when(0, AssignFood(animal="argus")).refused("HK-7")


@clause("HK-33", "HK-8", "HK-9", "HK-R7")
def test_a_fifth_card_sates_the_animal_and_ends_the_turn():
    table = (
        fed("fritz", 4)
        .when(0, AssignFood(animal="fritz"))
        .says(
            FoodAssigned(seat=0, animal="fritz", food="fish_5", count=5, sated=True),
            FeedingStopped(seat=0, reason="fifth_card"),
            TurnStarted(seat=1, phase="place_pawn"),
        )
    )
    table.when(1, PlacePawn(animal="fritz")).refused("HK-9")


@clause("HK-8")
def test_pawns_do_not_sate():
    full = animal("igor", SATING[:3], [0, 1, 2])
    table = a_table(full, phase="assign", revealed="fish_5")
    assert not table.when(0, AssignFood(animal="igor")).event(FoodAssigned).sated


@clause("HK-34", "HK-R8")
def test_a_first_card_that_is_the_animals_fourth_ends_the_turn():
    fed("igor", 3).when(0, AssignFood(animal="igor")).says(
        FoodAssigned(seat=0, animal="igor", food="fish_5", count=4, sated=False),
        FeedingStopped(seat=0, reason="fourth_card"),
        TurnStarted(seat=1, phase="place_pawn"),
    )


@clause("HK-35")
@pytest.mark.parametrize("cards", [0, 1, 2])
def test_after_a_first_second_or_third_card_the_seat_may_go_on(cards):
    table = fed("igor", cards).when(0, AssignFood(animal="igor")).tells("food_assigned")
    position = table.position
    assert (position.phase, position.series_animal, position.active_seat) == ("series", "igor", 0)
    assert table.legal(0) == (AddFood(), StopFeeding())


@clause("HK-36", "HK-6")
@pytest.mark.parametrize("move", [RevealFood(), AssignFood(animal="igor"), RETURN_FOOD, PlacePawn(animal="igor")])
def test_in_a_series_a_seat_adds_a_card_or_stops(move):
    in_series("igor", 1, hands={0: ["return_food"]}).when(0, move).refused("HK-36")


@clause("HK-37")
def test_a_further_card_goes_to_the_same_animal_whatever_it_shows():
    table = (
        in_series("hazel", 1, top=["bone_6"])
        .when(0, AddFood())
        .says(
            FoodRevealed(seat=0, food="bone_6"),
            FoodAssigned(seat=0, animal="hazel", food="bone_6", count=2, sated=False),
        )
    )
    assert (table.position.phase, table.position.series_animal) == ("series", "hazel")


@clause("HK-38", "HK-R27")
def test_a_series_ends_with_the_animals_fourth_card_counting_those_of_earlier_turns():
    table = a_table(animal("igor", SATING[:2]), active=1, top=["fish_5", "bone_6"])
    table = table.when(1, RevealFood()).tells("food_revealed")
    table = table.when(1, AssignFood(animal="igor")).tells("food_assigned")
    table.when(1, AddFood()).says(
        FoodRevealed(seat=1, food="bone_6"),
        FoodAssigned(seat=1, animal="igor", food="bone_6", count=4, sated=False),
        FeedingStopped(seat=1, reason="fourth_card"),
        TurnStarted(seat=2, phase="place_pawn"),
    )


@clause("HK-38", "HK-R9")
def test_four_cards_in_a_turn_are_the_most_and_only_for_an_animal_that_was_empty():
    table = a_table(animal("hazel")).when(0, RevealFood()).tells("food_revealed")
    table = table.when(0, AssignFood(animal="hazel")).tells("food_assigned")
    for _ in range(2):
        table = table.when(0, AddFood()).tells("food_revealed", "food_assigned")
    table = table.when(0, AddFood()).tells("food_revealed", "food_assigned", "feeding_stopped", "turn_started")
    assert len(table.position.animals[0].food) == 4


@clause("HK-39")
def test_a_seat_that_stops_feeding_ends_its_turn():
    table = (
        in_series("igor", 1)
        .when(0, StopFeeding())
        .says(FeedingStopped(seat=0, reason="chosen"), TurnStarted(seat=1, phase="place_pawn"))
    )
    assert table.position.series_animal is None
