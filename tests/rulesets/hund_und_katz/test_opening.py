"""A game's first moves, step by step: their events, and the position that they lead to."""

import pytest

from referee.kernel.seat import REFEREE
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import ActionPlayed, PlayAction
from referee.rulesets.hund_und_katz.feeding import (
    AddFood,
    AssignFood,
    FeedingStopped,
    FoodAssigned,
    FoodRevealed,
    RevealFood,
    StopFeeding,
)
from referee.rulesets.hund_und_katz.food_actions import MealsSwapped
from referee.rulesets.hund_und_katz.pawns import PawnPlaced, PlacePawn
from referee.rulesets.hund_und_katz.position import Options
from referee.rulesets.hund_und_katz.setup import AnimalsLaidOut, FoodShuffled, SeatEquipped, SetUp
from referee.rulesets.hund_und_katz.turns import TurnStarted
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.hund_und_katz.tables import animal

ANIMALS = ("clarence", "igor", "dinah", "argus", "fritz", "hazel")
FOOD = (
    "fish_5", "bone_3", "bone_6", "fish_2", "bone_4", "fish_1", "fish_4", "bone_4", "bone_4",
    "bone_3", "fish_6", "bone_3", "bone_4", "fish_3", "fish_2", "fish_5", "fish_2", "fish_2",
    "bone_2", "bone_1", "fish_4", "bone_5", "bone_3", "bone_5", "fish_4", "fish_6", "bone_6",
    "fish_6", "fish_2", "fish_4", "bone_5", "bone_1", "fish_3", "bone_4", "fish_3", "bone_2",
    "fish_5", "fish_1", "fish_1", "bone_2", "bone_1", "bone_3", "fish_3", "fish_5", "fish_3",
    "bone_6", "bone_2", "fish_3", "bone_2", "bone_1", "fish_4", "fish_1", "bone_3", "bone_5",
)  # fmt: skip
ACTIONS = (
    "return_food", "swap_pawns", "replace_pawn",
    "swap_meals_dog_cat", "swap_two_foods", "return_pawn",
    "swap_fish_and_bone", "swap_meals_any", "return_food",
)  # fmt: skip


def the_table_set_up():
    return Given(HUND_UND_KATZ, HUND_UND_KATZ.blank(Options(), 3)).when(
        REFEREE,
        SetUp(),
        ("shuffle_animals", ANIMALS),
        ("shuffle_food", FOOD),
        ("shuffle_actions", ACTIONS),
        ("draw_first_seat", 2),
    ).says(
        AnimalsLaidOut(animals=ANIMALS),
        FoodShuffled(food_deck=FOOD),
        *(SeatEquipped(seat=seat, pawns=6, actions=ACTIONS[3 * seat : 3 * seat + 3]) for seat in range(3)),
        TurnStarted(seat=2, phase="place_pawn"),
    )  # fmt: skip


def assigned(seat, animal, food, count):
    return FoodAssigned(seat=seat, animal=animal, food=food, count=count, sated=False)


def stopped(seat, following):
    return FeedingStopped(seat=seat, reason="chosen"), TurnStarted(seat=following, phase="place_pawn")


SWAP = PlayAction(card="swap_meals_dog_cat", animal_a="argus", animal_b="dinah")

OPENING = [
    (2, PlacePawn(animal="clarence"), [PawnPlaced(seat=2, animal="clarence")]),
    (2, RevealFood(), [FoodRevealed(seat=2, food="fish_5")]),
    (2, AssignFood(animal="clarence"), [assigned(2, "clarence", "fish_5", 1)]),
    (2, AddFood(), [FoodRevealed(seat=2, food="bone_3"), assigned(2, "clarence", "bone_3", 2)]),
    (2, StopFeeding(), stopped(2, 0)),
    (0, PlacePawn(animal="argus"), [PawnPlaced(seat=0, animal="argus")]),
    (0, RevealFood(), [FoodRevealed(seat=0, food="bone_6")]),
    (0, AssignFood(animal="argus"), [assigned(0, "argus", "bone_6", 1)]),
    (0, StopFeeding(), stopped(0, 1)),
    (1, PlacePawn(animal="argus"), "HK-13"),
    (1, PlacePawn(animal="igor"), [PawnPlaced(seat=1, animal="igor")]),
    (
        1,
        SWAP,
        [
            ActionPlayed(seat=1, card="swap_meals_dog_cat"),
            MealsSwapped(seat=1, animal_a="argus", animal_b="dinah"),
            TurnStarted(seat=2, phase="place_pawn"),
        ],
    ),
]


@pytest.fixture
def after_the_opening():
    table = the_table_set_up()
    for actor, move, outcome in OPENING:
        if isinstance(outcome, str):
            table.when(actor, move).refused(outcome)
        else:
            table = table.when(actor, move).says(*outcome)
    return table.position


@clause("HK-5", "HK-12", "HK-13", "HK-30", "HK-37", "HK-39", "HK-52")
def test_the_opening_leads_to_this_position(after_the_opening):
    position = after_the_opening
    assert position.animals == (
        animal("clarence", ["fish_5", "bone_3"], [2]),
        animal("igor", [], [1]),
        animal("dinah", ["bone_6"]),
        animal("argus", [], [0]),
        animal("fritz"),
        animal("hazel"),
    )
    assert [seat.stock for seat in position.seats] == [5, 5, 5]
    assert [len(seat.hand) for seat in position.seats] == [3, 2, 3]
    assert position.action_discard == ("swap_meals_dog_cat",)
    assert (len(position.food_deck), position.food_deck[0]) == (51, "fish_2")
    assert (position.active_seat, position.phase) == (2, "place_pawn")
