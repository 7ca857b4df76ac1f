"""No two titles share code that the kernel could offer once."""

from pathlib import Path

from tests.repeated import lines_of, repeated, shared_runs


def test_no_two_titles_share_six_lines() -> None:
    runs = [str(run) for run in repeated()]
    assert not runs, "\n".join(runs)


def test_six_shared_lines_are_found_whatever_stands_between_them(tmp_path: Path) -> None:
    lines = [f"x{number} = {number}" for number in range(6)]
    between = ["# A comment.", "", "from a import (", "    b,", ")", "'''Text.'''"]
    one, other, shorter = tmp_path / "one.py", tmp_path / "other.py", tmp_path / "shorter.py"
    one.write_text("\n".join(["import a", *lines, "y = 1"]))
    other.write_text("\n".join([*lines[:3], *between, *lines[3:]]))
    shorter.write_text("\n".join(lines[:5]))
    (run,) = shared_runs(lines_of(one), lines_of(other))
    assert (run.one.number, run.other.number, run.length) == (2, 1, 6)
    assert not list(shared_runs(lines_of(one), lines_of(shorter)))
