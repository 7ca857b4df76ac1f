"""The last line of a run: the time of each of its parts."""

from collections import Counter
from collections.abc import Iterable

import pytest

PARTS = {
    "tests/page/": "page",
    "tests/cluster/": "cluster",
    "tests/generators/": "clients and generators",
    "tests/client/": "clients and generators",
    "tests/docs/": "the rest",
    "tests/bench/": "the rest",
    "tests/test_": "the rest",
}
"""The part of the run that a test belongs to, by the beginning of its path."""

OTHERWISE = "rules and service"
NO_BROWSER = "there is no browser"
HOW_TO_GET_ONE = "`make test` installs a Chromium, and CHROMIUM names another one"


def part_of(test: str) -> str:
    """The part of the run that a test belongs to."""
    return next((part for start, part in PARTS.items() if test.startswith(start)), OTHERWISE)


class RunTimes:
    """Adds up the times of the tests; tests that run in parallel share the elapsed time."""

    def __init__(self, processes: int) -> None:
        self._processes = max(1, processes)
        self._seconds: Counter[str] = Counter()
        self._left_out = 0

    def add(self, report: pytest.TestReport) -> None:
        """Count a phase of a test: set-up, call or tear-down."""
        self._seconds[part_of(report.nodeid)] += report.duration
        self._left_out += report.skipped and NO_BROWSER in str(report.longrepr)

    def line(self) -> str:
        """The parts and their minutes, longest first, and the tests of the page if they were left out."""
        minutes = f"minutes by part: {', '.join(self._parts(self._seconds.most_common()))}"
        if not self._left_out:
            return minutes
        return f"{minutes}; {self._left_out} tests of the page were left out: {NO_BROWSER} ({HOW_TO_GET_ONE})"

    def _parts(self, seconds: Iterable[tuple[str, float]]) -> Iterable[str]:
        return (f"{part} {spent / self._processes / 60:.1f}" for part, spent in seconds)
