"""Validity of a move (section 4.1), awaited decisions, safe defaults and triggers (sections 6 and 8)."""

import pytest

from referee.kernel.judge import legal_moves
from referee.kernel.message import tag
from referee.kernel.ruleset import Due
from referee.kernel.seat import REFEREE
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import counted
from referee.rulesets.catham_city.factions.journalists import CashIn
from referee.rulesets.catham_city.factions.mafia import SurrenderCards
from referee.rulesets.catham_city.position import Options, Pending
from referee.rulesets.catham_city.questions import Decline
from referee.rulesets.catham_city.resolving import ResolveAnswers
from referee.rulesets.catham_city.setup import SetUp
from referee.rulesets.catham_city.taking import TakeCards
from referee.rulesets.catham_city.turns import DiscardExcess
from tests.clauses import clause
from tests.given import Given
from tests.rulesets.catham_city.tables import DECLINED, asked, given, heap, row

FIVE = "JDSRM"

TABLES: dict[str, Given] = {
    "setup": Given(CATHAM_CITY, CATHAM_CITY.blank(Options(), 2)),
    "turn": given("J2 D4 S3", "S4", factions=FIVE),
    "journalists_answers": given(
        "S1", "S4", factions=FIVE, phase="journalists_answers", on_table="J2", pending=asked(None, None)
    ),
    "journalists_cash_in": given(
        "S1",
        "S4",
        factions=FIVE,
        phase="journalists_cash_in",
        on_table="J2",
        journalists_bonus="active",
        pending=Pending(given=counted(("journalist", "detective", "scientist", "robocat", "mafia"), row("S"))),
    ),
    "detectives_answers": given(
        "S1", "S4", factions=FIVE, phase="detectives_answers", on_table="D4", pending=asked(None, None, faction="D")
    ),
    "mafia_answers": given(
        "S1", "D1 S4", factions=FIVE, phase="mafia_answers", on_table="M4", pending=asked(None, None)
    ),
    "discard_excess": given("D4 S8", "S1", factions=FIVE, phase="discard_excess"),
    "finished": given("S1", "S4", factions=FIVE, phase="finished", influence=(16, 3)),
}
"""One table in each phase."""

MOVES = {
    "set_up": {},
    "take_cards": {"faction": "detective", "count": 1},
    "play_journalists": {},
    "play_detectives": {"extra": "scientist"},
    "play_bureaucrats": {"count": 1},
    "play_scientists": {},
    "play_robocats": {"mode": "draw"},
    "play_mafia": {},
    "play_police": {"count": 1, "extra": "scientist", "target": 1},
    "play_hackers": {"count": 1, "target": 1},
    "discard_excess": {"cards": ["scientist"]},
    "give_card": {"faction": "scientist"},
    "match_card": {},
    "decline": {},
    "surrender_cards": {"cards": ["scientist", "scientist"]},
    "surrender_influence": {},
    "cash_in": {"cards": []},
    "resolve_answers": {},
}
"""Every type of move with parameters of the right form."""

BELONGS = {
    "setup": {"set_up"},
    "turn": {name for name in MOVES if name.startswith("play_")} | {"take_cards"},
    "journalists_answers": {"give_card", "decline", "resolve_answers"},
    "journalists_cash_in": {"cash_in"},
    "detectives_answers": {"match_card", "decline", "resolve_answers"},
    "mafia_answers": {"surrender_cards", "surrender_influence", "resolve_answers"},
    "discard_excess": {"discard_excess"},
}


def test_the_ruleset_has_exactly_the_moves_of_the_rules():
    assert set(CATHAM_CITY.moves) == set(MOVES)
    assert set(CATHAM_CITY.triggers) == {"set_up", "resolve_answers"}


@clause("CC-1")
@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("actor", [0, 1, REFEREE])
def test_a_finished_game_accepts_nothing(name, actor):
    TABLES["finished"].when(actor, {"type": name, **MOVES[name]}).refused("CC-1")


@clause("CC-1")
def test_a_finished_game_refuses_even_an_unreadable_move():
    TABLES["finished"].when(0, {"type": "castle"}).refused("CC-1")


@clause("CC-2")
@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"type": "castle"},
        {"type": 7},
        {"type": None},
        {"type": "TakeCards", "faction": "detective", "count": 1},
        {"type": "take_cards"},
        {"type": "take_cards", "faction": "detective"},
        {"type": "take_cards", "faction": "detective", "count": "1"},
        {"type": "take_cards", "faction": "detective", "count": True},
        {"type": "take_cards", "faction": "detective", "count": 1.5},
        {"type": "take_cards", "faction": "detective", "count": None},
        {"type": "take_cards", "faction": "cats", "count": 1},
        {"type": "take_cards", "faction": "Detective", "count": 1},
        {"type": "take_cards", "faction": "detective", "count": 1, "seat": 0},
        {"type": "play_journalists", "count": 2},
        {"type": "play_robocats", "mode": "both"},
        {"type": "play_robocats"},
        {"type": "play_police", "count": 1, "extra": "scientist", "target": "1"},
        {"type": "play_hackers", "count": 1, "target": None},
        {"type": "discard_excess", "cards": "scientist"},
        {"type": "discard_excess", "cards": ["cats"]},
        {"type": "cash_in", "cards": {}},
        {"type": "resolve_answers", "now": True},
    ],
)
def test_a_malformed_move_is_refused_before_anything_else(raw):
    TABLES["turn"].when(1, raw).refused("CC-2")


