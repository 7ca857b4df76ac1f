"""What a plain but sensible player does."""

import pytest

from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from tests.greedy import advice, assert_advice_is_that_of_the_view, end_of_game, wins_against_random
from tests.rulesets.hund_und_katz.table import a_position, animal


@pytest.mark.parametrize("seats", HUND_UND_KATZ.seats)
def test_games_of_greedy_seats_end(seats):
    assert end_of_game(HUND_UND_KATZ, seats, range(seats), "end").phase == "finished"


def test_greedy_wins_most_games_against_random():
    assert wins_against_random(HUND_UND_KATZ, 2, games=10) >= 7
    assert wins_against_random(HUND_UND_KATZ, 4, games=8) >= 4


def test_the_advice_follows_from_the_view():
    assert_advice_is_that_of_the_view(HUND_UND_KATZ, 3)


def test_a_pawn_goes_to_the_animal_that_is_fed_best():
    position = a_position(
        animal("igor", ["bone_4"]), animal("dinah", ["fish_6"]), animal("hazel", ["bone_6"]), phase="place_pawn"
    )
    assert advice(HUND_UND_KATZ, position, 0) == PlacePawn(animal="dinah")


def test_an_action_card_is_kept_for_a_large_gain():
    hands = {0: ["swap_meals_any"]}
    small = a_position(animal("igor", ["bone_2"], [1]), animal("hasso", [], [0]), hands=hands)
    large = a_position(animal("igor", ["bone_5"], [1]), animal("hasso", [], [0]), hands=hands)
    assert advice(HUND_UND_KATZ, small, 0) == RevealFood()
    assert advice(HUND_UND_KATZ, large, 0) == PlayAction(card="swap_meals_any", animal_a="igor", animal_b="hasso")


def test_good_food_goes_to_the_own_animal_and_wrong_food_to_the_others():
    table = (animal("igor", [], [0]), animal("hasso", [], [1]))
    good = a_position(*table, phase="assign", revealed="bone_5")
    wrong = a_position(*table, phase="assign", revealed="fish_5")
    assert advice(HUND_UND_KATZ, good, 0) == AssignFood(animal="igor")
    assert advice(HUND_UND_KATZ, wrong, 0) == AssignFood(animal="hasso")


def test_a_series_goes_on_where_the_unseen_cards_are_likely_to_help():
    fishy = a_position(animal("igor", ["fish_6"], [0]), animal("hasso"), phase="series", series_animal="igor")
    bony = a_position(animal("igor", ["bone_6"], [0]), animal("hasso"), phase="series", series_animal="igor")
    assert advice(HUND_UND_KATZ, fishy, 0) == AddFood()
    assert advice(HUND_UND_KATZ, bony, 0) == StopFeeding()
