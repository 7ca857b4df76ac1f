"""The two endings and the scoring (HK-60 to HK-76)."""

import pytest

from referee.kernel.ranking import Place, ranks_of
from referee.kernel.seat import REFEREE
from referee.rulesets.editions import editions_of
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.edition import EDITION
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, FoodAssigned, FoodRevealed, RevealFood
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Result
from referee.rulesets.hund_und_katz.scoring import EndReached, GameFinished, ScoreGame, animal_value
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.hund_und_katz.tables import SATING, a_position, a_table, animal, filled

EIGHT_DOGS = ("argus", "bodo", "caspar", "dante", "edda", "fritz", "gundel", "hasso")
BONES, FISH = ("bone_1", "bone_2", "bone_3", "bone_4", "bone_5"), ("fish_1", "fish_2", "fish_3", "fish_4", "fish_5")


def last_cards(cards, **parts):
    """Six seats with this number of cards in the deck: ten animals are sated, Cleo has the rest, Hazel nothing."""
    return a_table(*filled(*EIGHT_DOGS, "amber", "biscuit", "cleo", deck=cards), animal("hazel"), seats=6, **parts)


def scored(*animals, seats=2):
    """The event of the scoring of these animals, at the end of the game."""
    return a_table(*animals, seats=seats, phase="scoring").when(REFEREE, ScoreGame()).event(GameFinished)


def one_hungry(food=(), pawns=(), sated_pawns=((), (), ())):
    """Clarence is the only animal of four that is not sated."""
    meals = zip(("igor", "dinah", "argus"), (SATING, BONES, FISH), sated_pawns, strict=True)
    return (animal("clarence", food, pawns), *(animal(*meal) for meal in meals))


@clause("HK-60", "HK-63", "HK-R22", "HK-R3")
def test_the_game_ends_at_once_when_all_animals_but_one_are_sated():
    meals = (animal("igor", SATING), animal("dinah", BONES), animal("argus", FISH[:4]), animal("clarence"))
    table = a_table(*meals, seats=2, phase="assign", revealed="fish_6")
    table = table.when(0, AssignFood(animal="argus")).says(
        FoodAssigned(seat=0, animal="argus", food="fish_6", count=5, sated=True),
        EndReached(reason="penultimate_sated"),
    )
    position = table.position
    assert (position.phase, position.active_seat, position.series_animal) == ("scoring", 0, None)
    assert HUND_UND_KATZ.due(position).move == ScoreGame() and HUND_UND_KATZ.awaited(position) == ()


@clause("HK-60")
def test_with_two_animals_hungry_the_game_goes_on():
    meals = (animal("igor", SATING), animal("dinah", BONES[:4]), animal("argus"), animal("clarence"))
    table = a_table(*meals, seats=2, phase="assign", revealed="fish_6")
    table.when(0, AssignFood(animal="dinah")).tells("food_assigned", "feeding_stopped", "turn_started")


@clause("HK-61", "HK-62", "HK-R20", "HK-R21")
@pytest.mark.parametrize(("place", "count"), [("cleo", 4), ("hazel", 1)])
def test_the_last_card_ends_the_game_when_it_is_assigned_not_when_it_is_turned(place, count):
    table = last_cards(1)
    card = table.position.food_deck[0]
    table = table.when(0, RevealFood()).says(FoodRevealed(seat=0, food=card))
    assert (table.position.phase, table.position.food_deck) == ("assign", ())
    table.when(1, PlacePawn(animal="hazel")).refused("HK-4")
    table = table.when(0, AssignFood(animal=place)).says(
        FoodAssigned(seat=0, animal=place, food=card, count=count, sated=False), EndReached(reason="deck_empty")
    )
    assert (table.position.phase, table.position.series_animal) == ("scoring", None)


@clause("HK-62", "HK-61", "HK-63")
def test_the_last_card_ends_the_game_in_a_series_too():
    table = last_cards(2, phase="assign", revealed="bone_1").when(0, AssignFood(animal="hazel")).tells("food_assigned")
    assert len(table.position.food_deck) == 1
    table.when(0, AddFood()).tells("food_revealed", "food_assigned", "end_reached")


@clause("HK-63", "HK-R29")
def test_when_both_endings_coincide_the_animals_are_the_reason():
    light = editions_of(HUND_UND_KATZ)["light_meals"]
    cards = light.edition.food_cards[1:]
    meals = [*(cards[4 * sated : 4 * sated + 4] for sated in range(7)), cards[28:31], cards[31:]]
    animals = [animal(card.id, meal) for card, meal in zip(light.edition.animals, meals, strict=False)]
    table = a_table(*animals, ruleset=light, phase="assign", revealed=light.edition.food_cards[0])
    assert table.position.food_deck == ()
    *_, end = table.when(0, AssignFood(animal=animals[7].id)).events
    assert end == EndReached(reason="penultimate_sated")


