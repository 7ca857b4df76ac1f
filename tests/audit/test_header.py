"""Headers: rules, edition, options, terms and start position."""

import dataclasses
import random
from typing import Any

import pytest
from msgspec.structs import replace

from referee.audit.record import Record
from referee.kernel.canon import plain
from referee.kernel.seat import REFEREE
from referee.table.terms import TABLE_VERSION, Clock, Terms
from tests.audit.forgeries import audited, chained, commits_of, detail, failing
from tests.audit.race import RACE, Roll, SetUp
from tests.audit.recorded_game import Play, played

RECORD = played(RACE)


def under(**changes: Any) -> Record:
    """The record under another header, with all hashes recomputed."""
    return chained(RECORD, commits_of(RECORD), replace(RECORD.header, **changes))


def on(clock: Clock | None = None, **terms: Any) -> dict[str, Any]:
    """A header with other terms."""
    return {"terms": Terms(bots=(None, None, "random"), table=TABLE_VERSION, clock=clock, **terms)}


WINDY = dataclasses.replace(RACE, edition={"wind": 5})
ZEROS = "0" * 64

REFUSED = {
    "unknown ruleset": ({"ruleset": "chess"}, "Rules version 1 of chess is unknown here."),
    "unknown version": ({"version": "2"}, "Rules version 2 of race is unknown here."),
    "other edition": (
        {"edition": WINDY.edition_hash},
        f"The edition {WINDY.edition_hash} is unknown here",
    ),
    "unknown option": ({"options": {"speed": 3}}, "The options cannot be read"),
    "option of another type": ({"options": {"goal": "25"}}, "The options cannot be read"),
    "option out of range": ({"options": {"goal": 1000}}, "The options cannot be read"),
    "options left out": ({"options": {}}, 'The options must be written as {"goal":25}.'),
    "options refused": ({"options": {"goal": 7}}, "refused by RA-2: The goal is a multiple of five."),
    "too few seats": ({"nonces": ("",)}, "refused by RA-1"),
    "too many seats": ({"nonces": ("",) * 5}, "refused by RA-1"),
    "holders of other seats": ({"holders": (ZEROS, ZEROS)}, "do not have one entry per seat"),
    "seals of other seats": ({"seals": (None,) * 4}, "do not have one entry per seat"),
    "a seat that nobody holds": ({"holders": (ZEROS, None, ZEROS)}, "Seat 1 needs a built-in bot or a holder"),
    "a bot with a holder": (
        {"terms": Terms(bots=("random", None, None), table=TABLE_VERSION)},
        "Seat 0 needs a built-in bot or a holder, and cannot have both.",
    ),
    "a bot that adds luck": (
        {"terms": Terms(bots=("random", None, None), table=TABLE_VERSION), "holders": (None, ZEROS, ZEROS)},
        "The built-in bot on seat 0 adds nothing to the luck.",
    ),
    "no time to reveal": (
        {"terms": Terms(bots=(None, None, None), table=TABLE_VERSION, reveal_s=0)},
        "The time to reveal is 1 to 604800 seconds.",
    ),
    "terms for too few": ({"terms": Terms(bots=(None,), table=TABLE_VERSION)}, "The terms are for 1 seats, not for 3."),
    "a table to come": (
        {"terms": Terms(bots=(None, None, None), table=99)},
        "Version 99 of the rules of the table is unknown.",
    ),
    "a table before the first": (
        {"terms": Terms(bots=(None, None, None), table=0)},
        "Version 0 of the rules of the table is unknown.",
    ),
    "a clock on which every time is up": (on(Clock(decision_s=-5)), "A clock has times of 0 to 31622400 seconds."),
    "a bank of debts": (on(Clock(decision_s=5, bank_s=-5)), "A clock has times of 0 to 31622400 seconds."),
    "an increment that takes": (on(Clock(decision_s=5, increment_s=-1)), "A clock has times of 0 to 31622400 seconds."),
    "a clock beyond every calendar": (on(Clock(decision_s=10**12)), "A clock has times of 0 to 31622400 seconds."),
    "a clock without time": (on(Clock()), "A clock has time for a decision, or in the bank."),
    "absent from the start": (
        on(Clock(decision_s=5, missed_deadlines_max=0)),
        "A seat is absent after 1 to 100 missed deadlines.",
    ),
    "never absent": (
        on(Clock(decision_s=5, missed_deadlines_max=101)),
        "A seat is absent after 1 to 100 missed deadlines.",
    ),
    "nobody's seat assigned": (on(assigned=(3,)), "The assigned seats are seats of players"),
    "a seat of a bot assigned": (on(assigned=(2,)), "The assigned seats are seats of players"),
    "a seat assigned twice": (on(assigned=(1, 1)), "The assigned seats are seats of players"),
    "seats assigned in disorder": (on(assigned=(1, 0)), "The assigned seats are seats of players"),
    "no position": ({"position": {}}, "The start position is invalid"),
    "a position of nothing": ({"position": {"phase": "run"}}, "The start position is invalid"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_header_fails(name: str) -> None:
    changes, reason = REFUSED[name]
    report = audited(under(**changes))
    assert report.verdict == "failed"
    assert "header" in failing(report)
    assert report.first_bad_version == 0
    assert reason in detail(report, "header")
    assert "No commit was checked: the header is invalid." in detail(report, "moves")


@pytest.mark.parametrize("name", REFUSED)
def test_an_invalid_header_of_a_running_game_fails(name: str) -> None:
    record = under(**REFUSED[name][0])
    report = audited(replace(record, entries=record.entries[:3], secret=None))
    assert failing(report) == {"header"}
    assert report.first_bad_version == 0


CHANGES: dict[str, Any] = {
    "commitment": "0" * 64,
    "edition": "0" * 64,
    "game": "g_other",
    "holders": ("0" * 64,) * 3,
    "nonces": ("", "", ""),
    "options": {"goal": 30},
    "position": plain(Play(RACE).position),
    "ruleset": "toy",
    "seals": ("0" * 64, None, None),
    "version": "0",
    "format": "referee/2",
    "terms": Terms(bots=("random", None, None), table=TABLE_VERSION),
}


def test_every_field_of_a_header_is_tested() -> None:
    assert set(CHANGES) == set(RECORD.header.__struct_fields__)


@pytest.mark.parametrize("field", sorted(CHANGES.keys() - {"format"}))
def test_a_changed_header_does_not_fit_its_commits(field: str) -> None:
    report = audited(replace(RECORD, header=replace(RECORD.header, **{field: CHANGES[field]})))
    assert "chain" in failing(report)
    assert "Commit 1: Its prev is not the hash of the header." in detail(report, "chain")
    assert report.first_bad_version in (0, 1)


def test_a_header_of_another_format_is_refused() -> None:
    report = audited(replace(RECORD, header=replace(RECORD.header, format=CHANGES["format"])))
    assert (failing(report), report.first_bad_version) == ({"header"}, 0)
    assert "the format is 'referee/2', not 'referee/1'" in detail(report, "header")


def a_casual_game() -> Play:
    """A race from a position after some moves."""
    start = Play(RACE).move(REFEREE, SetUp())
    start.move(start.position.active, Roll())
    return Play(RACE, position=plain(start.position))


def test_a_casual_game_begins_at_its_start_position() -> None:
    record = a_casual_game().to_the_end(random.Random(5)).record
    assert audited(record).verdict == "proved"


def test_a_casual_game_has_no_set_up() -> None:
    report = audited(a_casual_game().commit(REFEREE, SetUp(), ()).record)
    assert failing(report) == {"moves", "end"}
    assert report.first_bad_version == 1
    assert "nothing was due" in detail(report, "moves")


def test_a_casual_game_may_begin_before_its_set_up() -> None:
    blank = plain(RACE.blank(RACE.variants[0], 3))
    assert audited(Play(RACE, position=blank).to_the_end(random.Random(5)).record).verdict == "proved"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"active": 3}, "The active seat is a seat."),
        ({"active": "0"}, "Expected `int`"),
        ({"phase": "sleep"}, "Invalid enum value"),
        ({"options": {"goal": 30}}, "Its options differ from those of the header."),
        ({"seats": [{"steps": 1}, {}], "active": 0}, "It has 2 seats, but the header has 3 nonces."),
    ],
)
def test_an_invalid_start_position_fails(change: dict[str, Any], reason: str) -> None:
    record = a_casual_game().to_the_end(random.Random(5)).record
    position = {**record.header.position, **change}
    report = audited(chained(record, commits_of(record), replace(record.header, position=position)))
    assert failing(report) == {"header"}
    assert reason in detail(report, "header")


def test_a_start_position_is_written_out_in_full() -> None:
    """A request may leave members out, but the record has them all: there is only one record of a game."""
    blank = plain(RACE.blank(RACE.variants[0], 3))
    record = Play(RACE, position=blank).to_the_end(random.Random(5)).record
    bare = {name: blank[name] for name in ("ruleset", "options", "phase")} | {"seats": [{}, {}, {}]}
    for position in (bare, {**blank, "seats": bare["seats"]}):
        report = audited(chained(record, commits_of(record), replace(record.header, position=position)))
        assert failing(report) == {"header"}
        assert "It is not written out in full" in detail(report, "header")


def test_another_start_position_gives_another_game() -> None:
    record = a_casual_game().to_the_end(random.Random(5)).record
    hand = {"steps": 0, "hand": [1, 2]}
    position = {**record.header.position, "seats": [hand, hand, hand]}
    report = audited(chained(record, commits_of(record), replace(record.header, position=position)))
    assert failing(report) <= {"moves", "outcomes"}
    assert report.first_bad_version is not None
