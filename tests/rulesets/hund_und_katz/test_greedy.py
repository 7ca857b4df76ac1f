"""The moves that the bot `greedy` chooses."""

from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from tests.greedy import advice
from tests.rulesets.hund_und_katz.tables import a_position, animal


def test_greedy_places_a_pawn_on_the_animal_with_the_best_meal():
    position = a_position(
        animal("igor", ["bone_4"]), animal("dinah", ["fish_6"]), animal("hazel", ["bone_6"]), phase="place_pawn"
    )
    assert advice(HUND_UND_KATZ, position, 0) == PlacePawn(animal="dinah")


def test_greedy_keeps_an_action_card_for_a_large_gain():
    hands = {0: ["swap_meals_any"]}
    small = a_position(animal("igor", ["bone_2"], [1]), animal("hasso", [], [0]), hands=hands)
    large = a_position(animal("igor", ["bone_5"], [1]), animal("hasso", [], [0]), hands=hands)
    assert advice(HUND_UND_KATZ, small, 0) == RevealFood()
    assert advice(HUND_UND_KATZ, large, 0) == PlayAction(card="swap_meals_any", animal_a="igor", animal_b="hasso")


def test_greedy_gives_good_food_to_its_own_animals_and_bad_food_to_the_others():
    table = (animal("igor", [], [0]), animal("hasso", [], [1]))
    good = a_position(*table, phase="assign", revealed="bone_5")
    wrong = a_position(*table, phase="assign", revealed="fish_5")
    assert advice(HUND_UND_KATZ, good, 0) == AssignFood(animal="igor")
    assert advice(HUND_UND_KATZ, wrong, 0) == AssignFood(animal="hasso")


def test_greedy_goes_on_with_a_series_where_the_unseen_cards_are_likely_to_help():
    fishy = a_position(animal("igor", ["fish_6"], [0]), animal("hasso"), phase="series", series_animal="igor")
    bony = a_position(animal("igor", ["bone_6"], [0]), animal("hasso"), phase="series", series_animal="igor")
    assert advice(HUND_UND_KATZ, fishy, 0) == AddFood()
    assert advice(HUND_UND_KATZ, bony, 0) == StopFeeding()


def test_greedy_gambles_when_it_is_behind():
    behind = a_position(
        animal("igor", ["bone_2"], [0]),
        animal("hasso", ["bone_6", "bone_5"], [1]),
        phase="series",
        series_animal="igor",
    )
    ahead = a_position(animal("igor", ["bone_6"], [0]), animal("hasso"), phase="series", series_animal="igor")
    assert advice(HUND_UND_KATZ, behind, 0) == AddFood()
    assert advice(HUND_UND_KATZ, ahead, 0) == StopFeeding()


def test_greedy_brings_an_animal_to_four_cards():
    meal = ["bone_6", "bone_5", "bone_4"]
    position = a_position(animal("igor", meal, [0]), animal("hasso"), phase="series", series_animal="igor")
    assert advice(HUND_UND_KATZ, position, 0) == AddFood()


def test_greedy_replaces_a_pawn_only_where_the_animal_is_full_and_well_fed():
    hands, squares = {0: ["replace_pawn"]}, HUND_UND_KATZ.edition.squares["igor"]
    full = [1] * squares
    early = a_position(animal("igor", ["bone_6", "bone_6"], full), animal("hasso"), hands=hands)
    roomy = a_position(animal("igor", ["bone_6", "bone_6", "bone_5"], full[1:]), animal("hasso"), hands=hands)
    ripe = a_position(animal("igor", ["bone_6", "bone_6", "bone_5"], full), animal("hasso"), hands=hands)
    assert advice(HUND_UND_KATZ, early, 0) == RevealFood()
    assert advice(HUND_UND_KATZ, roomy, 0) == RevealFood()
    assert advice(HUND_UND_KATZ, ripe, 0) == PlayAction(card="replace_pawn", animal="igor", owner=1)
