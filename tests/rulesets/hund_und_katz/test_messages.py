"""A refusal names the thing and the numbers, and each message has one cause."""

import pytest

from referee.kernel.rejection import Rejection
from referee.kernel.seat import REFEREE
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Options
from referee.rulesets.hund_und_katz.scoring import ScoreGame
from referee.rulesets.hund_und_katz.setup import SetUp
from tests.rulesets.hund_und_katz.tables import SATING, a_table, animal

ANIMALS = (
    animal("igor", ["fish_6", "bone_2"], [2, 0]),
    animal("clarence", ["bone_4"], [0, 1, 1]),
    animal("fritz"),
    animal("hazel", SATING),
    animal("argus"),
    animal("dante"),
)
PLACING = a_table(*ANIMALS, phase="place_pawn")
CARD = a_table(*ANIMALS)
ASSIGNING = a_table(*ANIMALS, phase="assign", revealed="fish_3")
IN_SERIES = a_table(*ANIMALS, phase="series", series_animal="igor")


def play(card, **named):
    """A table where seat 0 holds this card and tries to play it."""
    return a_table(*ANIMALS, hands={0: [card]}).when(0, PlayAction(card=card, **named))


@pytest.mark.parametrize(
    ("table", "actor", "move", "clause", "message"),
    [
        (
            PLACING,
            0,
            PlacePawn(animal="rex"),
            "HK-1",
            "There is no animal rex; the animals of the box are argus, ",
        ),
        (CARD, 0, ScoreGame(), "HK-2", "Only the referee makes `score_game`; you are seat 0."),
        (CARD, REFEREE, RevealFood(), "HK-2", "Only a seat makes `reveal_food`, not the referee."),
        (CARD, REFEREE, SetUp(), "HK-3", "`set_up` is not due in the phase card."),
        *(
            (table, 1, RevealFood(), "HK-4", f"It is the turn of seat 0, which must {doing}; you are seat 1.")
            for table, doing in (
                (PLACING, "place a pawn"),
                (CARD, "turn a food card or play an action card"),
                (ASSIGNING, "assign the revealed food card fish_3 to an animal"),
                (IN_SERIES, "add another food card for igor, which has 2, or stop"),
            )
        ),
        (
            PLACING,
            0,
            RevealFood(),
            "HK-10",
            "`reveal_food` is not possible now: first place a pawn, of which you have 4 in stock, on one of igor, ",
        ),
        (
            CARD,
            0,
            StopFeeding(),
            "HK-20",
            "`stop_feeding` is not possible now: turn a food card; you have no action card left.",
        ),
        (
            a_table(*ANIMALS, hands={0: ["swap_pawns", "return_pawn"]}),
            0,
            PlacePawn(animal="igor"),
            "HK-20",
            "`place_pawn` is not possible now: you have placed a pawn in this turn; turn a food card or play an ",
        ),
        (
            a_table(animal("igor", pawns=[0, 0, 0]), animal("clarence", pawns=[0, 0, 0])),
            0,
            PlacePawn(animal="hazel"),
            "HK-20",
            "`place_pawn` is not possible now: you have no pawn in stock; turn a food card; ",
        ),
        (
            a_table(
                animal("argus", pawns=[1]),
                animal("bodo", pawns=[0]),
                animal("igor", SATING),
                animal("caspar", pawns=[1]),
                seats=2,
            ),
            0,
            PlacePawn(animal="argus"),
            "HK-20",
            "`place_pawn` is not possible now: no unsated animal has a free square; turn a food card; ",
        ),
        (
            ASSIGNING,
            0,
            AddFood(),
            "HK-31",
            "`add_food` is not possible now: assign the revealed food card fish_3 to an animal.",
        ),
        (
            IN_SERIES,
            0,
            RevealFood(),
            "HK-36",
            "`reveal_food` is not possible now: add another food card for igor, which has 2, or stop.",
        ),
        (
            PLACING,
            0,
            PlacePawn(animal="bodo"),
            "HK-7",
            "bodo is not laid out in this game; the animals laid out are igor, clarence, fritz, hazel, argus, dante.",
        ),
        (
            ASSIGNING,
            0,
            AssignFood(animal="hazel"),
            "HK-9",
            "hazel is sated, with 5 food cards: its food and its pawns stay as they are until the scoring.",
        ),
        (PLACING, 0, PlacePawn(animal="clarence"), "HK-13", "clarence has no free square: pawns stand on 3 of 3."),
        (
            CARD,
            0,
            PlayAction(card="return_pawn", animal="igor", owner=0),
            "HK-40",
            "You do not hold return_pawn; you have no action card left.",
        ),
    ],
)
def test_a_refusal_names_the_thing_and_the_numbers(table, actor, move, clause, message):
    refused = table.when(actor, move)
    refused.refused(clause)
    assert refused.verdict.message.startswith(message)


