"""The audit replays the moves of bots from the record alone."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from referee.audit.__main__ import main
from referee.audit.record import Record, write_record
from referee.audit.verify import Check, audit
from referee.bots import BOTS
from referee.bots.bot import Turn
from referee.bots.random_bot import RandomBot
from referee.kernel.judge import read_options
from referee.kernel.message import Move
from referee.kernel.seat import Seat
from referee.offline.play import play_game
from referee.rulesets import LATEST
from tests.audit.forgeries import chained, commits_of, detail, failing, forged
from tests.corpus.__main__ import at_random
from tests.corpus.scripted_game import Sitting

TITLE = LATEST["catham-city"]
SEATS = ("search", "random")


@pytest.fixture(scope="module")
def record() -> Record:
    return play_game(TITLE, TITLE.variants[0], SEATS, "bots", iterations=6).record


def bots_check(record: Record) -> Check:
    return audit(record, with_bots=True).checks[-1]


def as_if_by(record: Record, bot: str) -> Record:
    """The record as if another bot had held seat 0."""
    header = replace(record.header, terms=replace(record.header.terms, bots=(bot, record.header.terms.bots[1])))
    commits = commits_of(record)
    for commit in commits:
        if commit["actor"] == 0:
            commit["cause"].update(bot=bot, version=BOTS[bot].version)
    return chained(record, commits, header)


def last_move_of(record: Record, seat: int) -> int:
    return max(entry.version for entry in record.entries if f'"actor":{seat},'.encode() in entry.body)


def test_every_bot_move_is_replayed(record: Record) -> None:
    report = audit(record, with_bots=True)
    moves = sum(b'"cause":{"bot"' in entry.body for entry in record.entries)
    assert report.verdict == "proved"
    assert report.checks[-1] == Check("bots", True, f"{moves} bot moves were replayed and match.")


def test_bots_are_replayed_only_on_request(record: Record) -> None:
    assert "bots" not in [check.name for check in audit(record).checks]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"bot": "greedy"}, "was not made by search, the bot that plays for the seat"),
        ({"luck": "bot:0:1"}, "reports the luck bot:0:1, but the bot's luck is bot:0:"),
        ({"luck": "bot:1:1"}, "reports the luck bot:1:1, but the bot's luck is bot:0:"),
        ({"iterations": -1}, "reports -1 iterations; the number must be 0 to 1000000"),
        ({"iterations": 10**9}, "reports 1000000000 iterations; the number must be 0 to 1000000"),
    ],
)
def test_a_bots_move_reports_its_own_luck(record: Record, changes: dict[str, Any], fault: str) -> None:
    """The audit checks this even if it does not replay bots."""
    version = last_move_of(record, 0)
    report = audit(forged(record, version, lambda commit: commit["cause"].update(changes)))
    assert (failing(report), report.first_bad_version) == ({"moves"}, version)
    assert fault in detail(report, "moves")


def test_a_move_that_the_bot_would_not_make_is_found(record: Record) -> None:
    assert "the bot greedy " in bots_check(as_if_by(record, "greedy")).detail
    assert "but the bot random plays " in bots_check(as_if_by(record, "random")).detail
    exaggerated = forged(record, last_move_of(record, 1), lambda commit: commit["cause"].update(iterations=7))
    assert bots_check(exaggerated).detail.endswith("reports 7 iterations, but the bot random uses 0.")


SHAPES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no luck": lambda cause: cause.pop("luck"),
    "no iterations": lambda cause: cause.pop("iterations"),
    "neither": lambda cause: (cause.pop("luck"), cause.pop("iterations")),
    "no version": lambda cause: cause.pop("version"),
    "luck of another kind": lambda cause: cause.update(luck=7),
    "iterations as text": lambda cause: cause.update(iterations="6"),
    "a member more": lambda cause: cause.update(mood="calm"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_cause_of_another_shape_is_found(record: Record, shape: str) -> None:
    version = last_move_of(record, 0)
    report = audit(forged(record, version, lambda commit: SHAPES[shape](commit["cause"])))
    assert (failing(report), report.first_bad_version) == ({"moves"}, version)
    assert "does not have the cause of a bot's move: " in detail(report, "moves")


def test_moves_of_another_version_of_a_bot_are_not_replayed(record: Record) -> None:
    outdated = forged(record, last_move_of(record, 0), lambda commit: commit["cause"].update(version="0"))
    check = bots_check(outdated)
    assert check.passed is None
    assert check.detail.endswith("; 1 more are by bots or versions of bots that are unknown here.")


class EagerBot(RandomBot):
    """Moves whenever it may."""

    def acts(self, turn: Turn, move: Move) -> bool:
        return True


def test_a_move_of_a_bot_that_would_have_waited_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    title = LATEST["fangfrisch"]
    with monkeypatch.context() as eager:
        eager.setitem(BOTS, "random", EagerBot())
        record = play_game(title, read_options(title, {"pace": "live"}), ("random",) * 3, "eager").record
    report = audit(record, with_bots=True)
    assert report.verdict == "failed"
    assert report.checks[-1].detail.endswith("did not have to move here, and the bot random waits.")


def test_bots_are_not_replayed_unless_all_other_checks_pass(record: Record) -> None:
    assert bots_check(Record(record.header, record.entries, None)).passed is None


def test_the_command_replays_bots_on_request(record: Record, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"".join(write_record(record.header, record.entries, record.secret)))
    assert main(["--bots", str(file)]) == 0
    assert "ok      bots        " in capsys.readouterr().out


def test_bots_are_replayed_after_an_undo() -> None:
    title = LATEST["hund-und-katz"]
    sitting = Sitting(title, title.variants[0], 2, "undone", undo="free")
    choose = at_random(title, random.Random("undone"))
    sitting.play_until_undone(choose).resign(Seat(0)).play(choose)
    assert audit(sitting.record, with_bots=True).verdict == "proved"
