"""Point 4: the same secret and moves give the same events in every process."""

import os
import subprocess
import sys

import msgspec

from tests.conformance.elsewhere import trace
from tests.subjects import ROOT, SUBJECTS


def test_another_process_with_another_order_of_sets_plays_the_same_game() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.elsewhere"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    there = msgspec.json.decode(done.stdout)
    assert there == {str(subject): trace(subject) for subject in SUBJECTS}
