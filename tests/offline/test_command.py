"""The command `python -m referee.offline`: its files, its output, and its messages for bad arguments."""

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from referee.audit.__main__ import main as audit
from referee.bots import BOTS
from referee.bots.bot import Turn
from referee.bots.random_bot import RandomBot
from referee.kernel.message import Move
from referee.offline.__main__ import main
from referee.offline.plan import Plan
from tests.subjects import ROOT
from tests.waiting import eventually

GAME = ["catham-city", "--seats", "random,greedy"]
COMMAND = [sys.executable, "-m", "referee.offline"]


def play(directory: Path, *further: str) -> dict[str, bytes]:
    """Play games, and return the files that the command writes."""
    assert main([*GAME, "--games", "6", "--seed", "7", "--out", str(directory), *further]) == 0
    return {file.name: file.read_bytes() for file in directory.iterdir()}


def test_the_same_seed_leads_to_the_same_files_with_any_number_of_jobs(tmp_path: Path) -> None:
    alone = play(tmp_path / "alone", "--jobs", "1")
    together = play(tmp_path / "together", "--jobs", "3")
    assert sorted(alone) == [f"catham-city-7-{number}.jsonl" for number in range(1, 7)]
    assert alone == together


def test_a_run_can_start_at_any_game(tmp_path: Path) -> None:
    whole = play(tmp_path / "whole", "--rotate", "--jobs", "1")
    main([*GAME, "--seed", "7", "--first", "4", "--rotate", "--jobs", "1", "--out", str(tmp_path / "part")])
    (part,) = (tmp_path / "part").iterdir()
    assert part.read_bytes() == whole["catham-city-7-4.jsonl"]


def test_the_audit_proves_the_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play(tmp_path, "--jobs", "1", "--option", "expert=true", "--option", 'journalists_bonus="active"')
    assert audit([str(file) for file in tmp_path.iterdir()]) == 0
    assert capsys.readouterr().out.count("PROVED") == 6


def test_the_audit_proves_the_records_of_another_edition(tmp_path: Path) -> None:
    play(tmp_path, "--jobs", "1", "--edition", "short")
    assert audit([str(file) for file in tmp_path.iterdir()]) == 0


def test_an_edition_can_be_a_file(tmp_path: Path) -> None:
    numbers = (ROOT / "referee/rulesets/catham_city/editions/unlisted/short.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(numbers, encoding="utf-8")
    by_file = play(tmp_path / "file", "--jobs", "1", "--edition", str(tmp_path / "mine.toml"))
    assert by_file == play(tmp_path / "name", "--jobs", "1", "--edition", "short")


def test_the_record_of_another_game_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = play(tmp_path, "--jobs", "1")
    assert play(tmp_path, "--jobs", "1") == before
    assert main([*GAME, "--seed", "7", "--option", "expert=true", "--jobs", "1", "--out", str(tmp_path)]) == 1
    assert "catham-city-7-1.jsonl: already holds another game" in capsys.readouterr().err
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_the_summary_counts_the_wins_of_each_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GAME, "--games", "10", "--rotate", "--jobs", "1"]) == 0
    printed = capsys.readouterr().out.splitlines()
    head, *rows = [line.split() for line in printed[:-1]]
    assert head[:4] == ["bot", "seats", "wins", "share"]
    counted = {row[0]: (int(row[1]), int(row[2]), float(row[3].rstrip("%"))) for row in rows}
    assert {bot: seats for bot, (seats, _, _) in counted.items()} == {"random": 10, "greedy": 10}
    assert counted["greedy"][1] > counted["random"][1]
    assert sum(share for _, _, share in counted.values()) == pytest.approx(100)
    assert printed[-1].startswith("10 games, ")


def test_json_has_one_line_per_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GAME, "--games", "3", "--rotate", "--jobs", "1", "--json"]) == 0
    results = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["seed"] for result in results] == ["1-1", "1-2", "1-3"]
    assert [result["bots"] for result in results] == [["random", "greedy"], ["greedy", "random"], ["random", "greedy"]]
    assert all(sorted(result["ranks"])[0] == 1 for result in results)


def test_rotating_bots_play_in_every_seat_once_per_round() -> None:
    plan = Plan("", None, {}, ("a", "b", "c"), "1", games=4, rotates=True)
    assert [task.bots for task in plan.tasks()] == [
        ("a", "b", "c"),
        ("c", "a", "b"),
        ("b", "c", "a"),
        ("a", "b", "c"),
    ]


def test_bots_are_seated_in_every_order_in_turn() -> None:
    plan = Plan("", None, {}, ("a", "b", "c"), "1", games=7, permutes=True)
    *orders, again = [task.bots for task in plan.tasks()]
    assert sorted(orders) == [
        ("a", "b", "c"),
        ("a", "c", "b"),
        ("b", "a", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
        ("c", "b", "a"),
    ]
    assert again == orders[0]
    twins = Plan("", None, {}, ("a", "a", "b"), "1", games=3, permutes=True)
    assert [task.bots for task in twins.tasks()] == [("a", "a", "b"), ("a", "b", "a"), ("b", "a", "a")]


def test_a_seat_can_name_the_plan_of_its_bot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seats = ["cat-and-fish", "--seats", "greedy:gear,greedy:ships", "--permute", "--games", "2", "--jobs", "1"]
    assert main([*seats, "--out", str(tmp_path)]) == 0
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:3]]
    assert rows == [["greedy:gear", "2"], ["greedy:ships", "2"]]
    assert audit(["--bots", *(str(file) for file in tmp_path.iterdir())]) == 0


