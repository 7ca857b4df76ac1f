"""The position and its invariants (section 12)."""

from copy import deepcopy

import msgspec
import pytest

from referee.kernel.judge import read_position
from referee.kernel.rejection import Malformed
from referee.kernel.seat import Seat
from referee.rulesets.catham_city import CATHAM_CITY
from referee.rulesets.catham_city.cards import counted, in_order
from referee.rulesets.catham_city.position import Options, Pending, Position, Revealed
from tests.clauses import clause
from tests.rulesets.catham_city.tables import asked, given, row, surrenders

FIVE = ["detective", "scientist", "robocat", "mafia", "hacker"]


def counts(*numbers):
    return dict(zip(FIVE, numbers, strict=True))


EXAMPLE = {
    "ruleset": "catham-city",
    "options": {"factions": FIVE, "expert": False, "first_seat": None, "journalists_bonus": "giver"},
    "phase": "detectives_answers",
    "seats": [
        {"hand": counts(0, 2, 1, 1, 1), "influence": 9},
        {"hand": counts(1, 1, 2, 1, 2), "influence": 6},
        {"hand": counts(0, 2, 1, 3, 0), "influence": 7},
        {"hand": counts(1, 3, 1, 2, 1), "influence": 4},
    ],
    "active_seat": 0,
    "actions_left": 1,
    "market": counts(2, 1, 2, 1, 1),
    "draw_pile": list(row("RSMDH RSDDH RD")),
    "discard_pile": counts(4, 4, 5, 6, 7),
    "table": counts(3, 0, 0, 0, 1),
    "pending": {
        "faction": "hacker",
        "answers": [None, {"answer": "match_card", "faction": None, "cards": None}, None, None],
    },
    "revealed": None,
}
"""Four players; seat 0 has played three detectives and a hacker, seat 1 has locked a match."""


def written(position: Position) -> dict:
    return msgspec.json.decode(msgspec.json.encode(position))


def changed(raw, path, value):
    copied = deepcopy(raw)
    *steps, last = path
    part = copied
    for step in steps:
        part = part[step]
    part[last] = value
    return copied


def invariant_of(raw) -> str:
    with pytest.raises(Malformed) as broken:
        read_position(CATHAM_CITY, raw)
    return broken.value.invariant


@clause("CC-35")
def test_the_example_of_the_rules_reads_checks_and_is_written_back_as_it_was():
    position = read_position(CATHAM_CITY, EXAMPLE)
    assert written(position) == EXAMPLE
    assert [decision.seat for decision in CATHAM_CITY.awaited(position)] == [2, 3]
    assert CATHAM_CITY.due(position) is None


