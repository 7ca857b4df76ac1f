"""Notes from options and from files, compared with the record."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.audit.__main__ import main
from referee.audit.notes import LINE_BYTES_MAX
from referee.audit.record import Record
from referee.rulesets import TITLES
from referee.table.record import Secret, nonce_of
from tests.audit.forgeries import KNOWN, forged
from tests.audit.race import RACE
from tests.audit.recorded_game import TEXTS, Play, played
from tests.audit.test_command import ROOT, run, saved

RECORD = played(TITLES[0])
LAST = len(RECORD.entries)
NONCES = RECORD.header.nonces

TRUE = (
    ("commitment", RECORD.header.commitment),
    *(("hash", f"{entry.version}:{entry.hash}") for entry in RECORD.entries),
    *(("nonce", f"{seat}:{nonce}") for seat, nonce in enumerate(NONCES)),
    *(("nonce", f"{seat}:{TEXTS[seat]}") for seat in range(len(NONCES))),
)

FALSE = (
    ("commitment", "0" * 64),
    ("commitment", RECORD.entries[0].hash),
    ("hash", f"1:{'0' * 64}"),
    ("hash", f"1:{RECORD.header.hash}"),
    ("hash", f"2:{RECORD.entries[0].hash}"),
    ("hash", f"{LAST}:{RECORD.entries[LAST - 2].hash}"),
    ("hash", f"{LAST + 1}:{RECORD.entries[-1].hash}"),
    ("hash", f"999999999:{RECORD.entries[-1].hash}"),
    ("nonce", "0:"),
    ("nonce", f"0:{TEXTS[0]} "),
    ("nonce", f"0: {TEXTS[0]}"),
    ("nonce", f"0:{NONCES[0].upper()}"),
    ("nonce", "1:x"),
    ("nonce", "2:zoe\u0308"),
    ("nonce", f"2:{NONCES[0]}"),
    ("nonce", "3:"),
    ("seal", f"0:{'0' * 64}"),
    ("seal", f"3:{'0' * 64}"),
)

ZEROS = "0" * 64

WRONG = {
    "commitment": ("", "x", "0" * 63, "0" * 65, "A" * 64, "\uff10" * 64, f" {ZEROS}", f"1:{ZEROS}", f"{ZEROS}\n"),
    "hash": (
        *("", "1", ZEROS, "1:", "1:abc", f"1: {ZEROS}", f"1:{'F' * 64}"),
        *(f"{version}:{ZEROS}" for version in ("", "0", "-1", "01", "\uff11", "x", "1.0", "9999999999")),
    ),
    "nonce": ("", "0", "luck", ":luck", "-1:luck", "+1:luck", "00:luck", "0 :luck", "\uff11:luck", "1e0:luck"),
    "seal": ("", "0", ZEROS, "0:", "0:abc", f"x:{ZEROS}", f"0:{'F' * 64}"),
}

Given = Sequence[tuple[str, str]]


def as_options(notes: Given, directory: Path) -> list[str]:
    return [part for kind, text in notes for part in (f"--{kind}", text)]


def as_a_file(notes: Given, directory: Path) -> list[str]:
    file = directory / "notes.txt"
    file.write_text("".join(f"{kind} {text}\n" for kind, text in notes), encoding="utf-8")
    return ["--notes", str(file)]


def as_a_file_of_another_system(notes: Given, directory: Path) -> list[str]:
    file = directory / "notes.txt"
    lines = ["# noted in the train", "", *(f"{kind} {text}" for kind, text in notes), ""]
    file.write_bytes("\r\n".join(lines).encode())
    return ["--notes", str(file)]


def as_several_files(notes: Given, directory: Path) -> list[str]:
    named: list[str] = []
    for number, note in enumerate(notes):
        (directory / f"{number}.txt").write_text(" ".join(note), encoding="utf-8")
        named += ["--notes", str(directory / f"{number}.txt")]
    return named


every_way = pytest.mark.parametrize("way", [as_options, as_a_file, as_a_file_of_another_system, as_several_files])


@every_way
def test_true_notes_match_the_record(way, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = saved(tmp_path, RECORD)
    assert main([game, *way(TRUE, tmp_path)]) == 0
    written = capsys.readouterr().out.splitlines()
    assert written[-2] == f"  ok      notes       {len(TRUE)} notes match the record."
    assert written[-1] == "PROVED"


@every_way
@pytest.mark.parametrize("note", FALSE)
def test_a_false_note_among_true_ones_is_named(
    way, note: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = saved(tmp_path, RECORD)
    kind, text = note
    for notes in ([note], [*TRUE[:3], note, *TRUE[3:]]):
        assert main(["--json", game, *way(notes, tmp_path)]) == 1
        report = json.loads(capsys.readouterr().out)
        (check,) = [check for check in report["checks"] if check["passed"] is False]
        assert (check["name"], report["verdict"], report["first_bad_version"]) == ("notes", "failed", None)
        assert repr(text.partition(":")[2] or text if kind != "nonce" else text.partition(":")[2]) in check["detail"]
        assert check["detail"].count("was noted as") == 1
        place = {as_options: f"--{kind}: ", as_a_file: f"line {notes.index(note) + 1}: "}
        assert place.get(way, "txt line ") in check["detail"]


@every_way
@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in WRONG.items() for text in texts])
def test_a_malformed_note_is_wrong_usage(
    way, kind: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if way is not as_options and text.endswith("\n"):
        return
    with pytest.raises(SystemExit) as ended:
        main([saved(tmp_path, RECORD), *way([*TRUE[:2], (kind, text)], tmp_path)])
    output = capsys.readouterr()
    assert (ended.value.code, output.out) == (2, "")
    assert "usage: " in output.err
    assert ("--hash: " if kind == "hash" else f"--{kind}: ") in output.err or ".txt line " in output.err


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "No such file or directory"),
        (b"", "the file has no notes"),
        (b"# nothing yet\n\n", "the file has no notes"),
        (b"\n\nseed 00\n", "line 3: a note begins with commitment, hash, nonce, seal; got 'seed'"),
        (b"Commitment " + b"0" * 64, "line 1: a note begins with"),
        (b" commitment " + b"0" * 64, "line 1: a note begins with"),
        (b"commitment\t" + b"0" * 64, "line 1: a note begins with"),
        (b"\xef\xbb\xbfcommitment " + b"0" * 64, "line 1: a note begins with"),
        (b"nonce 0:\xff", "line 1: 'utf-8' codec"),
        (b"nonce 0:" + b"x" * LINE_BYTES_MAX, f"line 1: longer than {LINE_BYTES_MAX} bytes"),
        (RECORD.entries[0].body, "line 1: "),
    ],
)
def test_a_file_with_malformed_notes_or_none_is_wrong_usage(
    content: bytes | None, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notes.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main([saved(tmp_path, RECORD), "--notes", str(file)])
    assert ended.value.code == 2
    assert fault in capsys.readouterr().err


@pytest.mark.parametrize("path", ["", ".", "/dev/zero", "\udcff", "a\nb", "nul\0l"])
def test_a_file_of_notes_that_cannot_be_opened_exits_with_2_and_no_traceback(path: str, tmp_path: Path) -> None:
    if "\0" in path:
        with pytest.raises(SystemExit) as ended:
            main([saved(tmp_path, RECORD), "--notes", path])
        assert ended.value.code == 2
        return
    done = run(saved(tmp_path, RECORD), "--notes", path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr


def test_notes_are_about_one_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = saved(tmp_path, RECORD)
    with pytest.raises(SystemExit) as ended:
        main([game, game, "--commitment", RECORD.header.commitment])
    assert ended.value.code == 2
    assert "pass one record, not 2" in capsys.readouterr().err


@every_way
def test_a_nonce_is_compared_code_point_by_code_point(way, tmp_path: Path) -> None:
    nonces = ("a:b\u2028c\u0085d ", "#not a comment", "zoe\u0308\U0001f3b2")
    play = Play(RACE)
    play.header = replace(play.header, nonces=tuple(map(nonce_of, nonces)))
    game = saved(tmp_path, play.to_the_end(random.Random(1)).record)
    true = [("nonce", f"{seat}:{nonce}") for seat, nonce in enumerate(nonces)]
    assert main([game, *way(true, tmp_path)], KNOWN) == 0
    assert main([game, *way([*true[:2], ("nonce", "2:zoë\U0001f3b2")], tmp_path)], KNOWN) == 1


def test_the_record_of_another_game_is_proved_but_does_not_match_the_notes(tmp_path: Path) -> None:
    """Anyone can play another game alone, with another secret, and has a record that is proved."""
    other = played(TITLES[0], seed=2, secret=Secret(salt="00" * 32, seed="11" * 32))
    game = saved(tmp_path, other)
    assert main([game]) == 0
    for kind, text in TRUE:
        is_common = kind == "nonce"
        assert main([game, f"--{kind}", text]) == (0 if is_common else 1)


def test_a_forged_commit_does_not_match_its_noted_hash(tmp_path: Path) -> None:
    """A later time in the last commit is possible, so the record is proved; but the hash changes."""
    late = forged(RECORD, LAST, lambda commit: commit.update(at="2030-01-01T00:00:00.000Z"))
    game = saved(tmp_path, late)
    assert main([game]) == 0
    assert main([game, "--hash", f"{LAST - 1}:{RECORD.entries[LAST - 2].hash}"]) == 0
    assert main([game, "--hash", f"{LAST}:{RECORD.entries[LAST - 1].hash}"]) == 1


@pytest.mark.parametrize("record", [replace(RECORD, entries=RECORD.entries[:20], secret=None)])
def test_notes_are_compared_with_the_record_of_a_running_game(record: Record, tmp_path: Path) -> None:
    game = saved(tmp_path, record)
    assert main([game, *as_options(TRUE[:15], tmp_path)]) == 3
    assert main([game, *as_options(FALSE[:1], tmp_path)]) == 1
    assert main([game, *as_options(TRUE, tmp_path)]) == 1


def test_notes_are_compared_with_nothing_but_python_and_msgspec(tmp_path: Path) -> None:
    game = saved(tmp_path, RECORD)
    done = run(game, *as_options((TRUE[0], FALSE[0]), tmp_path))
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"FAILED  notes       --commitment: the commitment was noted as '000" in done.stdout
    assert done.stdout.splitlines()[-1] == b"FAILED: the record is not of the game in your notes"


def test_a_note_cannot_control_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([saved(tmp_path, RECORD), "--nonce", "0:\x1b[2J\udcff"]) == 1
    assert all(character.isprintable() or character == "\n" for character in capsys.readouterr().out)


def test_the_guide_for_auditors_explains_the_notes() -> None:
    guide = (ROOT / "docs" / "auditors.md").read_text(encoding="utf-8")
    assert all(f"--{option}" in guide for option in ("commitment", "hash", "nonce", "seal", "notes"))
    assert "| `notes` |" in guide
    assert "grep -c" not in guide