TWO = ["--seats", "random,random"]

BAD = {
    "unknown title": (["chess", *TWO], "unknown ruleset `chess`; there are: cat-and-fish, catham-city"),
    "no seats": (["catham-city"], "required: --seats"),
    "unknown bot": (["catham-city", "--seats", "random,deep"], "no bot `deep` plays catham-city; these do: random"),
    "unknown plan": (
        ["cat-and-fish", "--seats", "greedy:ships,greedy:oars"],
        "no bot `greedy:oars` plays cat-and-fish; these do: random, greedy, search, greedy:gear, greedy:ships, ",
    ),
    "plan of another title": (["catham-city", "--seats", "random,greedy:ships"], "no bot `greedy:ships` plays"),
    "plan of another bot": (["cat-and-fish", "--seats", "random:ships,greedy"], "no bot `random:ships` plays"),
    "rotate and permute": (["catham-city", *TWO, "--rotate", "--permute"], "not allowed with argument --rotate"),
    "too few seats": (["catham-city", "--seats", "random"], "catham-city has 2 to 6 seats; bots given: 1"),
    "empty seat": (["catham-city", "--seats", "random,,random"], "no bot `` plays"),
    "unknown option": (["catham-city", *TWO, "--option", "speed=1"], "unknown field `speed`; the options are: fac"),
    "option of a wrong type": (["catham-city", *TWO, "--option", "expert=maybe"], "Expected `bool`, got `str`"),
    "option without value": (["catham-city", *TWO, "--option", "expert"], "expected NAME=VALUE, got `expert`"),
    "option given twice": (
        ["catham-city", *TWO, "--option", "expert=true", "--option", "expert=false"],
        "the option `expert` is given more than once",
    ),
    "option that a clause refuses": (["catham-city", *TWO, "--option", "first_seat=7"], "(CC-S3)"),
    "unknown edition": (["catham-city", *TWO, "--edition", "long"], "no edition `long`; it has: box, short"),
    "edition without file": (["catham-city", *TWO, "--edition", "no.toml"], "edition no.toml: No such file"),
    "edition that is none": (
        ["catham-city", *TWO, "--edition", str(ROOT / "pyproject.toml")],
        "unknown field `build-system`",
    ),
    "seed with a slash": (["catham-city", *TWO, "--seed", "../x"], "dashes and underscores; got `../x`"),
    "no game": (["catham-city", *TWO, "--games", "0"], "--games: expected a whole number of at least 1, got `0`"),
    "half a game": (["catham-city", *TWO, "--games", "1.5"], "at least 1, got `1.5`"),
    "directory that is a file": (["catham-city", *TWO, "--out", str(ROOT / "README.md")], "README.md: File exists"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_bad_arguments_are_refused(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert message in capsys.readouterr().err


class Stumbler(RandomBot):
    """A bot that fails in some games."""

    name = "stumbler"

    def choose(self, turn: Turn) -> Move:
        if turn.chance.number("stumble", 1, 400) == 1:
            raise ArithmeticError("one foot too many")
        return super().choose(turn)


def test_a_game_that_fails_is_named_with_its_seed_and_can_be_played_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(BOTS, "stumbler", Stumbler())
    game = ["catham-city", "--seats", "stumbler,random", "--seed", "s", "--jobs", "1"]
    assert main([*game, "--games", "50"]) == 1
    output = capsys.readouterr().err
    failed = re.search(
        r"^game (\d+) \(seed s-(\d+), stumbler, random\): ArithmeticError: one foot too many$", output, re.M
    )
    assert failed is not None and failed[1] == failed[2] and int(failed[1]) > 1
    assert output.endswith(f"to play this game alone: --first {failed[1]} --games 1 --jobs 1\n")
    assert main([*game, "--first", failed[1], "--games", "1"]) == 1
    assert main([*game, "--games", str(int(failed[1]) - 1)]) == 0


def test_without_a_terminal_progress_has_ten_lines() -> None:
    run = subprocess.run([*COMMAND, *GAME, "--games", "20"], cwd=ROOT, capture_output=True, text=True, check=True)
    lines = run.stderr.splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("2 of 20 games, ")
    assert lines[-1].startswith("20 of 20 games, ")
    assert "\r" not in run.stderr


def test_a_terminal_shows_a_bar_that_disappears_at_the_end() -> None:
    ours, theirs = pty.openpty()
    subprocess.run([*COMMAND, *GAME, "--games", "4"], cwd=ROOT, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert "[##############################] 4 of 4 games" in shown
    assert shown.endswith("\r\x1b[K")


def _is_group_alive(group: int) -> bool:
    """Whether the group has a process that is not a zombie."""
    rows = subprocess.run(["ps", "-eo", "pgid,stat", "--no-headers"], capture_output=True, text=True, check=True)
    found = [row.split() for row in rows.stdout.splitlines()]
    return any(int(number) == group and not status.startswith("Z") for number, status in found)


def test_an_interrupt_stops_all_processes_at_once(tmp_path: Path) -> None:
    command = [*COMMAND, *GAME, "--games", "100000", "--jobs", "2", "--out", str(tmp_path)]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    eventually(lambda: len(list(tmp_path.glob("*.jsonl"))) > 3)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "interrupted" in errors.decode().splitlines()
    assert "Traceback" not in errors.decode()
    eventually(lambda: not _is_group_alive(run.pid))
    assert audit([str(file) for file in tmp_path.glob("*.jsonl")]) == 0
