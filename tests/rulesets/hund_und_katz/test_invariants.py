"""Positions: their JSON, and the invariants that a damaged one breaks (section 12 of rules.md)."""

import re
from copy import deepcopy

import msgspec
import pytest

from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.edition import PACKAGE
from tests.rulesets.hund_und_katz.tables import SATING, a_position, animal

RULES = (PACKAGE / "rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", RULES, re.DOTALL)
POSITIONS = [msgspec.json.decode(block) for block in BLOCKS if '"phase"' in block]
MOVES = [line for block in BLOCKS if '"phase"' not in block for line in block.splitlines()]
SERIES, BLANK = POSITIONS


def test_the_positions_of_the_rules_are_read_and_written_as_they_stand_there():
    for written in POSITIONS:
        position = read_position(HUND_UND_KATZ, written)
        assert msgspec.json.decode(msgspec.json.encode(position)) == written
        assert list(msgspec.to_builtins(position)) == list(written)


def test_in_the_position_of_the_rules_seat_2_may_add_or_stop():
    (decision,) = HUND_UND_KATZ.awaited(read_position(HUND_UND_KATZ, SERIES))
    assert (decision.seat, decision.moves) == (2, ("add_food", "stop_feeding"))


@pytest.mark.parametrize("line", MOVES)
def test_the_moves_of_the_rules_are_read_and_written_as_they_stand_there(line):
    attempt = HUND_UND_KATZ.read_move(line.encode())
    assert msgspec.json.decode(msgspec.json.encode(attempt.move)) == msgspec.json.decode(line)


def damaged(changes):
    """The position of the rules with other values at some paths."""
    position = deepcopy(SERIES)
    for path, value in changes.items():
        at = position
        *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        for step in way:
            at = at[step]
        at[last] = value
    return position


CLARENCE, HAZEL = 0, 5
DECK = SERIES["food_deck"]


@pytest.mark.parametrize(
    ("invariant", "changes"),
    [
        ("I1", {"seats": SERIES["seats"][:1]}),
        ("I1", {"seats": SERIES["seats"] * 3}),
        ("I1", {"options.first_seat": 3}),
        ("I1", {"options.first_seat": -1}),
        ("I2", {"animals.1.id": "clarence"}),
        ("I2", {"animals.1.id": "rex"}),
        ("I2", {"animals": SERIES["animals"][1:]}),
        ("I2", {"active_seat": None}),
        ("I2", {"active_seat": 3}),
        ("I3", {f"animals.{HAZEL}.food": ["bone_3"] * 6}),
        ("I3", {f"animals.{CLARENCE}.pawns": [2, 0, 1, 1]}),
        ("I4", {"seats.0.stock": 4}),
        ("I4", {"seats.0.stock": -1, f"animals.{HAZEL}.pawns": [0, 0, 2]}),
        ("I4", {f"animals.{HAZEL}.pawns": [2, 3]}),
        ("I4", {f"animals.{CLARENCE}.pawns": [2, 0, 0]}),
        ("I5", {"food_deck": DECK[1:]}),
        ("I5", {"food_deck": ["fish_1", *DECK[1:]]}),
        ("I5", {"revealed": "fish_1"}),
        ("I6", {"seats.0.hand": []}),
        ("I6", {"seats.0.hand": ["swap_meals_any"]}),
        ("I6", {"seats.1.hand": ["swap_pawns", "return_pawn", "replace_pawn", "return_food"], "action_discard": [
            "swap_meals_any", "swap_meals_any", "swap_meals_same_species"]}),
        ("I7", {"phase": "scoring", "series_animal": None}),
        ("I8", {"phase": "card"}),
        ("I8", {"series_animal": None}),
        ("I8", {"series_animal": "igor"}),
        ("I8", {"series_animal": "hazel"}),
        ("I8", {"series_animal": "ginger"}),
        ("I8", {"phase": "assign", "series_animal": None}),
        ("I8", {"revealed": DECK[0], "food_deck": DECK[1:]}),
        ("I8", {"result": {"animal_values": {}, "scores": [], "ranks": [], "winners": []}}),
    ],
)  # fmt: skip
def test_a_damaged_position_names_the_invariant_it_breaks(invariant, changes):
    with pytest.raises(Malformed) as refused:
        read_position(HUND_UND_KATZ, damaged(changes))
    assert refused.value.invariant.startswith(f"{invariant}: ")


FOUR_MEALS = (SATING, ["bone_1"] * 4 + ["bone_2"], ["fish_1"] * 4 + ["fish_2"], ["fish_4"] * 4 + ["fish_5"])


@pytest.mark.parametrize(
    ("invariant", "sated", "parts"),
    [
        ("I7", 3, {"phase": "card"}),
        ("I7", 4, {"phase": "scoring"}),
        ("I7", 4, {"phase": "finished"}),
        ("I8", 3, {"phase": "finished"}),
        ("I7", 2, {"phase": "finished"}),
    ],
)
def test_a_phase_that_does_not_fit_the_sated_animals_names_its_invariant(invariant, sated, parts):
    animals = [animal(id, meal) for id, meal in zip(("igor", "hazel", "fritz", "dinah"), FOUR_MEALS, strict=True)]
    with pytest.raises(Malformed) as refused:
        HUND_UND_KATZ.check(a_position(*animals[:sated], seats=2, **parts))
    assert refused.value.invariant.startswith(f"{invariant}: ")


@pytest.mark.parametrize("full", [True, False])
def test_a_position_to_place_a_pawn_needs_a_pawn_in_stock_and_a_free_square(full):
    if full:
        places = ("argus", "bodo", "amber", "biscuit")
        animals = [animal(id, [], [seat]) for id, seat in zip(places, (0, 0, 1, 1), strict=True)]
    else:
        animals = [animal("igor", [], [0, 0, 0]), animal("hazel", [], [0, 0, 0])]
    with pytest.raises(Malformed, match=r"^I9: "):
        HUND_UND_KATZ.check(a_position(*animals, seats=2, phase="place_pawn"))


@pytest.mark.parametrize(
    "changes",
    [
        {"phase": "supper"},
        {"animals.0.food": ["milk_1"]},
        {"seats.0": {"stock": 3}},
        {"weather": "rain"},
        {"animals": 3},
    ],
)
def test_json_of_another_shape_is_no_position(changes):
    with pytest.raises(Malformed):
        read_position(HUND_UND_KATZ, damaged(changes))