@pytest.mark.parametrize(
    ("path", "value", "invariant"),
    [
        (("ruleset",), "hund-und-katz", "Invalid enum value 'hund-und-katz'"),
        (("phase",), "night", "Invalid enum value 'night'"),
        (("further",), 1, "Object contains unknown field"),
        (("seats",), EXAMPLE["seats"][:1], "Invariant 0 (CC-S2)"),
        (("seats",), EXAMPLE["seats"] * 2, "Invariant 0 (CC-S2)"),
        (("options", "factions"), FIVE[:4], "Invariant 0 (CC-S1)"),
        (("options", "factions"), [*FIVE[:4], "cat"], "Invariant 0 (CC-S1)"),
        (("options", "factions"), [*FIVE[:4], "mafia"], "Invariant 0 (CC-S1)"),
        (("options", "factions"), FIVE[::-1], "Invariant 0: the factions are in the canonical order"),
        (("options", "first_seat"), 4, "Invariant 0 (CC-S3)"),
        (("options", "first_seat"), -1, "Invariant 0 (CC-S3)"),
        (("options", "expert"), 1, "Expected `bool`"),
        (("options", "journalists_bonus"), "both", "Invalid enum value 'both'"),
        (("options", "factions"), [*FIVE[:4], "police"], "exactly the factions in play"),
        (("options", "factions"), ["bureaucrat", *FIVE[1:]], "exactly the factions in play"),
        (("market",), {"detective": 7}, "Count maps: the market"),
        (("market", "police"), 0, "Count maps: the market"),
        (("table", "cat"), 0, "Object contains unknown field"),
        (("seats", 2, "hand", "detective"), -1, "Count maps: no number of the hand of seat 2 is negative"),
        (("draw_pile", 0), "police", "The draw pile has only cards of the factions in play"),
        (("active_seat",), None, "The active seat is a seat of the game"),
        (("active_seat",), 4, "The active seat is a seat of the game"),
        (("active_seat",), -1, "The active seat is a seat of the game"),
        (("seats", 2, "hand", "detective"), 1, "Invariant 1: there are 15 detective cards, not 16"),
        (("draw_pile", 0), "scientist", "Invariant 1: there are 15 scientist cards, not 16"),
        (("draw_pile",), [], "Invariant 1"),
        (("discard_pile", "hacker"), 6, "Invariant 1: there are 15 hacker cards, not 14"),
        (("seats", 0, "influence"), -1, "Invariant 4: no influence is negative"),
        (("seats", 0, "influence"), 13, "Invariant 4: until the end every seat is below 13"),
        (("phase",), "turn", "Invariant 6: in turn `pending` is null"),
        (("phase",), "mafia_answers", "Invariant 6: `pending.faction` is set for detectives only"),
        (("pending",), None, "Invariant 6: in detectives_answers"),
        (("pending",), {"given": counts(0, 0, 0, 0, 1)}, "Invariant 6: in detectives_answers"),
        (("pending", "given"), counts(0, 0, 0, 0, 1), "Invariant 6: in detectives_answers"),
        (("pending", "faction"), None, "Invariant 6: in detectives_answers `pending.faction`"),
        (("pending", "faction"), "police", "Invariant 6: in detectives_answers `pending.faction`"),
        (("pending", "faction"), "mafia", "Invariant 5: in detectives_answers the table holds"),
        (("pending", "answers"), [None] * 3, "Invariant 6: `pending.answers` has one entry per seat"),
        (("pending", "answers", 0), {"answer": "decline", "faction": None, "cards": None}, "the active seat has no"),
        (("pending", "answers", 2), EXAMPLE["pending"]["answers"][1], "Invariant 6: the answer of seat 2 is legal"),
        (("pending", "answers", 1, "faction"), "hacker", "Invariant 6: the answer of seat 1 is legal"),
        (("pending", "answers", 1, "cards"), [], "Invariant 6: the answer of seat 1 is legal"),
        (("pending", "answers", 1, "answer"), "give_card", "Invariant 6: the answer of seat 1 is legal"),
        (("pending", "answers", 1, "answer"), "surrender_influence", "Invariant 6: the answer of seat 1 is legal"),
        (("pending", "answers", 1, "answer"), "pass", "Invalid enum value 'pass'"),
        (("actions_left",), 0, "Invariant 7: 1 to 1 actions are left"),
        (("actions_left",), 2, "Invariant 7: 1 to 1 actions are left"),
        (("revealed",), {"seat": 1, "cards": ["hacker"]}, "Invariant 9: in detectives_answers `revealed` is null"),
    ],
)
def test_a_damaged_position_names_what_it_breaks(path, value, invariant):
    assert invariant in invariant_of(changed(EXAMPLE, path, value))


def test_a_market_that_is_not_full_breaks_invariant_2():
    raw = changed(changed(EXAMPLE, ("market", "detective"), 1), ("discard_pile", "detective"), 5)
    assert invariant_of(raw) == "Invariant 2: the market sums to 7."


@clause("CC-16")
@pytest.mark.parametrize(
    ("phase", "hands", "influence"),
    [("turn", ("D11", ""), (0, 0)), ("discard_excess", ("D11", "S11"), (0, 0)), ("finished", ("D1", "S11"), (16, 0))],
)
def test_a_hand_beyond_the_limit_breaks_invariant_3(phase, hands, influence):
    raw = written(given("", "").position)
    for seat, cards in enumerate(hands):
        letter, number = cards[:1], int(cards[1:] or 0)
        if number:
            raw = moved_to_hand(raw, seat, row(letter)[0], number)
        raw = changed(raw, ("seats", seat, "influence"), influence[seat])
    assert "Invariant 3: the hand of seat" in invariant_of(changed(raw, ("phase",), phase))


