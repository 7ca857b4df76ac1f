"""The clause marker, the report of gaps after a whole run, the times of its parts, and a clock that tests can set."""

import signal
from collections.abc import Callable

import pytest

from tests.clause_report import Sightings, clauses_shown, gaps, is_whole, known_ids
from tests.run_times import RunTimes

SIGHTINGS = pytest.StashKey[Sightings]()
GAPS = pytest.StashKey[list[str]]()


class TimeKeeper:
    """Adds the time of each test to its part, and prints the parts after everything else."""

    def __init__(self, times: RunTimes) -> None:
        self._times = times

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._times.add(report)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        if config.getoption("verbose") <= 0 and not config.getoption("collectonly"):
            print(self._times.line())


def pytest_configure(config: pytest.Config) -> None:
    # A shell lets what it starts in the background ignore interrupts, and so would the commands that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.stash[SIGHTINGS] = sightings = Sightings()
    config.stash[GAPS] = []
    times = RunTimes(config.getoption("numprocesses", 0) or 1)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(TimeKeeper(times))
    sightings.watch_refusals()


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Run tests that share a dear fixture, such as a whole service, in one process, so that it is made once."""
    if item.get_closest_marker("xdist_group") is None and (shared := _shared(item)):
        item.add_marker(pytest.mark.xdist_group(shared))


def _shared(item: pytest.Item) -> str | None:
    """The module or package whose fixture a test uses."""
    found = getattr(item, "_fixtureinfo", None)
    used = [each[-1] for each in found.name2fixturedefs.values()] if found is not None else []
    return next((each.baseid for each in used if each.scope in ("module", "package")), None)


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    sightings = config.stash[SIGHTINGS]
    sightings.shown = shown = clauses_shown(items)
    if unknown := sorted(shown.keys() - known_ids()):
        tests = sorted(test for clause in unknown for test in shown[clause])
        sightings.unknown = f"No rules.md has {', '.join(unknown)}: see {', '.join(tests)}"
        if not hasattr(config, "workeroutput"):
            raise pytest.UsageError(sightings.unknown)
        items.clear()
        session.shouldfail = sightings.unknown


def pytest_deselected(items: list[pytest.Item]) -> None:
    if items:
        items[0].config.stash[SIGHTINGS].is_partial = True


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object, error: object) -> None:
    """Add the sightings of a worker that has finished."""
    written = getattr(node, "workeroutput", {}).get("sightings")
    sightings = node.config.stash[SIGHTINGS]
    if written is None:
        sightings.is_partial = True
    else:
        sightings.add(written)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    sightings = session.config.stash[SIGHTINGS]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["sightings"] = sightings.written()
    elif sightings.unknown:
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    elif is_whole(session) and not sightings.is_partial:
        session.config.stash[GAPS] = list(gaps(sightings))
        if session.config.stash[GAPS] and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if found := config.stash[GAPS]:
        terminalreporter.section("gaps between clauses, code and tests", red=True)
        for line in found:
            terminalreporter.line(line)


@pytest.fixture
def set_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Set the service's clock for the duration of the test, in milliseconds since 1970."""
    return lambda at: monkeypatch.setattr("referee.service.repository.time.time_ns", lambda: at * 1_000_000)
