"""The common checks and their order (HK-1 to HK-6), and what is awaited and due."""

import pytest

from referee.kernel.ruleset import Decision, Due
from referee.kernel.seat import REFEREE
from referee.rulesets.hund_und_katz import HUND_UND_KATZ
from referee.rulesets.hund_und_katz.actions import PlayAction
from referee.rulesets.hund_und_katz.feeding import AddFood, AssignFood, RevealFood, StopFeeding
from referee.rulesets.hund_und_katz.pawns import PlacePawn
from referee.rulesets.hund_und_katz.position import Options, Result
from referee.rulesets.hund_und_katz.scoring import ScoreGame
from referee.rulesets.hund_und_katz.setup import SetUp
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.hund_und_katz.tables import SATING, a_table, animal

BONES, FISH = ("bone_1", "bone_2", "bone_4", "bone_5", "bone_6"), ("fish_1", "fish_2", "fish_4", "fish_5", "fish_6")
MEALS = (animal("igor", SATING), animal("dinah", BONES), animal("argus", FISH), animal("clarence"))
NOTHING = Result(animal_values={}, scores=(0, 0), ranks=(1, 1), winners=(0, 1))


def in_phase(phase):
    """A table for two in this phase; in the open ones seat 1 is active."""
    if phase == "setup":
        return Given(HUND_UND_KATZ, HUND_UND_KATZ.blank(Options(), 2))
    if phase in ("scoring", "finished"):
        return a_table(*MEALS, seats=2, phase=phase, active=1, result=NOTHING if phase == "finished" else None)
    parts = {"assign": {"revealed": "bone_1"}, "series": {"series_animal": "igor"}}.get(phase, {})
    return a_table(animal("igor", ["bone_3"], [0]), seats=2, phase=phase, active=1, hands={1: ["return_food"]}, **parts)


PHASES = ("setup", "place_pawn", "card", "assign", "series", "scoring", "finished")
OF_SEATS = (PlacePawn(animal="igor"), RevealFood(), AssignFood(animal="igor"), AddFood(), StopFeeding())
OF_REFEREE = (SetUp(), ScoreGame())


@clause("HK-1")
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    "move",
    [
        {"type": "bark"},
        {"type": 3},
        {},
        {"type": "place_pawn"},
        {"type": "place_pawn", "animal": "rex"},
        {"type": "place_pawn", "animal": None},
        {"type": "place_pawn", "animal": "igor", "square": 1},
        {"type": "assign_food", "animal": "rex"},
        {"type": "reveal_food", "food": "bone_1"},
        {"type": "set_up", "seats": 2},
        {"type": "score_game", "winner": 0},
    ],
)
def test_an_unreadable_move_is_refused_for_its_form_before_anything_else(phase, move):
    for actor in (REFEREE, 0, 1):
        in_phase(phase).when(actor, move).refused("HK-1")


@clause("HK-2")
@pytest.mark.parametrize("phase", PHASES)
def test_only_the_referee_makes_triggers_and_only_seats_make_other_moves(phase):
    for move in OF_REFEREE:
        in_phase(phase).when(1, move).refused("HK-2")
    for move in OF_SEATS:
        in_phase(phase).when(REFEREE, move).refused("HK-2")


@clause("HK-3")
@pytest.mark.parametrize("phase", ["setup", "scoring", "finished"])
def test_no_seat_moves_before_the_set_up_or_after_the_end(phase):
    for seat in (0, 1):
        for move in OF_SEATS:
            in_phase(phase).when(seat, move).refused("HK-3")


@clause("HK-3")
@pytest.mark.parametrize("phase", PHASES)
def test_a_trigger_is_accepted_only_when_it_is_due(phase):
    due = {"setup": SetUp(), "scoring": ScoreGame()}.get(phase)
    for move in OF_REFEREE:
        if move != due:
            in_phase(phase).when(REFEREE, move).refused("HK-3")
    assert HUND_UND_KATZ.due(in_phase(phase).position) == (Due(due) if due else None)


@clause("HK-4")
@pytest.mark.parametrize("phase", ["place_pawn", "card", "assign", "series"])
def test_only_the_active_seat_moves(phase):
    for move in OF_SEATS:
        in_phase(phase).when(0, move).refused("HK-4")
    assert in_phase(phase).legal(0) == ()


@clause("HK-6", "HK-10", "HK-20", "HK-31", "HK-36")
@pytest.mark.parametrize(
    ("phase", "clause", "own"),
    [
        ("place_pawn", "HK-10", {PlacePawn}),
        ("card", "HK-20", {RevealFood}),
        ("assign", "HK-31", {AssignFood}),
        ("series", "HK-36", {AddFood, StopFeeding}),
    ],
)
def test_a_phase_takes_its_own_moves_and_cites_its_clause_to_others(phase, clause, own):
    for move in OF_SEATS:
        if type(move) in own:
            assert in_phase(phase).when(1, move).events
        else:
            in_phase(phase).when(1, move).refused(clause)


@pytest.mark.parametrize(
    ("phase", "moves"),
    [
        ("place_pawn", ("place_pawn",)),
        ("card", ("reveal_food", "play_action")),
        ("assign", ("assign_food",)),
        ("series", ("add_food", "stop_feeding")),
    ],
)
def test_the_active_seat_is_awaited_with_the_moves_of_the_phase(phase, moves):
    assert HUND_UND_KATZ.awaited(in_phase(phase).position) == (Decision(seat=1, moves=moves),)


@pytest.mark.parametrize("phase", ["setup", "scoring", "finished"])
def test_no_seat_is_awaited_in_the_other_phases(phase):
    assert HUND_UND_KATZ.awaited(in_phase(phase).position) == ()


@pytest.mark.parametrize(
    ("phase", "move"),
    [
        ("place_pawn", PlacePawn(animal="dinah")),
        ("card", RevealFood()),
        ("assign", AssignFood(animal="fritz")),
        ("series", StopFeeding()),
    ],
)
def test_the_safe_default_is_the_first_possible_animal_the_deck_or_a_stop(phase, move):
    """Igor is sated and Fritz is full, so the first pawn goes to Dinah and the first food to Fritz."""
    parts = {"assign": {"revealed": "bone_1"}, "series": {"series_animal": "fritz"}}.get(phase, {})
    animals = (animal("igor", SATING), animal("fritz", ["bone_6"], [1, 1]), animal("dinah"))
    table = a_table(*animals, phase=phase, **parts)
    assert HUND_UND_KATZ.default(table.position, 0) == move
    assert move in table.legal(0)


def test_every_way_to_play_a_card_is_listed_once_and_alike_pieces_are_one():
    animals = (animal("igor", ["bone_1", "bone_1", "fish_2"], [1, 1]), animal("hazel", ["fish_3"], [0, 1]))
    table = a_table(*animals, hands={0: ["swap_two_foods", "swap_pawns", "swap_two_foods"]})
    pairs = {"animal_a": "igor", "animal_b": "hazel"}
    assert table.legal(0) == (
        RevealFood(),
        PlayAction(card="swap_two_foods", food_a="bone_1", food_b="fish_3", **pairs),
        PlayAction(card="swap_two_foods", food_a="fish_2", food_b="fish_3", **pairs),
        PlayAction(card="swap_pawns", owner_a=1, owner_b=0, **pairs),
        PlayAction(card="swap_pawns", owner_a=1, owner_b=1, **pairs),
    )
