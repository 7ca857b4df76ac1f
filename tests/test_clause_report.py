"""The clause report, tested with small runs of pytest."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clause_report import Sightings, cited_anywhere, gaps, refusing_ids
from tests.subjects import ROOT
from tests.toy import TOY

PASSING = """
import pytest
from referee.kernel.rejection import Rejection

@pytest.mark.clause("TY-1")
def test_one():
    Rejection("TY-1", "Over.")

def test_two():
    pass
"""
UNKNOWN = PASSING.replace("TY-1", "TY-77")


def run(place: Path, source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest over one file, with the project's report."""
    tests = place / "tests"
    tests.mkdir()
    (tests / "test_tried.py").write_text(source, encoding="utf-8")
    (place / "pytest.ini").write_text("[pytest]\ntestpaths = tests\nmarkers = clause: a clause\n", encoding="utf-8")
    plugins = ["-p", "xdist.plugin", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST"):
        env.pop(name, None)
    command = [sys.executable, "-m", "pytest", *plugins, *arguments]
    return subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [(), ("-n", "2")])
def test_a_whole_run_ends_with_the_gaps_and_fails(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run(tmp_path, PASSING, *arguments)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
    assert "2 passed" in done.stdout
    assert "toy: no test: TY-2, TY-3" in done.stdout
    assert "toy: refused nothing: TY-2, TY-3" in done.stdout


def test_a_partial_run_stays_quiet(tmp_path: Path) -> None:
    done = run(tmp_path, PASSING, "-k", "one")
    assert done.returncode == pytest.ExitCode.OK, done.stdout
    assert "gaps" not in done.stdout


def test_a_clause_that_no_rulebook_has_stops_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, UNKNOWN, "-n", "2")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout
    assert "No rules.md has TY-77" in done.stdout + done.stderr
    assert "passed" not in done.stdout


def test_a_clause_that_was_shown_and_refused_is_no_gap() -> None:
    everything = Sightings(shown={id: {"test"} for id in TOY.rulebook.clauses}, refused=set(TOY.rulebook.clauses))
    assert not [line for line in gaps(everything) if line.startswith("toy")]
    everything.refused.remove("TY-9")
    del everything.shown["TY-12"]
    found = [line for line in gaps(everything) if line.startswith("toy")]
    assert found == ["toy: no test: TY-12", "toy: refused nothing: TY-9"]


def test_rulings_need_no_test_and_no_code() -> None:
    assert "TY-R1" not in cited_anywhere(TOY)
    assert not any("TY-R1" in line for line in gaps(Sightings()))


def test_the_sightings_of_a_worker_are_added() -> None:
    seen, more = Sightings(shown={"TY-1": {"a"}}), Sightings(shown={"TY-1": {"b"}, "TY-2": {"c"}}, refused={"TY-2"})
    seen.add(more.written())
    assert seen == Sightings(shown={"TY-1": {"a", "b"}, "TY-2": {"c"}}, refused={"TY-2"})
    seen.add(Sightings(is_partial=True).written())
    assert seen.is_partial


def test_clauses_are_found_wherever_a_refusal_cites_them() -> None:
    source = """
require("AB-1", holds, "AB-2 is only mentioned.")
raise Rejection("AB-3" if a else "AB-S4", "No.")
attempt.known("AB-5")
attempt.readable("AB-6")
note("AB-7")
"""
    assert set(refusing_ids(ast.parse(source))) == {"AB-1", "AB-3", "AB-S4", "AB-5", "AB-6"}
