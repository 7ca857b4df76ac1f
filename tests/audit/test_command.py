"""`python -m referee.audit` on the command line."""

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import referee
from referee.audit.__main__ import PROGRESS_EVERY, main
from referee.audit.record import Record, write_record
from referee.kernel.canon import digest
from referee.kernel.seat import REFEREE
from referee.offline.play import play_game
from referee.rulesets import LATEST, TITLES
from referee.rulesets.editions import BYTES_MAX, with_edition
from referee.table.moves import (
    AnnulGame,
    GameAnnulled,
    GamePaused,
    GameResumed,
    PauseGame,
    ResumeGame,
)
from tests.audit.forgeries import KNOWN, edited
from tests.audit.race import RACE, SetUp
from tests.audit.recorded_game import Play, played

ROOT = Path(referee.__file__).parent.parent
TITLE = TITLES[0]
RECORD = played(TITLE)

ALONE = """
import sys

class NothingElse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in ("referee", "msgspec"):
            raise ModuleNotFoundError(f"{name} is not installed here")

sys.meta_path.insert(0, NothingElse())
import runpy
sys.argv = ["audit", *sys.argv[1:]]
runpy.run_module("referee.audit", run_name="__main__", alter_sys=True)
"""
"""Runs the command with nothing installed but Python, msgspec and a checkout."""


def saved(directory: Path, record: Record, name: str = "game.jsonl") -> str:
    """The file of a record."""
    file = directory / name
    file.write_bytes(b"".join(write_record(record.header, record.entries, record.secret)))
    return str(file)


def run(*arguments: str, stdin: bytes = b"", program: tuple[str, ...] = ("-c", ALONE)) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    return subprocess.run(
        [sys.executable, *program, *arguments], cwd=ROOT, input=stdin, capture_output=True, env=environment, timeout=60
    )


def test_a_record_is_proved_with_nothing_but_python_and_msgspec(tmp_path: Path) -> None:
    done = run(saved(tmp_path, RECORD))
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    assert lines[0].endswith(f"game g_test, {TITLE.slug} {TITLE.version}, 3 seats")
    assert [line.split()[:2] for line in lines[1:-1]] == [
        ["ok", name] for name in ("header", "chain", "seals", "commitment", "blinding", "outcomes", "moves", "end")
    ]
    assert lines[-1] == "PROVED"


def test_the_guide_for_auditors_explains_every_check(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "auditors.md").read_text(encoding="utf-8")
    report = json.loads(run("--json", saved(tmp_path, RECORD)).stdout)
    assert all(f"| `{check['name']}` |" in guide for check in report["checks"])


def test_the_command_is_a_module(tmp_path: Path) -> None:
    assert run(saved(tmp_path, RECORD), program=("-m", "referee.audit")).returncode == 0


def test_the_first_bad_commit_is_named(tmp_path: Path) -> None:
    done = run(saved(tmp_path, edited(RECORD, 17, lambda commit: commit.update(draws=9))))
    assert done.returncode == 1
    assert b"FAILED  chain       Commit 17: " in done.stdout
    assert done.stdout.splitlines()[-1] == b"FAILED: commit 17 is the first bad one"


def test_a_bad_header_is_named(tmp_path: Path) -> None:
    done = run(saved(tmp_path, replace(RECORD, header=replace(RECORD.header, edition="0" * 64))))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == b"FAILED: the header or the secret is wrong"


CATHAM_CITY = LATEST["catham-city"]
BOX = (ROOT / "referee" / "rulesets" / "catham_city" / "edition.toml").read_text(encoding="utf-8")


def an_edition(directory: Path, hand_limit: int) -> str:
    """A file with an edition that does not ship with the rules."""
    file = directory / f"hands-of-{hand_limit}.toml"
    file.write_text(BOX.replace("hand_limit = 10", f"hand_limit = {hand_limit}"), encoding="utf-8")
    return str(file)


