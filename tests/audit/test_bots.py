"""The moves of bots are made again from the record alone."""

import random
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from referee.audit.__main__ import main
from referee.audit.record import Record, write_record
from referee.audit.verify import Check, audit
from referee.kernel.seat import Seat
from referee.offline.play import play_game
from referee.rulesets import LATEST
from tests.audit.forging import forged
from tests.corpus.__main__ import at_random
from tests.corpus.playing import Sitting

TITLE = LATEST["catham-city"]
BOTS = ("search", "random")


@pytest.fixture(scope="module")
def record() -> Record:
    return play_game(TITLE, TITLE.variants[0], BOTS, "bots", iterations=6).record


def bots_check(record: Record) -> Check:
    return audit(record, with_bots=True).checks[-1]


def last_move_of(record: Record, seat: int) -> int:
    return max(entry.version for entry in record.entries if f'"actor":{seat},'.encode() in entry.body)


def test_every_move_of_a_bot_can_be_made_again(record: Record) -> None:
    report = audit(record, with_bots=True)
    moves = sum(b'"cause":{"bot"' in entry.body for entry in record.entries)
    assert report.verdict == "proved"
    assert report.checks[-1] == Check("bots", True, f"{moves} moves of bots were made again, and are the same.")


def test_the_bots_are_asked_only_if_somebody_wants_it(record: Record) -> None:
    assert "bots" not in [check.name for check in audit(record).checks]


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"bot": "greedy", "version": "1"}, "thinks for 0 iterations only"),
        ({"luck": "bot:0:1"}, "not that of this seat and version"),
        ({"bot": "random", "version": "1"}, "The bot random makes another move: "),
        ({"iterations": -1}, "No bot thinks for -1 iterations"),
        ({"iterations": 10**9}, "No bot thinks for 1000000000 iterations"),
    ],
)
def test_a_move_that_the_bot_does_not_make_so_is_found(record: Record, changes: dict[str, Any], detail: str) -> None:
    version = last_move_of(record, 0)
    nothing_agreed = Record(replace(record.header, terms=UNSET), record.entries, record.secret)
    told = forged(nothing_agreed, version, lambda commit: commit["cause"].update(changes))
    check = bots_check(told)
    assert check.passed is False
    assert check.detail.startswith(f"Commit {version}: ")
    assert detail in check.detail


def test_a_bot_of_another_version_is_left_out(record: Record) -> None:
    told = forged(record, last_move_of(record, 0), lambda commit: commit["cause"].update(version="0"))
    assert bots_check(told).detail.endswith("; 1 are of bots that are not known here.")


def test_a_record_that_is_not_proved_is_not_played_again(record: Record) -> None:
    assert bots_check(Record(record.header, record.entries, None)).passed is None


def test_the_command_makes_them_again_if_asked(record: Record, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"".join(write_record(record.header, record.entries, record.secret)))
    assert main(["--bots", str(file)]) == 0
    assert "ok      bots        " in capsys.readouterr().out


def test_a_bot_moves_on_from_where_a_move_was_taken_back() -> None:
    title = LATEST["hund-und-katz"]
    sitting = Sitting(title, title.variants[0], 2, "undone", undo="free")
    choose = at_random(title, random.Random("undone"))
    sitting.play_until_undone(choose).resign(Seat(0)).play(choose)
    assert audit(sitting.record, with_bots=True).verdict == "proved"