@clause("CC-2")
@pytest.mark.parametrize("name", MOVES)
def test_every_parameter_is_needed_and_no_other_is_taken(name):
    table = TABLES["turn"]
    table.when(0, {"type": name, **MOVES[name], "further": 1}).refused("CC-2")
    for missing in MOVES[name]:
        rest = {key: value for key, value in MOVES[name].items() if key != missing}
        table.when(0, {"type": name, **rest}).refused("CC-2")


@clause("CC-3")
@pytest.mark.parametrize("phase", BELONGS)
def test_a_move_in_another_phase_is_refused_for_every_actor(phase):
    for name in MOVES.keys() - BELONGS[phase]:
        for actor in (0, 1, REFEREE, 9):
            TABLES[phase].when(actor, {"type": name, **MOVES[name]}).refused("CC-3")


@clause("CC-4")
@pytest.mark.parametrize("phase", BELONGS)
def test_a_trigger_is_made_by_the_referee_and_a_move_by_an_awaited_seat_only(phase):
    table = TABLES[phase]
    awaited = {decision.seat for decision in CATHAM_CITY.awaited(table.position)}
    for name in BELONGS[phase]:
        strangers = {0, 1, 2, -1} if name in CATHAM_CITY.triggers else {0, 1, 2, -1, REFEREE} - awaited
        for actor in strangers:
            table.when(actor, {"type": name, **MOVES[name]}).refused("CC-4")


@clause("CC-4")
def test_a_second_answer_is_refused():
    table = TABLES["detectives_answers"].when(1, Decline()).tells("answer_locked")
    table.when(1, Decline()).refused("CC-4")


@clause("CC-4")
def test_a_seat_that_is_not_asked_cannot_answer():
    table = given("", "", "S1", phase="detectives_answers", on_table="D4", pending=asked(None, None, None, faction="D"))
    table.when(1, Decline()).refused("CC-4")
    table.when(0, Decline()).refused("CC-4")
    table.when(2, Decline()).tells("answer_locked")


@clause("CC-5")
@pytest.mark.parametrize("phase", ["journalists_answers", "detectives_answers", "mafia_answers"])
def test_answers_are_not_carried_out_before_the_last_one(phase):
    TABLES[phase].when(REFEREE, ResolveAnswers()).refused("CC-5")


@clause("CC-5")
def test_the_resolution_is_due_at_once_when_nobody_is_awaited():
    table = TABLES["detectives_answers"]
    assert CATHAM_CITY.due(table.position) is None
    answered = table.when(1, Decline()).tells("answer_locked")
    assert CATHAM_CITY.awaited(answered.position) == ()
    assert CATHAM_CITY.due(answered.position) == Due(ResolveAnswers(), after_ms=0)


def test_the_set_up_is_due_at_once_and_nothing_after_the_end():
    assert CATHAM_CITY.due(TABLES["setup"].position) == Due(SetUp(), after_ms=0)
    assert CATHAM_CITY.awaited(TABLES["setup"].position) == ()
    assert CATHAM_CITY.due(TABLES["finished"].position) is None
    assert CATHAM_CITY.awaited(TABLES["finished"].position) == ()


@pytest.mark.parametrize("phase", [phase for phase in BELONGS if phase != "setup"])
def test_awaited_decisions_list_the_moves_of_the_phase(phase):
    for decision in CATHAM_CITY.awaited(TABLES[phase].position):
        assert set(decision.moves) == BELONGS[phase] - {"resolve_answers"}
        assert decision.obliged


def test_answers_change_nothing_but_the_answers():
    table = TABLES["journalists_answers"]
    after = table.when(1, Decline()).position
    assert after.pending == asked(None, DECLINED)
    changed = {name for name in after.__struct_fields__ if getattr(after, name) != getattr(table.position, name)}
    assert changed == {"pending"}


@pytest.mark.parametrize(
    ("phase", "seat", "move"),
    [
        ("turn", 0, TakeCards(faction="journalist", count=1)),
        ("journalists_answers", 1, Decline()),
        ("detectives_answers", 1, Decline()),
        ("mafia_answers", 1, SurrenderCards(cards=heap("D1 S1"))),
        ("discard_excess", 0, DiscardExcess(cards=heap("D2"))),
        ("journalists_cash_in", 0, CashIn(cards=row("S"))),
    ],
)
def test_safe_defaults_are_the_first_in_the_canonical_order(phase, seat, move):
    table = TABLES[phase]
    assert CATHAM_CITY.default(table.position, seat) == move
    assert table.when(seat, move).events


@clause("CC-9")
def test_every_awaited_seat_has_a_legal_move():
    for phase in BELONGS.keys() - {"setup"}:
        for decision in CATHAM_CITY.awaited(TABLES[phase].position):
            assert legal_moves(CATHAM_CITY, TABLES[phase].position, decision.seat)


def test_answers_are_secret_moves_and_no_other():
    secret = {tag(kind) for kind in CATHAM_CITY.moves.values() if kind.secret}
    assert secret == {"give_card", "match_card", "decline", "surrender_cards", "surrender_influence"}
