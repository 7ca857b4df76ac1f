"""Tests of the checker: it accepts a true history, and names each fault of a doctored one."""

from pathlib import Path
from typing import Any

import pytest

from tests.campaigns.checker import check
from tests.campaigns.history import History, Outcome, Request, outcome_of, read_history

TAKE = {"type": "take", "count": 1}
PASS = {"type": "pass"}


def asked(
    at: float, seat: int, move: dict[str, Any], outcome: Outcome, version: int | None = None, **more: Any
) -> Request:
    said = {"client": f"p{seat}", "game": "g", "do": "move", "sent": at, "done": at + 1, **more}
    return Request(seat=seat, move=move, outcome=outcome, version=version, **said)


def read(at: float, version: int) -> Request:
    return Request("p9", "g", "read", at, at + 1, "ok", version=version)


def log(*moves: tuple[Any, dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    return [
        {"version": number, "actor": actor, "move": move, "cause": None, **more}
        for number, (actor, move) in enumerate(moves, 1)
    ]


SET_UP = ("referee", {"type": "set_up"})
TRUE_LOG = log(SET_UP, (0, TAKE), (1, PASS), (0, TAKE))
TRUE_HISTORY = [
    read(0, 1),
    asked(2, 0, TAKE, "ok", 2),
    asked(4, 1, TAKE, "refused"),
    asked(6, 1, PASS, "unknown", key="k"),
    asked(8, 1, PASS, "ok", 3, key="k", body="b"),
    asked(10, 1, PASS, "ok", 3, key="k", body="b"),
    asked(12, 0, TAKE, "unknown"),
    read(14, 4),
]


def faults(history: list[Request], commits: list[dict[str, Any]]) -> list[str]:
    return check(history, {"g": commits})


def test_a_true_history_has_no_fault() -> None:
    assert faults(TRUE_HISTORY, TRUE_LOG) == []
    assert faults(TRUE_HISTORY[:-1], TRUE_LOG[:-1]) == [], "an unknown move may be missing"


def doctored(index: int, **changes: Any) -> list[Request]:
    history = list(TRUE_HISTORY)
    fields = {name: getattr(history[index], name) for name in Request.__struct_fields__}
    history[index] = Request(**{**fields, **changes})
    return history


@pytest.mark.parametrize(
    ("history", "commits", "fault"),
    [
        pytest.param(TRUE_HISTORY[:-1], TRUE_LOG[:2], "lost: version 3", id="a lost move at the end"),
        pytest.param(TRUE_HISTORY, log(SET_UP, (1, PASS), (0, TAKE)), "lost: version 2", id="a lost move within"),
        pytest.param(TRUE_HISTORY, [*TRUE_LOG, {**TRUE_LOG[-1], "version": 5}], "duplicate", id="unknown move twice"),
        pytest.param(
            TRUE_HISTORY[:-2], log(SET_UP, (0, TAKE), (1, PASS), (1, PASS)), "duplicate", id="an accepted move twice"
        ),
        pytest.param(
            TRUE_HISTORY[:3],
            log(SET_UP, (0, TAKE), (1, TAKE)),
            "refused, but in the log",
            id="a refused move in the log",
        ),
        pytest.param(
            TRUE_HISTORY[:3], log(SET_UP, (0, TAKE), (0, PASS)), "nobody's move", id="a move that nobody asked for"
        ),
        pytest.param(
            TRUE_HISTORY,
            [TRUE_LOG[0], TRUE_LOG[2], TRUE_LOG[1], TRUE_LOG[3]],
            "versions of the log",
            id="versions that go back",
        ),
        pytest.param(
            TRUE_HISTORY[:-1], [*TRUE_LOG[:3], {**TRUE_LOG[3], "version": 5}], "versions of the log", id="a gap"
        ),
        pytest.param(
            [asked(0, 0, TAKE, "ok", 3), asked(2, 1, PASS, "ok", 2)],
            log(SET_UP, (1, PASS), (0, TAKE)),
            "written out of order",
            id="answered before, written after",
        ),
        pytest.param([*TRUE_HISTORY, read(20, 3)], TRUE_LOG, "an old version was read", id="an old version read"),
        pytest.param(
            [asked(0, 0, TAKE, "ok", 2), asked(0, 0, PASS, "ok", 2)],
            log(SET_UP, (0, TAKE)),
            "was answered to",
            id="one version for two",
        ),
        pytest.param(doctored(5, body="c"), TRUE_LOG, "got another answer", id="another answer to a repetition"),
        pytest.param(doctored(5, version=4), TRUE_LOG, "got another answer", id="another version for a repetition"),
        pytest.param(
            doctored(5, outcome="refused", status=422), TRUE_LOG, "refused with 422", id="a repetition refused"
        ),
    ],
)
def test_every_fault_of_a_doctored_history_is_found(
    history: list[Request], commits: list[dict[str, Any]], fault: str
) -> None:
    assert any(fault in found for found in faults(history, commits)), faults(history, commits)


def test_moves_of_bots_clocks_and_the_referee_are_no_fault() -> None:
    played = {"version": 4, "actor": 0, "move": PASS, "cause": {"bot": "random"}}
    assert faults(TRUE_HISTORY[:-2], [*TRUE_LOG[:3], played]) == []


def test_no_answer_and_a_server_error_leave_the_outcome_unknown() -> None:
    assert [outcome_of(status) for status in (None, 500, 503, 201, 409, 422)] == [
        *["unknown"] * 3,
        *["ok", "refused", "refused"],
    ]


def test_a_history_can_be_read_again(tmp_path: Path) -> None:
    history = History(tmp_path / "history.jsonl")
    for request in TRUE_HISTORY:
        history.add(request)
    history.close()
    assert read_history(history.path) == TRUE_HISTORY
