"""The audit of a game as the service keeps it: whatever its log has become."""

import pytest
from msgspec.structs import replace
from redis import Redis

from referee.audit.record import read_record
from referee.audit.verify import Report, audit
from referee.kernel.record import Entry
from referee.kernel.terms import TABLE_VERSION, Terms
from referee.log.directory import Directory
from referee.log.memory_log import MemoryLog
from referee.rulesets import TITLES
from referee.service.audits import audit_game, record_lines
from referee.service.desk import Desk
from referee.service.game import Game, Holder
from tests.audit.playing import played

TERMS = Terms(bots=(None, "random", None), table=TABLE_VERSION)
RECORD = played(TITLES[0], terms=TERMS)

GAME = Game(
    id=RECORD.header.game,
    ruleset=RECORD.header.ruleset,
    version=RECORD.header.version,
    edition=RECORD.header.edition,
    options=RECORD.header.options,
    seats=tuple(Holder(player=f"p_{nonce}", nonce=nonce) for nonce in RECORD.header.nonces),
    created_at="2026-11-16T08:00:00.000Z",
    created_by="p_ada",
    secret=RECORD.secret,
    terms=TERMS,
    status="running",
)


def a_desk(entries: tuple[Entry, ...]) -> Desk:
    """A desk over a log in memory; nobody asks its directory anything."""
    log = MemoryLog()
    for entry in entries:
        log.append(GAME.id, entry, None, None)
    return Desk(log=log, directory=Directory(Redis()), nudge=lambda game: None)


def report_on(entries: tuple[Entry, ...]) -> Report:
    return audit_game(a_desk(entries), GAME)


def test_a_game_is_running_until_its_last_commit_is_in_the_log() -> None:
    for length in (0, 1, len(RECORD.entries) // 2, len(RECORD.entries) - 1):
        assert report_on(RECORD.entries[:length]).verdict == "running"
    assert report_on(RECORD.entries).verdict == "proved"


def test_the_record_of_a_kept_game_is_proved_elsewhere() -> None:
    record = read_record(record_lines(a_desk(RECORD.entries), GAME))
    assert record == RECORD
    assert audit(record).verdict == "proved"


@pytest.mark.parametrize("body", [b"", b"{}", b"\xff", RECORD.entries[9].body.replace(b"0", b"1")])
def test_a_log_that_somebody_damaged_is_reported_and_breaks_nothing(body: bytes) -> None:
    damaged = replace(RECORD.entries[9], body=body)
    report = report_on((*RECORD.entries[:9], damaged, *RECORD.entries[10:]))
    assert report.verdict == "failed"
    assert report.first_bad_version == 10
