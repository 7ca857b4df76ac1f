"""The audit of a game in the store, whose log may be damaged."""

import pytest
from msgspec.structs import replace
from redis import Redis

from referee.audit.record import read_record
from referee.audit.verify import Report, audit
from referee.rulesets import TITLES
from referee.service import audits
from referee.service.audits import audit_game, audit_newest, record_lines
from referee.service.game import Game, Holder
from referee.service.repository import Repository
from referee.store.directory import Directory
from referee.store.memory_log import MemoryLog
from referee.table.record import Entry
from referee.table.terms import TABLE_VERSION, Terms
from tests.audit.recorded_game import played

TERMS = Terms(bots=(None, "random", None), table=TABLE_VERSION)
RECORD = played(TITLES[0], terms=TERMS)

GAME = Game(
    id=RECORD.header.game,
    ruleset=RECORD.header.ruleset,
    version=RECORD.header.version,
    edition=RECORD.header.edition,
    options=RECORD.header.options,
    seats=tuple(
        Holder(None if bot else f"p_{seat}", bot, RECORD.header.nonces[seat], mark=RECORD.header.holders[seat])
        for seat, bot in enumerate(TERMS.bots)
    ),
    created_at="2026-11-16T08:00:00.000Z",
    created_by="p_ada",
    secret=RECORD.secret,
    terms=TERMS,
    status="running",
)


def a_repository(entries: tuple[Entry, ...]) -> Repository:
    """A repository over a log in memory; its directory is never used."""
    log = MemoryLog()
    for entry in entries:
        log.append(GAME.id, entry, None, None)
    return Repository(log=log, directory=Directory(Redis()), nudge=lambda game: None)


def report_on(entries: tuple[Entry, ...]) -> Report:
    return audit_game(a_repository(entries), GAME)


def test_a_game_is_running_until_its_last_commit_is_in_the_log() -> None:
    for length in (0, 1, len(RECORD.entries) // 2, len(RECORD.entries) - 1):
        assert report_on(RECORD.entries[:length]).verdict == "running"
    assert report_on(RECORD.entries).verdict == "proved"


def test_the_record_of_a_stored_game_is_proved_offline() -> None:
    record = read_record(record_lines(a_repository(RECORD.entries), GAME))
    assert record == RECORD
    assert audit(record).verdict == "proved"


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff", RECORD.entries[9].body.replace(b"0", b"1")])
def test_a_damaged_log_is_reported(body: bytes) -> None:
    damaged = replace(RECORD.entries[9], body=body)
    report = report_on((*RECORD.entries[:9], damaged, *RECORD.entries[10:]))
    assert report.verdict == "failed"
    assert report.first_bad_version == 10


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """The audit of a running game checks only 20 commits, fewer than the games here have."""
    monkeypatch.setattr(audits, "COMMITS_MAX", 20)
    return 20


def test_only_the_newest_commits_of_a_running_game_are_checked(few: int) -> None:
    length = len(RECORD.entries) - 1
    assert length > 3 * few
    repository = a_repository(RECORD.entries[:length])
    report = audit_newest(repository, GAME)
    assert report is not None
    assert (report.verdict, report.first_bad_version) == ("running", None)
    chain = next(check for check in report.checks if check.name == "chain")
    assert chain.detail.startswith(f"The newest {few} of {length} commits have correct hashes")
    assert RECORD.entries[length - 1].hash in chain.detail


@pytest.mark.parametrize("back", [1, 10, 20])
def test_a_fault_among_the_newest_commits_is_found(few: int, back: int) -> None:
    place = len(RECORD.entries) - 1 - back
    damaged = replace(RECORD.entries[place], body=b"{}")
    report = audit_newest(a_repository((*RECORD.entries[:place], damaged, *RECORD.entries[place + 1 : -1])), GAME)
    assert report is not None
    assert (report.verdict, report.first_bad_version) == ("failed", place + 1)


def test_newest_commits_that_do_not_follow_the_one_before_are_found(few: int) -> None:
    first = len(RECORD.entries) - 1 - few
    other = replace(RECORD.entries[first - 1], hash="0" * 64)
    report = audit_newest(a_repository((*RECORD.entries[: first - 1], other, *RECORD.entries[first:-1])), GAME)
    assert report is not None
    assert (report.verdict, report.first_bad_version) == ("failed", first + 1)


def test_a_short_game_is_checked_from_its_header(few: int) -> None:
    for length in (0, 1, few):
        report = audit_newest(a_repository(RECORD.entries[:length]), GAME)
        assert report == audit_game(a_repository(RECORD.entries[:length]), GAME)


def test_a_finished_game_is_left_to_the_worker(few: int) -> None:
    assert audit_newest(a_repository(RECORD.entries), GAME) is None
