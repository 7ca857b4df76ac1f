"""Changed records whose published hashes do not fit any more."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from referee.table.record import Secret
from tests.audit.forgeries import audited, chained, commits_of, detail, edited, failing, forged
from tests.audit.race import RACE
from tests.audit.recorded_game import played

RECORD = played(RACE)
LAST = len(RECORD.entries)
ANOTHER = played(RACE, seed=2, secret=Secret(salt="00" * 32, seed="11" * 32))

every_version = pytest.mark.parametrize("version", range(1, LAST + 1))

EDITS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "actor": lambda commit: commit.update(actor=1 if commit["actor"] != 1 else 0),
    "at": lambda commit: commit.update(at="2026-11-16T08:00:00.001Z"),
    "cause": lambda commit: commit.update(cause={"clock": "run out"}),
    "events": lambda commit: commit["events"].pop(),
    "an event": lambda commit: commit["events"][0].update(seen=True),
    "move": lambda commit: commit["move"].update(shout="hey"),
    "prev": lambda commit: commit.update(prev="0" * 64),
    "salt": lambda commit: commit.update(salt="0" * 64),
    "version": lambda commit: commit.update(version=commit["version"] + 1),
}


def test_a_complete_record_is_proved() -> None:
    report = audited(RECORD)
    assert report.verdict == "proved"
    assert report.first_bad_version is None
    assert [check.name for check in report.checks] == [
        "header",
        "chain",
        "seals",
        "commitment",
        "blinding",
        "outcomes",
        "moves",
        "end",
    ]
    assert all(check.passed is True for check in report.checks)


@every_version
@pytest.mark.parametrize("field", EDITS)
def test_an_edited_commit_breaks_the_chain(field: str, version: int) -> None:
    report = audited(edited(RECORD, version, EDITS[field]))
    assert report.verdict == "failed"
    assert "chain" in failing(report)
    assert report.first_bad_version == version


@every_version
def test_another_hash_breaks_the_chain(version: int) -> None:
    entries = list(RECORD.entries)
    entries[version - 1] = replace(entries[version - 1], hash=ANOTHER.entries[0].hash)
    report = audited(replace(RECORD, entries=tuple(entries)))
    assert failing(report) == {"chain"}
    assert report.first_bad_version == version


@pytest.mark.parametrize("version", range(1, LAST))
def test_a_dropped_commit_is_found(version: int) -> None:
    entries = RECORD.entries[: version - 1] + RECORD.entries[version:]
    report = audited(replace(RECORD, entries=entries))
    assert {"chain", "blinding"} <= failing(report)
    assert report.first_bad_version == version
    assert f"Version {version} is missing" in detail(report, "chain")


@every_version
def test_a_repeated_commit_is_found(version: int) -> None:
    entries = RECORD.entries[:version] + RECORD.entries[version - 1 :]
    report = audited(replace(RECORD, entries=entries))
    assert "chain" in failing(report)
    assert report.first_bad_version == version + 1


@pytest.mark.parametrize("version", range(1, LAST))
def test_two_commits_in_the_wrong_order_are_found(version: int) -> None:
    entries = list(RECORD.entries)
    entries[version - 1], entries[version] = entries[version], entries[version - 1]
    report = audited(replace(RECORD, entries=tuple(entries)))
    assert "chain" in failing(report)
    assert report.first_bad_version == version


@every_version
def test_a_commit_of_another_game_is_found(version: int) -> None:
    other = ANOTHER.entries[min(version, len(ANOTHER.entries)) - 1]
    entries = (*RECORD.entries[: version - 1], other, *RECORD.entries[version:])
    report = audited(replace(RECORD, entries=entries))
    assert {"chain", "blinding"} <= failing(report)
    assert report.first_bad_version == version


@every_version
def test_an_inserted_commit_is_found(version: int) -> None:
    other = ANOTHER.entries[min(version, len(ANOTHER.entries)) - 1]
    entries = (*RECORD.entries[: version - 1], other, *RECORD.entries[version - 1 :])
    report = audited(replace(RECORD, entries=entries))
    assert "chain" in failing(report)
    assert report.first_bad_version == version


@pytest.mark.parametrize("version", range(2, LAST + 1))
def test_time_never_goes_back(version: int) -> None:
    report = audited(forged(RECORD, version, lambda commit: commit.update(at="2026-11-16T07:59:59.999Z")))
    assert "chain" in failing(report)
    assert "is before" in detail(report, "chain")
    assert report.first_bad_version == version


@pytest.mark.parametrize(
    "at",
    [
        "",
        "yesterday",
        "2026-11-16T09:00:00Z",
        "2026-11-16T09:00:00.000000Z",
        "2026-11-16T09:00:00.000+00:00",
        "2026-13-16T09:00:00.000Z",
        "2026-11-16t09:00:00.000z",
        "२०२६-11-16T09:00:00.000Z",
        "2026-11-16T09:00:00.000Z\n",
    ],
)
def test_a_time_is_in_utc_with_milliseconds(at: str) -> None:
    report = audited(forged(RECORD, 3, lambda commit: commit.update(at=at)))
    assert failing(report) == {"chain"}
    assert report.first_bad_version == 3


@every_version
def test_a_gap_in_the_versions_is_found_even_if_every_hash_fits(version: int) -> None:
    commits = commits_of(RECORD)
    for commit in commits[version - 1 :]:
        commit["version"] += 1
    report = audited(chained(RECORD, commits))
    assert "chain" in failing(report)
    assert report.first_bad_version == version


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"[]",
        b"null",
        RECORD.entries[4].body[:-1],
        RECORD.entries[4].body + b" ",
        RECORD.entries[4].body.replace(b'{"actor":', b'{"actor":0,"actor":'),
        RECORD.entries[4].body.replace(b'"cause":null', b'"cause":{"wait":1.5}'),
        b'{"actor":' + b"[" * 100_000,
    ],
)
def test_a_commit_that_cannot_be_read_is_named(body: bytes) -> None:
    entries = list(RECORD.entries)
    entries[4] = replace(entries[4], body=body)
    report = audited(replace(RECORD, entries=tuple(entries)))
    assert report.verdict == "failed"
    assert "chain" in failing(report)
    assert report.first_bad_version == 5
    assert "Commit 5: It cannot be read: " in detail(report, "chain")


def test_the_first_bad_commit_is_named_if_a_later_one_cannot_be_read() -> None:
    entries = list(edited(RECORD, 3, EDITS["actor"]).entries)
    entries[4] = replace(entries[4], body=b"{}")
    report = audited(replace(RECORD, entries=tuple(entries)))
    assert report.first_bad_version == 3
    assert "Commit 3: " in detail(report, "chain")


def test_a_header_that_cannot_be_read_is_named() -> None:
    report = audited(replace(RECORD, header=replace(RECORD.header, options={"goal": 5.0})))
    assert (report.verdict, report.first_bad_version, failing(report)) == ("failed", 0, {"header"})
    assert "5.0 is not an integer" in detail(report, "header")


def test_a_record_that_stops_before_the_end_fails() -> None:
    for length in range(LAST):
        report = audited(replace(RECORD, entries=RECORD.entries[:length]))
        assert failing(report) == {"end"}
        assert report.first_bad_version == length + 1


def test_without_its_secret_a_game_is_running() -> None:
    for length in range(LAST):
        report = audited(replace(RECORD, entries=RECORD.entries[:length], secret=None))
        assert report.verdict == "running"
        assert report.first_bad_version is None
        assert {check.name for check in report.checks if check.passed} == {"header", "chain", "seals"}
        assert {check.name for check in report.checks if check.passed is None} == {
            "commitment",
            "blinding",
            "outcomes",
            "moves",
            "end",
        }


def test_the_hash_of_the_header_is_not_shown_while_the_game_runs() -> None:
    """It is not blinded: with it, a reader could test guesses at the hidden start position of a casual game."""
    report = audited(replace(RECORD, entries=(), secret=None))
    assert report.verdict == "running"
    assert RECORD.header.hash not in str(report)


def test_a_running_game_can_fail() -> None:
    running = replace(RECORD, entries=RECORD.entries[:8], secret=None)
    report = audited(edited(running, 5, EDITS["actor"]))
    assert report.verdict == "failed"
    assert failing(report) == {"chain"}
    assert report.first_bad_version == 5


def test_the_record_of_a_finished_game_needs_its_secret() -> None:
    report = audited(replace(RECORD, secret=None))
    assert report.verdict == "failed"
    assert failing(report) == {"commitment"}
    assert "the record has no secret" in detail(report, "commitment")
