"""The pool returns results in order, and leaves no process running."""

import multiprocessing
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.offline.pool import TaskFailed, in_order


def square(number: int) -> int:
    return number * number


def slowest_first(number: int) -> int:
    sum(range(1_000_000 // number))
    return number


def fail_at(bad: int, number: int) -> int:
    if number == bad:
        raise ValueError(f"no {number}")
    return number


def die(number: int) -> int:
    os._exit(9)


def register_and_wait(directory: Path, number: int) -> int:
    if number == 1:
        return number
    (directory / str(os.getpid())).touch()
    threading.Event().wait()
    return number


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    assert list(in_order(square, range(30), jobs)) == [number * number for number in range(30)]
    assert list(in_order(slowest_first, range(1, 9), jobs)) == list(range(1, 9))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_names_its_task(jobs: int) -> None:
    results: list[int] = []
    with pytest.raises(TaskFailed) as failure:
        results.extend(in_order(partial(fail_at, 5), range(9), jobs))
    assert failure.value.task == 5
    assert failure.value.reason == "ValueError: no 5"
    assert "fail_at" in failure.value.trace
    assert multiprocessing.active_children() == []


def test_results_before_a_failure_are_returned() -> None:
    results = in_order(partial(fail_at, 2), range(9), 2)
    assert [next(results), next(results)] == [0, 1]
    with pytest.raises(TaskFailed):
        next(results)


def test_a_process_that_dies_is_a_failure() -> None:
    with pytest.raises(TaskFailed, match="ended"):
        list(in_order(die, range(4), 2))


def test_a_caller_that_stops_early_leaves_no_process_running(tmp_path: Path) -> None:
    results = in_order(partial(register_and_wait, tmp_path), [1, 2, 3], 2)
    assert next(results) == 1
    results.close()
    assert multiprocessing.active_children() == []
    for file in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(file.name), 0)


def test_endless_tasks_are_taken_only_as_needed() -> None:
    taken: list[int] = []

    def endless() -> Iterator[int]:
        while True:
            taken.append(len(taken))
            yield taken[-1]

    results = in_order(square, endless(), 2)
    assert [next(results) for _ in range(5)] == [0, 1, 4, 9, 16]
    results.close()
    assert len(taken) < 20