@clause("HK-64")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_safe_defaults_alone_bring_a_game_to_its_end(seats):
    table = Given(HUND_UND_KATZ, HUND_UND_KATZ.blank(HUND_UND_KATZ.variants[0], seats))
    for _ in range(HUND_UND_KATZ.commits_max):
        position = table.position
        if position.phase == "finished":
            break
        due = HUND_UND_KATZ.due(position)
        seat = REFEREE if due else position.active_seat
        move = due.move if due else HUND_UND_KATZ.default(position, seat)
        table = Given(HUND_UND_KATZ, table.when(seat, move).position)
    assert table.position.phase == "finished"


@clause("HK-64")
def test_feeding_is_possible_with_one_card_and_two_hungry_animals_left():
    table = last_cards(1)
    assert RevealFood() in table.legal(0)
    table = table.when(0, RevealFood()).tells("food_revealed")
    assert table.legal(0) == (AssignFood(animal="cleo"), AssignFood(animal="hazel"))


@clause("HK-70", "HK-71", "HK-72")
@pytest.mark.parametrize(
    ("id", "food", "value"),
    [
        ("igor", (), 0),
        ("igor", ("bone_6", "bone_1"), 7),
        ("igor", ("bone_1", "fish_6"), -5),
        ("hazel", ("fish_6", "fish_1"), 7),
        ("hazel", ("fish_1", "bone_6"), -5),
        ("hazel", FISH, 15),
        ("igor", FISH, -15),
    ],
)
def test_favourite_food_counts_for_an_animal_and_other_food_against_it(id, food, value):
    assert animal_value(animal(id, food), EDITION) == value


@clause("HK-71", "HK-73")
def test_clarence_brings_red_minus_four_and_yellow_minus_two():
    result = scored(*one_hungry(food=("fish_5", "bone_3", "bone_4"), pawns=(0, 0, 1)))
    assert result.animal_values["clarence"] == -2
    assert result.scores == (-4, -2)


@clause("HK-73", "HK-74", "HK-75")
def test_the_game_is_scored():
    """Igor is worth 3 - 6 + 5 = 2, Dinah -15, Argus -15; stocks and hands count nothing."""
    animals = one_hungry(sated_pawns=((0, 0, 1), (1,), ()))
    table = a_table(*animals, seats=2, phase="scoring", hands={0: ["return_food"]})
    values = {"clarence": 0, "igor": 2, "dinah": -15, "argus": -15}
    table = table.when(REFEREE, ScoreGame()).says(
        GameFinished(animal_values=values, scores=(4, -13), ranks=(1, 2), winners=(0,))
    )
    assert table.position.phase == "finished"
    assert table.position.result == Result(animal_values=values, scores=(4, -13), ranks=(1, 2), winners=(0,))
    assert HUND_UND_KATZ.due(table.position) is None and HUND_UND_KATZ.awaited(table.position) == ()


@clause("HK-72")
def test_whether_an_animal_is_sated_makes_no_difference():
    result = scored(*one_hungry(food=("fish_6",), pawns=(0,), sated_pawns=((1,), (), ())))
    assert (result.animal_values["clarence"], result.scores) == (6, (6, 2))


@clause("HK-75", "HK-76")
@pytest.mark.parametrize(
    ("scores", "ranks"),
    [((3, 1, 2), (1, 3, 2)), ((5, 5, 4), (1, 1, 3)), ((-1, 0, -1), (2, 1, 2)), ((0, 0), (1, 1))],
)
def test_a_rank_is_one_more_than_the_seats_with_a_higher_score(scores, ranks):
    assert ranks_of(scores) == ranks


@clause("HK-76", "HK-R23")
def test_a_tie_for_the_win_is_a_shared_victory():
    result = scored(*one_hungry(food=("fish_6",), pawns=(0, 1)))
    assert (result.scores, result.ranks, result.winners) == ((6, 6), (1, 1), (0, 1))


@clause("HK-75", "HK-76")
def test_the_ranking_cites_the_clause_of_each_place():
    position = a_position(animal("hazel", ["fish_3"], [2, 1, 2]), animal("dinah", ["fish_3"], [1]))
    assert HUND_UND_KATZ.ranking(position) == (
        Place(seat=1, rank=1, score=6, clause="HK-76"),
        Place(seat=2, rank=1, score=6, clause="HK-76"),
        Place(seat=0, rank=3, score=0, clause="HK-75"),
    )
