"""Runs many tasks on all cores, and yields their results in order as soon as they are ready."""

import multiprocessing
import os
import signal
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TypeVar

import msgspec

from referee.offline.parent import end_with_parent

T = TypeVar("T")
Task = TypeVar("Task")

AHEAD = 4
"""The number of tasks per process that are submitted before the first result is needed."""


class TaskFailed(Exception):
    """A task failed. `reason` is the error, `trace` its traceback."""

    def __init__(self, task: object, reason: str, trace: str) -> None:
        super().__init__(f"{task}: {reason}")
        self.task = task
        self.reason = reason
        self.trace = trace


class _Fault(msgspec.Struct, frozen=True):
    reason: str
    trace: str


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(work: Callable[[Task], T], tasks: Iterable[Task], jobs: int) -> Generator[T, None, None]:
    """Yield the result of each task, in the order of the tasks; raises TaskFailed at the first that fails.

    With one job, this process does the work. No process is left running when the caller stops early.
    """
    attempt = partial(_attempt, work)
    if jobs == 1:
        for task in tasks:
            yield _result(task, attempt(task))
        return
    waiting = iter(tasks)
    with _processes(jobs) as executor:
        submitted = deque((task, executor.submit(attempt, task)) for task in islice(waiting, AHEAD * jobs))
        while submitted:
            task, future = submitted.popleft()
            result = _result(task, _outcome(future))
            submitted.extend((task, executor.submit(attempt, task)) for task in islice(waiting, 1))
            yield result


def _attempt(work: Callable[[Task], T], task: Task) -> T | _Fault:
    """Do a task, and return an error as text: not every exception can be pickled."""
    try:
        return work(task)
    except Exception as error:
        return _Fault(f"{type(error).__name__}: {error}", traceback.format_exc())


def _outcome(future: "Future[T | _Fault]") -> T | _Fault:
    try:
        return future.result()
    except Exception as error:
        return _Fault(f"The process of this task ended: {error}", traceback.format_exc())


def _result(task: object, outcome: T | _Fault) -> T:
    if isinstance(outcome, _Fault):
        raise TaskFailed(task, outcome.reason, outcome.trace)
    return outcome


@contextmanager
def _processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of processes, and terminate them at once when the context ends."""
    others = {child.pid for child in multiprocessing.active_children()}
    # A process that is forked while other threads run can deadlock on a lock that one of them held.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_ignore_interrupts)
    try:
        yield executor
    finally:
        ours = [child for child in multiprocessing.active_children() if child.pid not in others]
        executor.shutdown(wait=False, cancel_futures=True)
        for child in ours:
            child.terminate()
        for child in ours:
            # The thread of the executor waits for them as well; if it reaps a child first, join returns too early.
            while child.is_alive():
                child.join()


def _ignore_interrupts() -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
