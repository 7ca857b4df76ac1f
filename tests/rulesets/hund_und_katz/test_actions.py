"""Action cards: their form, and what all of them have in common (HK-1, HK-40 to HK-43)."""

import msgspec
import pytest
from jsonschema import Draft202012Validator

from referee.kernel.message import schema_of
from referee.rulesets.hund_und_katz.actions import EFFECTS, NAMES, PARAMETERS, PlayAction
from referee.rulesets.hund_und_katz.names import ACTIONS
from tests.clauses import clause
from tests.rulesets.hund_und_katz.tables import SATING, a_table, animal

DINNER = (
    animal("igor", ["fish_6", "bone_2"], [2, 0]),
    animal("clarence", ["bone_4"], [0, 1]),
    animal("fritz", ["bone_1"], [1]),
)
"""Two dogs and a cat, with food and pawns of everybody."""

EXAMPLES = {
    "return_food": {"animal": "igor", "food": "fish_6"},
    "swap_meals_dog_cat": {"animal_a": "igor", "animal_b": "clarence"},
    "swap_fish_and_bone": {"animal_a": "igor", "food_a": "fish_6", "animal_b": "fritz", "food_b": "bone_1"},
    "swap_meals_same_species": {"animal_a": "igor", "animal_b": "fritz"},
    "swap_two_foods": {"animal_a": "igor", "food_a": "bone_2", "animal_b": "clarence", "food_b": "bone_4"},
    "swap_meals_any": {"animal_a": "clarence", "animal_b": "fritz"},
    "swap_pawns": {"animal_a": "igor", "owner_a": 2, "animal_b": "clarence", "owner_b": 0},
    "return_pawn": {"animal": "clarence", "owner": 1},
    "replace_pawn": {"animal": "clarence", "owner": 1},
}
"""Each kind with parameters that are legal at this dinner."""

EFFECT_EVENTS = {
    "return_food": "food_returned",
    "swap_meals_dog_cat": "meals_swapped",
    "swap_fish_and_bone": "foods_swapped",
    "swap_meals_same_species": "meals_swapped",
    "swap_two_foods": "foods_swapped",
    "swap_meals_any": "meals_swapped",
    "swap_pawns": "pawns_swapped",
    "return_pawn": "pawn_returned",
    "replace_pawn": "pawn_replaced",
}

EXCHANGES = [card for card in ACTIONS if "animal_a" in EXAMPLES[card]]


def dinner(card, *animals, **parts):
    """The dinner, and seat 0 holds this card."""
    return a_table(*(animals or DINNER), hands={0: [card]}, **parts)


def asked(card, **changes):
    """The example of a card as JSON; a parameter changed to None is left out."""
    parameters = {**EXAMPLES[card], **changes}
    return {"type": "play_action", "card": card, **{name: at for name, at in parameters.items() if at is not None}}


def test_every_kind_has_its_parameters_and_its_effect():
    assert set(PARAMETERS) == set(EFFECTS) == set(ACTIONS)
    assert {"card", *NAMES} == set(PlayAction.__struct_fields__)
    assert {card: tuple(example) for card, example in EXAMPLES.items()} == PARAMETERS


@clause("HK-41", "HK-42", "HK-5")
@pytest.mark.parametrize("card", ACTIONS)
def test_an_action_is_carried_out_its_card_discarded_and_the_turn_over(card):
    table = dinner(card).when(0, asked(card)).tells("action_played", EFFECT_EVENTS[card], "turn_started")
    position = table.position
    assert position.seats[0].hand == ()
    assert position.action_discard[-1] == card
    assert (position.active_seat, position.phase) == (1, "place_pawn")


@clause("HK-1")
@pytest.mark.parametrize("card", ACTIONS)
def test_an_action_is_asked_for_with_exactly_the_parameters_of_its_card(card):
    table = dinner(card)
    for name in PARAMETERS[card]:
        table.when(0, asked(card, **{name: None})).refused("HK-1")
    spare = {"animal": "igor", "food": "bone_2", "owner": 0, "animal_a": "igor", "food_a": "bone_2", "owner_a": 0}
    for name, value in spare.items():
        if name not in PARAMETERS[card]:
            table.when(0, asked(card, **{name: value})).refused("HK-1")
    table.when(0, asked(card, reason="hunger")).refused("HK-1")


@clause("HK-1")
@pytest.mark.parametrize("card", ACTIONS)
def test_parameters_name_existing_animals_foods_and_seats(card):
    table = dinner(card)
    nonsense = {"animal": ["rex", 3, ""], "food": ["bone_7", "milk_1", 1], "owner": [3, -1, True, "0", 1.5]}
    for name in PARAMETERS[card]:
        for value in nonsense[name.split("_")[0]]:
            table.when(0, asked(card, **{name: value})).refused("HK-1")


@clause("HK-1")
@pytest.mark.parametrize("card", ["swap_everything", None, 3])
def test_there_are_no_other_action_cards(card):
    a_table().when(0, {"type": "play_action", "card": card}).refused("HK-1")
    a_table().when(0, {"type": "play_action"}).refused("HK-1")


@clause("HK-40")
@pytest.mark.parametrize("card", ACTIONS)
def test_a_card_is_played_from_the_hand_of_the_seat(card):
    a_table(*DINNER, hands={1: [card]}).when(0, asked(card)).refused("HK-40")


