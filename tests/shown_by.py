"""Writes which tests show which clause, for the API: `python -m tests.shown_by`, or with `--check` only compares."""

import contextlib
import io
import sys

import msgspec
import pytest

from referee.rulesets import RULESETS
from tests.subjects import ROOT

FILE = ROOT / "referee" / "rulesets" / "shown_by.json"


class Collected:
    """Takes down the tests of every clause when pytest has found them."""

    def __init__(self) -> None:
        self.tests: dict[str, set[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            for mark in item.iter_markers("clause"):
                for clause in mark.args:
                    self.tests.setdefault(clause, set()).add(item.nodeid.partition("[")[0])


def shown_by() -> dict[str, list[str]]:
    """The tests of every clause and ruling that has some, in the order of the rulebooks."""
    collected, output = Collected(), io.StringIO()
    with contextlib.redirect_stdout(output):
        status = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", str(ROOT / "tests")], [collected])
    if status != pytest.ExitCode.OK:
        sys.exit(output.getvalue())
    ids = [clause for ruleset in RULESETS.values() for clause in ruleset.rulebook.clauses]
    return {clause: sorted(collected.tests[clause]) for clause in ids if clause in collected.tests}


def as_text(shown: dict[str, list[str]]) -> bytes:
    """One line per test, to be read in a diff."""
    return msgspec.json.format(msgspec.json.encode(shown), indent=1) + b"\n"


def write() -> None:
    """Write the file anew."""
    FILE.write_bytes(as_text(shown_by()))


def main() -> None:
    if "--check" not in sys.argv[1:]:
        write()
    elif not FILE.exists() or FILE.read_bytes() != as_text(shown_by()):
        sys.exit(f"{FILE.relative_to(ROOT)} is stale: run `python -m tests.shown_by`.")


if __name__ == "__main__":
    main()