def moved_to_hand(raw, seat, faction, number):
    rest = list(raw["draw_pile"])
    for _ in range(number):
        rest.remove(faction)
    return changed(changed(raw, ("draw_pile",), rest), ("seats", seat, "hand", faction), number)


@clause("CC-17")
def test_a_discard_without_excess_breaks_invariant_3():
    raw = changed(written(given("D10", "").position), ("phase",), "discard_excess")
    assert invariant_of(raw) == "Invariant 3: in discard_excess the active hand has more than 10 cards."


@clause("CC-16", "CC-R9")
@pytest.mark.parametrize("phase", ["discard_excess", "finished"])
def test_the_active_hand_may_be_larger_where_an_effect_has_just_ended(phase):
    influence = (16, 0) if phase == "finished" else (0, 0)
    assert given("D12", "", phase=phase, influence=influence)


@clause("CC-64", "CC-65")
@pytest.mark.parametrize("influence", [(15, 15), (16, 16)])
def test_an_end_without_exactly_one_winner_breaks_invariant_4(influence):
    raw = written(given("", "", phase="finished", influence=(16, 0)).position)
    for seat, each in enumerate(influence):
        raw = changed(raw, ("seats", seat, "influence"), each)
    assert invariant_of(raw) == "Invariant 4: at the end exactly one seat has reached 16 influence."


@clause("CC-25")
@pytest.mark.parametrize("phase", ["turn", "discard_excess"])
def test_cards_on_the_table_between_two_effects_break_invariant_5(phase):
    raw = written(given("D12" if phase == "discard_excess" else "", "", phase=phase, discarded="S1").position)
    raw = changed(changed(raw, ("discard_pile", "scientist"), 0), ("table", "scientist"), 1)
    assert f"Invariant 5: in {phase}" in invariant_of(raw)


def test_a_question_of_a_faction_that_is_not_in_play_breaks_invariant_5():
    raw = written(given("", "S3", phase="mafia_answers", on_table="M4", pending=asked(None, None)).position)
    assert "Invariant 5: in journalists_answers" in invariant_of(changed(raw, ("phase",), "journalists_answers"))


@clause("CC-48")
def test_an_answer_of_a_seat_that_is_not_asked_breaks_invariant_6():
    raw = written(given("", "S2", phase="mafia_answers", on_table="M4", pending=asked(None, None)).position)
    answer = {"answer": "surrender_cards", "faction": None, "cards": ["scientist", "scientist"]}
    assert "seat 1 is not asked" in invariant_of(changed(raw, ("pending", "answers", 1), answer))


@clause("CC-46")
@pytest.mark.parametrize("cards", [["scientist"], ["scientist", "hacker"], ["scientist"] * 3, ["police"] * 2, None])
def test_an_illegal_answer_to_the_mafia_breaks_invariant_6(cards):
    table = given("", "S3", phase="mafia_answers", on_table="M4", pending=asked(None, surrenders("S2")))
    raw = changed(written(table.position), ("pending", "answers", 1, "cards"), cards)
    assert "the answer of seat 1 is legal" in invariant_of(raw)


def test_the_cards_of_an_answer_may_be_in_any_order():
    table = given("", "D2 S2", phase="mafia_answers", on_table="M4", pending=asked(None, surrenders("D1 S1")))
    raw = changed(written(table.position), ("pending", "answers", 1, "cards"), ["scientist", "detective"])
    assert read_position(CATHAM_CITY, raw)


@clause("CC-8")
@pytest.mark.parametrize(("actions_left", "is_possible"), [(0, False), (1, True), (2, True), (3, False)])
def test_an_expert_has_one_or_two_actions_left(actions_left, is_possible):
    raw = changed(written(given("", "", expert=True).position), ("actions_left",), actions_left)
    if is_possible:
        assert read_position(CATHAM_CITY, raw)
    else:
        assert invariant_of(raw) == "Invariant 7: 1 to 2 actions are left."


