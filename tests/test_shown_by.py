"""The list of tests by clause that the API serves matches the tests."""

import subprocess
import sys

import pytest

from tests.clause_report import clauses_shown, is_whole
from tests.shown_by import FILE, as_text
from tests.subjects import ROOT


def test_the_list_of_clauses_shown_is_up_to_date(request: pytest.FixtureRequest) -> None:
    """A whole run knows all tests; a partial run collects them in another process."""
    if is_whole(request.session):
        assert FILE.read_bytes() == as_text(clauses_shown(request.session.items)), "run `python -m tests.shown_by`"
    else:
        command = [sys.executable, "-m", "tests.shown_by", "--check"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
