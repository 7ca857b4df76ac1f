"""Writes which tests show which clause, for the API: `python -m tests.shown_by`, or with `--check` only compares."""

import contextlib
import io
import sys

import msgspec
import pytest

from referee.rulesets import RULESETS
from tests.clause_report import clauses_shown
from tests.subjects import ROOT

FILE = ROOT / "referee" / "rulesets" / "shown_by.json"


class Collected:
    """Collects the tests of every clause when pytest has found them."""

    tests: dict[str, set[str]]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.tests = clauses_shown(session.items)


def collect() -> dict[str, set[str]]:
    """The tests of every clause, collected without running them."""
    collected, output = Collected(), io.StringIO()
    with contextlib.redirect_stdout(output):
        status = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", str(ROOT / "tests")], [collected])
    if status != pytest.ExitCode.OK:
        sys.exit(output.getvalue())
    return collected.tests


def as_text(tests: dict[str, set[str]]) -> bytes:
    """The tests of every clause and ruling, one line each, in the order of the rulebooks."""
    ids = [clause for ruleset in RULESETS.values() for clause in ruleset.rulebook.clauses]
    shown = {clause: sorted(tests[clause]) for clause in ids if clause in tests}
    return msgspec.json.format(msgspec.json.encode(shown), indent=1) + b"\n"


def write() -> None:
    """Write the file again."""
    FILE.write_bytes(as_text(collect()))


def main() -> None:
    if "--check" not in sys.argv[1:]:
        write()
    elif not FILE.exists() or FILE.read_bytes() != as_text(collect()):
        sys.exit(f"{FILE.relative_to(ROOT)} is stale: run `python -m tests.shown_by`.")


if __name__ == "__main__":
    main()