def a_cash_in(bonus="active"):
    five = in_order(row("JDSRM"))
    return written(
        given(
            "S2 D1",
            "R1",
            "R1",
            factions="JDSRM",
            phase="journalists_cash_in",
            on_table="J2",
            journalists_bonus=bonus,
            pending=Pending(given=counted(five, row("S"))),
        ).position
    )


A_FIND = written(
    given(
        "S2 D1", "R1", "R1", discarded="H1", revealed=Revealed(seat=Seat(1), cards=row("SH"), taken_by=Seat(0))
    ).position
)
"""Hackers have found a scientist, which seat 0 took, and a hacker."""


@pytest.mark.parametrize(
    ("revealed", "invariant"),
    [
        ({"seat": 3}, "Invariant 9: revealed cards come from a seat or the draw pile"),
        ({"seat": -1}, "Invariant 9: revealed cards come from a seat or the draw pile"),
        ({"seat": 0}, "another seat has taken them or nobody"),
        ({"seat": None}, "another seat has taken them or nobody"),
        ({"taken_by": 3}, "another seat has taken them or nobody"),
        ({"taken_by": -1}, "another seat has taken them or nobody"),
        ({"taken_by": 2}, "Invariant 9: the revealed cards lie where the action left them"),
        ({"taken_by": None}, "Invariant 9: the revealed cards lie where the action left them"),
        ({"cards": row("HH")}, "Invariant 9: the revealed cards lie where the action left them"),
        ({"cards": row("MH")}, "Invariant 9: the revealed cards lie where the action left them"),
        ({"cards": row("PH")}, "Invariant 9: the revealed cards are of factions in play"),
        ({"cards": ["cat"]}, "Invalid enum value 'cat'"),
        ({"cards": None}, "Expected `array`"),
    ],
)
def test_revealed_cards_that_lie_elsewhere_break_invariant_9(revealed, invariant):
    assert read_position(CATHAM_CITY, A_FIND)
    assert invariant in invariant_of(changed(A_FIND, ("revealed",), {**A_FIND["revealed"], **revealed}))


@clause("CC-33")
@pytest.mark.parametrize(
    ("path", "value", "invariant"),
    [
        (("options", "journalists_bonus"), "giver", 'only with the option journalists_bonus "active"'),
        (("pending", "given", "scientist"), 0, "Invariant 8: at least one card was given"),
        (("pending", "given", "scientist"), 3, "Invariant 8: at least one card was given, and at most one by each"),
        (("pending", "given", "mafia"), 1, "Invariant 8: the cards given are in the active hand"),
        (("pending", "given"), {"scientist": 1}, "Count maps: what was given"),
        (("pending",), {"faction": None, "answers": [None] * 3}, "Invariant 6: in journalists_cash_in"),
        (("pending",), None, "Invariant 6: in journalists_cash_in"),
        (("table", "journalist"), 1, "Invariant 1"),
    ],
)
def test_a_faulty_cash_in_names_what_it_breaks(path, value, invariant):
    assert invariant in invariant_of(changed(a_cash_in(), path, value))


def test_before_the_set_up_options_and_empty_seats_suffice():
    raw = {"ruleset": "catham-city", "options": {"factions": FIVE[::-1]}, "phase": "setup", "seats": [{}, {}, {}]}
    assert read_position(CATHAM_CITY, raw) == CATHAM_CITY.blank(Options(), 3)
    assert read_position(CATHAM_CITY, written(CATHAM_CITY.blank(Options(), 3)))


@clause("CC-S1", "CC-S2", "CC-S3")
@pytest.mark.parametrize(
    ("path", "value", "invariant"),
    [
        (("options", "factions"), FIVE[:4], "CC-S1"),
        (("seats",), [{}], "CC-S2"),
        (("options", "first_seat"), 2, "CC-S3"),
        (("options", "expert"), "no", "options"),
        (("actions_left",), 1, "actions_left"),
    ],
)
def test_before_the_set_up_the_options_are_checked_as_well(path, value, invariant):
    raw = {"ruleset": "catham-city", "options": {}, "phase": "setup", "seats": [{}, {}]}
    assert invariant in invariant_of(changed(raw, path, value))