def test_a_game_of_another_edition_is_proved_if_the_auditor_supplies_it(tmp_path: Path) -> None:
    editions = [an_edition(tmp_path, 9), an_edition(tmp_path, 8)]
    files = []
    for edition in editions:
        ruleset = with_edition(CATHAM_CITY, Path(edition).read_text(encoding="utf-8"))
        record = play_game(ruleset, ruleset.variants[0], ("random", "random"), "1").record
        files.append(saved(tmp_path, record, f"{len(files)}.jsonl"))
    alone = run(*files)
    assert (alone.returncode, alone.stdout.count(b"FAILED: the header or the secret is wrong")) == (1, 2)
    one = run("--edition", editions[0], *files)
    assert (one.returncode, one.stdout.count(b"PROVED")) == (1, 1)
    both = run("--edition", editions[0], "--edition", editions[1], *files)
    assert (both.returncode, both.stdout.count(b"PROVED")) == (0, 2), both.stderr


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("none.toml", None, "No such file or directory"),
        ("torn.toml", b"hand_limit = = 9", "Invalid value (at line 1, column 14)"),
        ("long.toml", BOX.encode() + b"\n" * BYTES_MAX + b"hand_limit = = 9", "longer than 1048576 bytes"),
        ("image.toml", b"\x89PNG", "'utf-8' codec can't decode"),
        ("other.toml", b"tool = 1", "no ruleset can read it (cat-and-fish 1: Object contains unknown field `tool`; "),
        (
            "hands.toml",
            BOX.replace("hand_limit = 10", 'hand_limit = "9"').encode(),
            "catham-city 1: Expected `int`, got `str` - at `$.hand_limit`",
        ),
    ],
)
def test_a_file_that_is_not_an_edition_is_wrong_usage(
    name: str, text: bytes | None, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    if text is not None:
        file.write_bytes(text)
    with pytest.raises(SystemExit) as ended:
        main(["--edition", str(file), saved(tmp_path, RECORD)])
    output = capsys.readouterr()
    assert (ended.value.code, output.out) == (2, "")
    assert f"error: edition {file}: " in output.err
    assert fault in output.err


def test_a_record_is_read_from_standard_input(tmp_path: Path) -> None:
    done = run("-", stdin=Path(saved(tmp_path, RECORD)).read_bytes())
    assert done.returncode == 0
    assert done.stdout.startswith(b"-: game g_test")


def test_json_has_one_object_per_record(tmp_path: Path) -> None:
    good, bad = saved(tmp_path, RECORD), saved(tmp_path, replace(RECORD, secret=None), "bad.jsonl")
    done = run("--json", good, bad, str(tmp_path / "none"))
    assert done.returncode == 2
    first, second, third = [json.loads(line) for line in done.stdout.splitlines()]
    assert (first["record"], first["game"], first["verdict"], first["first_bad_version"]) == (
        good,
        "g_test",
        "proved",
        None,
    )
    assert first["checks"][0].keys() == {"name", "passed", "detail"}
    assert (second["verdict"], second["first_bad_version"]) == ("failed", 0)
    assert (third["verdict"], third["fault"]) == ("unreadable", "No such file or directory")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "line 1: the record is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "line 1: a line begins"),
        (b"[" * 3_000_000, "line 1: the line is longer than 1048576 bytes"),
        (b'{"header":{}}\n', "line 1: Object missing required field"),
    ],
)
def test_input_that_is_not_a_record_exits_with_2_and_no_traceback(data: bytes, fault: str) -> None:
    done = run("-", stdin=data)
    assert done.returncode == 2
    assert done.stderr == b""
    assert done.stdout.decode().startswith(f"-: unreadable: {fault}")


@pytest.mark.parametrize("path", ["", "no such file", ".", "/dev/zero", "name\nwith\x1b[31mescapes", "\udcff"])
def test_a_file_that_cannot_be_opened_exits_with_2_and_no_traceback(path: str) -> None:
    done = run(path)
    assert done.returncode == 2
    assert done.stderr == b""
    assert b": unreadable: " in done.stdout
    assert b"\x1b" not in done.stdout
    assert done.stdout.count(b"\n") == 1


def test_a_record_that_stops_before_the_end_is_of_a_running_game(tmp_path: Path) -> None:
    done = run(saved(tmp_path, replace(RECORD, entries=RECORD.entries[:20], secret=None)))
    assert done.returncode == 3
    assert done.stdout.splitlines()[-1] == b"RUNNING"


def test_the_help_explains_the_exit_status() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert b"0 proved, 1 failed, 2 unreadable" in done.stdout


@pytest.mark.parametrize("arguments", [(), ("--edition", "x", "y"), ("--jason",)])
def test_wrong_usage_exits_with_2(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).returncode == 2


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (("proved", "proved"), 0),
        (("running", "proved"), 3),
        (("proved", "failed", "running"), 1),
        (("failed", "unreadable", "proved"), 2),
    ],
)
def test_with_several_records_the_worst_verdict_decides(names: tuple[str, ...], status: int, tmp_path: Path) -> None:
    files = {
        "proved": saved(tmp_path, RECORD, "proved"),
        "running": saved(tmp_path, replace(RECORD, entries=(), secret=None), "running"),
        "failed": saved(tmp_path, replace(RECORD, entries=()), "failed"),
        "unreadable": str(tmp_path),
    }
    assert main([files[name] for name in names]) == status


def test_a_record_cannot_control_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = replace(RECORD.header, game="\x1b[2J\rPROVED\x9b", ruleset="\u202egnorw")
    main([saved(tmp_path, replace(RECORD, header=header))])
    written = capsys.readouterr().out
    assert all(character.isprintable() or character == "\n" for character in written)
    assert r"\x1b[2J\rPROVED\x9b" in written


def a_long_record() -> Record:
    """A game with many pauses, annulled at the end."""
    play = Play(RACE).move(REFEREE, SetUp())
    for _ in range(PROGRESS_EVERY):
        play.commit("admin", PauseGame(reason=digest(b"tea")), (GamePaused(reason=digest(b"tea")),))
        play.commit("admin", ResumeGame(reason=digest(b"work")), (GameResumed(reason=digest(b"work")),))
    return play.commit("admin", AnnulGame(reason=digest(b"home")), (GameAnnulled(reason=digest(b"home")),)).record


def test_no_progress_is_shown_without_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([saved(tmp_path, a_long_record())], KNOWN) == 0
    assert capsys.readouterr().err == ""


def test_the_audit_of_a_long_record_shows_its_progress_on_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert main([saved(tmp_path, a_long_record())], KNOWN) == 0
        shown = b""
        while not shown.endswith(b" \r") and select.select([ours], [], [], 5)[0]:
            shown += os.read(ours, 10_000)
    os.close(ours)
    assert f"\r{PROGRESS_EVERY} of {2 * PROGRESS_EVERY + 2} commits".encode() in shown
    assert shown.endswith(b" \r")
