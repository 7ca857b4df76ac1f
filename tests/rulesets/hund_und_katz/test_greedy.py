"""The moves that the bot `greedy` chooses."""

from collections import Counter

from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.edition import EDITION
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from tests.greedy import advice
from tests.rulesets.hund_und_katz.tables import a_position, animal, filled


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


def in_series(*animals, **parts):
    """A position in which seat 0 feeds Igor and may go on or stop."""
    return a_position(*animals, phase="series", series_animal="igor", **parts)


def test_greedy_stops_a_series_that_promises_a_loss_even_if_it_is_behind():
    behind = in_series(animal("igor", ["bone_2"], [0]), animal("hasso", ["bone_6", "bone_5"], [1]))
    last = in_series(animal("igor", ["bone_6", "bone_5", "bone_4"], [0]), animal("hasso"))
    assert advice(HUND_UND_KATZ, behind, 0) == StopFeeding()
    assert advice(HUND_UND_KATZ, last, 0) == StopFeeding()


def test_greedy_goes_on_with_a_series_that_harms_the_others():
    position = in_series(animal("igor", ["bone_6"], [1]), animal("hasso"))
    assert advice(HUND_UND_KATZ, position, 0) == AddFood()


def test_greedy_stops_a_series_that_promises_nothing():
    even_cards = in_series(animal("igor", ["bone_6"], [0]), animal("hasso", ["fish_6"], [1]))
    even_pawns = in_series(animal("igor", ["fish_6"], [0, 1]), animal("hasso"))
    nobody = in_series(animal("igor", ["fish_6"]), animal("hasso"))
    for position in (even_cards, even_pawns, nobody):
        assert advice(HUND_UND_KATZ, position, 0) == StopFeeding()


def nearly_over(own, others, phase="assign", **parts):
    """Two animals are not sated: Igor, who has four cards and carries pawns, and Hazel with hers."""
    sated = filled("hasso", "gundel", deck=44)
    igor = animal("igor", ["bone_1", "bone_1", "fish_1", "fish_1"], own)
    hazel = animal("hazel", parts.pop("hazel", ()), others)
    return a_position(*sated, igor, hazel, seats=2, phase=phase, **parts)


def test_greedy_does_not_end_a_game_that_it_is_losing():
    losing = nearly_over([0], [1], revealed="bone_2", hazel=["fish_6"])
    assert advice(HUND_UND_KATZ, losing, 0) == AssignFood(animal="hazel")
    winning = nearly_over([0], [1], revealed="bone_6", hazel=["fish_1"])
    assert advice(HUND_UND_KATZ, winning, 0) == AssignFood(animal="igor")


def test_greedy_plays_any_action_card_rather_than_end_a_game_that_it_is_losing():
    four = ["fish_6", "fish_6", "fish_5", "fish_5"]
    hands = {0: ["swap_fish_and_bone"]}  # which gains nothing here
    losing = nearly_over([0], [1], phase="card", hazel=four, hands=hands)
    assert isinstance(advice(HUND_UND_KATZ, losing, 0), PlayAction)
    assert advice(HUND_UND_KATZ, nearly_over([0], [1], phase="card", hazel=four), 0) == RevealFood()
    winning = nearly_over([1], [0], phase="card", hazel=four, hands=hands)
    assert advice(HUND_UND_KATZ, winning, 0) == RevealFood()


def the_last_card(card, others):
    """Seat 0 feeds Igor, who carries its pawn, and the deck has one card left. Clarence's meal is worth 12."""
    cards = sorted((Counter(EDITION.food_cards) - Counter([card, "bone_1"])).elements())
    names = [each.id for each in EDITION.animals if each.id not in ("igor", "clarence")]
    sated = [animal(name, cards[5 * number : 5 * number + 5]) for number, name in enumerate(names[:10])]
    return in_series(animal("igor", ["bone_1"], [0]), animal("clarence", cards[50:], others), *sated, seats=6)


def test_greedy_does_not_turn_the_last_card_of_a_game_that_it_is_losing():
    ahead, behind = the_last_card("bone_4", []), the_last_card("bone_4", [1])
    assert ahead.food_deck == behind.food_deck == ("bone_4",)
    assert advice(HUND_UND_KATZ, ahead, 0) == AddFood()
    assert advice(HUND_UND_KATZ, behind, 0) == StopFeeding()


def test_greedy_replaces_a_pawn_only_where_the_animal_is_full_and_well_fed():
    hands, squares = {0: ["replace_pawn"]}, HUND_UND_KATZ.edition.squares["igor"]
    full = [1] * squares
    early = a_position(animal("igor", ["bone_6", "bone_6"], full), animal("hasso"), hands=hands)
    roomy = a_position(animal("igor", ["bone_6", "bone_6", "bone_5"], full[1:]), animal("hasso"), hands=hands)
    ripe = a_position(animal("igor", ["bone_6", "bone_6", "bone_5"], full), animal("hasso"), hands=hands)
    assert advice(HUND_UND_KATZ, early, 0) == RevealFood()
    assert advice(HUND_UND_KATZ, roomy, 0) == RevealFood()
    assert advice(HUND_UND_KATZ, ripe, 0) == PlayAction(card="replace_pawn", animal="igor", owner=1)
