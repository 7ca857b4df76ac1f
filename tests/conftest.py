"""The clause marker: unknown ids stop the run, and a whole run ends with what it has not shown. The time can be set."""

from collections.abc import Callable

import pytest

from tests.clause_report import Sightings, clauses_shown, gaps, is_whole, known_ids

SIGHTINGS = pytest.StashKey[Sightings]()
GAPS = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SIGHTINGS] = sightings = Sightings()
    config.stash[GAPS] = []
    sightings.watch_refusals()


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
    """A worker has finished: take over what it saw."""
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
    """Make it so many milliseconds since 1970 for the service, as long as the test runs."""
    return lambda at: monkeypatch.setattr("referee.service.desk.time.time_ns", lambda: at * 1_000_000)
