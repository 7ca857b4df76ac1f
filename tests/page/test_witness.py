"""What the page notes of a game while somebody plays or watches, in the form that the command reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from referee.audit.notes import LINE_BYTES_MAX, InvalidNote, read_note, read_notes
from tests.page.modules import run_module

A, B, C = ("a" * 64, "b" * 64, "c" * 64)
SEATS = [{"seat": 0, "nonce": "seven green: apples"}, {"seat": 1, "nonce": ""}, {"seat": 2, "nonce": "zoë"}]
WAITING = {"commitment": A, "status": "waiting", "seats": SEATS}
RUNNING = {**WAITING, "status": "running"}

LINES = [
    *(f"commitment {A}", f"hash 1:{A}", f"hash 12:{B}", "nonce 0:", "nonce 3:a:b", "nonce 0: x ", "nonce 1:commitment"),
    *("commitment", f"commitment {A[1:]}", f"commitment {A.upper()}", f"commitment {A} ", f"commitments {A}"),
    *(f"hash {A}", f"hash 0:{A}", f"hash 01:{A}", f"hash -1:{A}", f"hash 1234567890:{A}", f"hash 1:{A}x", "hash 1:"),
    *("nonce", "nonce 0", "nonce x:y", "nonce :", "nonce  0:x", "Nonce 0:x", "<script>", " ", "nonce 0:" + "x" * 4096),
]
"""Some are notes, some are not: the command decides."""


COMMITS = [{"version": 1, "hash": A}, {"version": 2, "hash": B}]
GAMES = [f"g_{number}" for number in range(33)]
SPOILED = ["no notes", 3, None, ["x"], {}, "<b>\nhash 1:x"]

SCRIPTS: dict[str, list[tuple[Any, ...]]] = {
    "a game": [
        ("table", "g_1", WAITING),
        ("notes", "g_1"),
        ("table", "g_1", RUNNING),
        ("commits", "g_1", COMMITS),
        ("commits", "g_1", [*COMMITS, {"version": 3, "hash": C}]),
        ("notes", "g_1"),
        ("notes", "g_2"),
    ],
    "changes": [
        ("table", "g_1", WAITING),
        ("table", "g_1", {**WAITING, "commitment": B}),
        ("commits", "g_1", COMMITS[:1]),
        ("commits", "g_1", [{"version": 1, "hash": C}]),
        ("notes", "g_1"),
    ],
    "many games": [*(("table", game, WAITING) for game in GAMES), ("table", "g_5", RUNNING), ("names",)],
    "spoiled": [
        step
        for kept in SPOILED
        for step in (("spoil", "witness.g_1", kept), ("notes", "g_1"), ("table", "g_1", WAITING), ("notes", "g_1"))
    ],
    "lines": [("read", "# mine\r\n\n" + "\n".join(LINES))],
    "strange nonces": [
        ("table", "g_1", {**RUNNING, "seats": [{"seat": 0, "nonce": "two\nlines"}, {"seat": 1, "nonce": "x\u202ey"}]}),
        ("notes", "g_1"),
    ],
}


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """What each step of each script left, from one run of node."""
    directory = Path(tmp_path_factory.mktemp("witness"))
    file = directory / "scripts.json"
    file.write_text(json.dumps(list(SCRIPTS.values())))
    return dict(zip(SCRIPTS, run_module(directory / "page", "run_witness.js", file), strict=True))


def test_the_witness_notes_commitment_nonces_and_hashes(left: dict[str, list[Any]], tmp_path: Path) -> None:
    _, waiting, _, _, _, running, other = left["a game"]
    assert waiting == f"commitment {A}\n"
    nonces = "nonce 0:seven green: apples\nnonce 1:\nnonce 2:zoë\n"
    assert running == f"commitment {A}\n{nonces}hash 1:{A}\nhash 2:{B}\nhash 3:{C}\n"
    assert other == ""
    file = tmp_path / "notes.txt"
    file.write_text(running, encoding="utf-8")
    assert len(read_notes(str(file))) == 7


def test_a_fact_that_changes_is_noted_beside_the_first_one(left: dict[str, list[Any]]) -> None:
    assert left["changes"][-1] == f"commitment {A}\ncommitment {B}\nhash 1:{A}\nhash 1:{C}\n"


def test_the_notes_on_the_oldest_games_make_room(left: dict[str, list[Any]]) -> None:
    assert set(left["many games"][-1]) == {"witness", *(f"witness.{game}" for game in GAMES[3:])}


def test_notes_that_somebody_spoiled_are_no_notes(left: dict[str, list[Any]]) -> None:
    assert left["spoiled"] == [None, "", None, f"commitment {A}\n"] * len(SPOILED)


def test_the_browser_reads_the_notes_that_the_command_reads(left: dict[str, list[Any]]) -> None:
    notes, strange = [], []
    for number, line in enumerate(LINES, 3):
        kind, _, given = line.partition(" ")
        try:
            if len(line) > LINE_BYTES_MAX:
                raise InvalidNote
            note = read_note(kind, given, "here")
            notes.append({"kind": note.kind, "number": note.number, "text": note.text})
        except InvalidNote:
            strange.append(number)
    assert left["lines"] == [{"notes": notes, "strange": strange}]
    assert len(notes) > 5
    assert len(strange) > 15


def test_a_nonce_that_no_line_can_hold_is_left_out(left: dict[str, list[Any]]) -> None:
    assert left["strange nonces"][-1] == f"commitment {A}\nnonce 1:x\u202ey\n"