@clause("HK-40")
def test_a_seat_plays_one_action_card_per_turn():
    table = a_table(*DINNER, hands={0: ["return_food", "return_pawn"]})
    table = table.when(0, asked("return_food")).tells("action_played", "food_returned", "turn_started")
    table.when(0, asked("return_pawn")).refused("HK-4")


@clause("HK-42")
def test_the_first_of_two_like_cards_leaves_the_hand_and_the_others_keep_their_order():
    hand = ["return_pawn", "return_food", "return_pawn"]
    table = (
        a_table(*DINNER, hands={0: hand})
        .when(0, asked("return_pawn"))
        .tells("action_played", "pawn_returned", "turn_started")
    )
    assert table.position.seats[0].hand == ("return_food", "return_pawn")


@clause("HK-41", "HK-R12")
def test_a_card_that_cannot_be_carried_out_is_neither_played_nor_thrown_away():
    table = dinner("return_food", animal("igor"))
    table.when(0, asked("return_food")).refused("HK-44")
    assert [type(move).__name__ for move in table.legal(0)] == ["RevealFood"]


@clause("HK-7")
@pytest.mark.parametrize("card", ACTIONS)
def test_an_action_names_animals_laid_out_only(card):
    table = dinner(card)
    for name in PARAMETERS[card]:
        if name.startswith("animal"):
            table.when(0, asked(card, **{name: "argus"})).refused("HK-7")


@clause("HK-9", "HK-49", "HK-R13")
@pytest.mark.parametrize("card", ACTIONS)
def test_no_action_touches_a_sated_animal_in_any_role(card):
    for name in PARAMETERS[card]:
        if name.startswith("animal"):
            sated = EXAMPLES[card][name]
            meal = ("fish_6", "bone_2", "bone_4", "bone_1", "fish_1")
            table = dinner(
                card, *(animal(each.id, meal if each.id == sated else each.food, each.pawns) for each in DINNER)
            )
            table.when(0, asked(card)).refused("HK-9")


@clause("HK-43", "HK-R10")
@pytest.mark.parametrize("card", EXCHANGES)
def test_an_exchange_is_between_two_animals(card):
    dinner(card).when(0, asked(card, animal_b=EXAMPLES[card]["animal_a"])).refused("HK-43")


@clause("HK-43")
@pytest.mark.parametrize("card", EXCHANGES)
def test_the_order_of_the_two_animals_has_no_meaning(card):
    table = dinner(card)
    turned = {
        name: EXAMPLES[card][name.replace("_a", "_x").replace("_b", "_a").replace("_x", "_b")]
        for name in PARAMETERS[card]
    }
    assert table.when(0, asked(card, **turned)).position == table.when(0, asked(card)).position


@clause("HK-40", "HK-59", "HK-7", "HK-43", "HK-9", "HK-53", "HK-44")
def test_the_first_check_that_fails_is_cited():
    """Each move breaks every check from the cited one on."""
    sated = (animal("igor", SATING, [0, 0, 0]), animal("hazel", [], [0, 0, 0]))
    nowhere = {"animal": "argus", "owner": 2}
    dinner("return_food", *sated).when(0, asked("replace_pawn", **nowhere)).refused("HK-40")
    dinner("replace_pawn", *sated).when(0, asked("replace_pawn", **nowhere)).refused("HK-59")
    foods = {"food_a": "fish_1", "food_b": "fish_1"}
    table = dinner("swap_fish_and_bone", animal("igor", SATING), animal("fritz"), animal("hazel"))
    table.when(0, asked("swap_fish_and_bone", animal_a="argus", animal_b="argus", **foods)).refused("HK-7")
    table.when(0, asked("swap_fish_and_bone", animal_a="igor", animal_b="igor", **foods)).refused("HK-43")
    table.when(0, asked("swap_fish_and_bone", animal_a="fritz", animal_b="igor", **foods)).refused("HK-9")
    table.when(0, asked("swap_fish_and_bone", animal_a="fritz", animal_b="hazel", **foods)).refused("HK-53")
    foods["food_b"] = "bone_1"
    table.when(0, asked("swap_fish_and_bone", animal_a="fritz", animal_b="hazel", **foods)).refused("HK-44")


@pytest.mark.parametrize("card", ACTIONS)
def test_a_legal_move_is_ready_to_be_posted(card):
    """It is written with its own parameters only, and the example is among them."""
    moves = [msgspec.to_builtins(move) for move in dinner(card).legal(0) if isinstance(move, PlayAction)]
    assert asked(card) in moves
    assert all(set(move) == {"type", "card", *PARAMETERS[card]} for move in moves)


@clause("HK-1")
@pytest.mark.parametrize("card", ACTIONS)
def test_the_json_schema_accepts_actions_and_nothing_else(card):
    schema = Draft202012Validator(schema_of(PlayAction))
    schema.validate(asked(card))
    spare = {"animal": "igor", "food": "bone_2", "owner": 0, "animal_b": "igor", "food_b": "bone_2", "owner_b": 0}
    for name, value in spare.items():
        if name not in PARAMETERS[card]:
            assert not schema.is_valid(asked(card, **{name: value}))
    for name in PARAMETERS[card]:
        assert not schema.is_valid(asked(card, **{name: None}))
        assert not schema.is_valid(asked(card, **{name: -1}))
    assert not schema.is_valid(asked(card, reason="hunger"))
