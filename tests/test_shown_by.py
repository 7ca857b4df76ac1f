"""The list of tests by clause that the API serves is the one that the tests give."""

import subprocess
import sys

from tests.subjects import ROOT


def test_the_list_of_tests_by_clause_is_up_to_date() -> None:
    command = [sys.executable, "-m", "tests.shown_by", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
