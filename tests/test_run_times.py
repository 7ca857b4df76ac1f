"""The last line of a run."""

from types import SimpleNamespace

from tests.run_times import NO_BROWSER, RunTimes, part_of


def test_every_test_belongs_to_one_part() -> None:
    assert part_of("tests/rulesets/catham_city/test_taking.py::test_x") == "rules and service"
    assert part_of("tests/generators/test_clients.py::test_x") == "clients and generators"
    assert part_of("tests/test_architecture.py::test_x") == "the rest"


def test_the_time_of_tests_side_by_side_is_shared() -> None:
    times = RunTimes(processes=2)
    for name, seconds in (("tests/api/test_games.py", 600.0), ("tests/docs/test_links.py", 60.0)):
        times.add(SimpleNamespace(nodeid=name, duration=seconds, skipped=False))
    assert times.line() == "minutes by part: rules and service 5.0, the rest 0.5"


def test_the_last_line_counts_the_tests_that_need_a_browser_where_there_is_none() -> None:
    times = RunTimes(processes=1)
    times.add(SimpleNamespace(nodeid="tests/page/test_x.py", duration=0.0, skipped=True, longrepr=("", 1, NO_BROWSER)))
    assert "1 tests of the page were left out" in times.line()