@pytest.mark.parametrize(
    ("card", "named", "clause", "message"),
    [
        (
            "return_pawn",
            {"animal": "igor"},
            "HK-1",
            "return_pawn is played with animal, owner, and nothing else; owner missing.",
        ),
        (
            "return_pawn",
            {"animal_a": "igor", "owner": 0, "food": "fish_6"},
            "HK-1",
            "return_pawn is played with animal, owner, and nothing else; animal missing and food, animal_a too many.",
        ),
        ("return_pawn", {"animal": "igor", "owner": 3}, "HK-1", "There is no seat 3; the seats are 0 to 2."),
        (
            "swap_meals_any",
            {"animal_a": "igor", "animal_b": "igor"},
            "HK-43",
            "An exchange takes two different animals, not igor twice.",
        ),
        (
            "return_food",
            {"animal": "igor", "food": "fish_1"},
            "HK-44",
            "No fish_1 card lies at igor; its food cards are fish_6, bone_2.",
        ),
        (
            "return_food",
            {"animal": "fritz", "food": "fish_1"},
            "HK-44",
            "No fish_1 card lies at fritz; it has no food card.",
        ),
        (
            "return_pawn",
            {"animal": "clarence", "owner": 2},
            "HK-45",
            "Seat 2 has no pawn on clarence; the pawns there belong to seat 0, seat 1.",
        ),
        ("return_pawn", {"animal": "fritz", "owner": 2}, "HK-45", "Seat 2 has no pawn on fritz; no pawn stands there."),
        (
            "swap_meals_any",
            {"animal_a": "fritz", "animal_b": "argus"},
            "HK-46",
            "Neither fritz nor argus has a food card to exchange.",
        ),
        (
            "swap_meals_dog_cat",
            {"animal_a": "igor", "animal_b": "fritz"},
            "HK-52",
            "igor and fritz are both dogs; this card takes a dog and a cat.",
        ),
        (
            "swap_fish_and_bone",
            {"animal_a": "igor", "food_a": "bone_2", "animal_b": "clarence", "food_b": "bone_4"},
            "HK-53",
            "bone_2 and bone_4 are both bone cards; this card takes a bone card and a fish card.",
        ),
        (
            "swap_meals_same_species",
            {"animal_a": "igor", "animal_b": "clarence"},
            "HK-54",
            "igor and clarence are a dog and a cat; this card takes two of one species.",
        ),
    ],
)
def test_a_refused_action_card_names_what_is_wrong(card, named, clause, message):
    refused = play(card, **named)
    refused.refused(clause)
    assert refused.verdict.message == message


def test_a_card_that_the_seat_does_not_hold_is_refused_with_its_hand():
    table = a_table(*ANIMALS, hands={0: ["return_food", "swap_pawns"]})
    refused = table.when(0, PlayAction(card="return_pawn", animal="igor", owner=0))
    assert refused.verdict.message == "You do not hold return_pawn; your hand is return_food, swap_pawns."


def test_a_pawn_is_replaced_only_from_a_stock():
    animals = (animal("igor", pawns=[0, 0, 0]), animal("clarence", pawns=[0, 0, 0]))
    refused = a_table(*animals, hands={0: ["replace_pawn"]}).when(
        0, PlayAction(card="replace_pawn", animal="igor", owner=0)
    )
    assert refused.verdict.message == (
        "`replace_pawn` takes a pawn from your stock, which is empty: all 6 of your pawns stand on animals."
    )


@pytest.mark.parametrize(
    ("options", "seats", "message"),
    [
        (Options(), 7, "The game takes 2 to 6 seats, not 7."),
        (Options(first_seat=2), 2, "`first_seat` is null or a seat from 0 to 1, not 2."),
    ],
)
def test_a_refusal_of_options_names_what_is_possible(options, seats, message):
    with pytest.raises(Rejection) as refused:
        HUND_UND_KATZ.blank(options, seats)
    assert refused.value.message == message
