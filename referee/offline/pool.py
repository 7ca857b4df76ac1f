"""Plays many games on all cores, and gives what became of them in order, as it comes."""

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

from referee.embedded import end_with_parent

T = TypeVar("T")
Task = TypeVar("Task")

AHEAD = 4
"""So many games per process are handed out before the first of them is asked for."""


class TaskFailed(Exception):
    """A game could not be played. `task` is what was asked for, `trace` where it went wrong."""

    def __init__(self, task: object, reason: str, trace: str) -> None:
        super().__init__(f"{task}: {reason}")
        self.task = task
        self.reason = reason
        self.trace = trace


class _Fault(msgspec.Struct, frozen=True):
    reason: str
    trace: str


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(work: Callable[[Task], T], tasks: Iterable[Task], jobs: int) -> Generator[T, None, None]:
    """What the work makes of each task, in the order of the tasks; raises TaskFailed at the first that fails.

    With one job it is done in this process. However the caller stops, no process is left behind.
    """
    tried = partial(_try, work)
    if jobs == 1:
        for task in tasks:
            yield _made(task, tried(task))
        return
    waiting = iter(tasks)
    with _processes(jobs) as executor:
        asked = deque((task, executor.submit(tried, task)) for task in islice(waiting, AHEAD * jobs))
        while asked:
            task, future = asked.popleft()
            made = _made(task, _outcome(future))
            asked.extend((task, executor.submit(tried, task)) for task in islice(waiting, 1))
            yield made


def _try(work: Callable[[Task], T], task: Task) -> T | _Fault:
    """A fault is carried over as text: not every exception survives the way between processes."""
    try:
        return work(task)
    except Exception as error:
        return _Fault(f"{type(error).__name__}: {error}", traceback.format_exc())


def _outcome(future: "Future[T | _Fault]") -> T | _Fault:
    try:
        return future.result()
    except Exception as error:
        return _Fault(f"The process that played it ended: {error}", traceback.format_exc())


def _made(task: object, outcome: T | _Fault) -> T:
    if isinstance(outcome, _Fault):
        raise TaskFailed(task, outcome.reason, outcome.trace)
    return outcome


@contextmanager
def _processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that are ended at once, whatever they are at, when nobody waits for them any more."""
    others = {child.pid for child in multiprocessing.active_children()}
    # A process that is forked while other threads run can wait for ever for what they held.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts_to_the_parent)
    try:
        yield executor
    finally:
        ours = [child for child in multiprocessing.active_children() if child.pid not in others]
        executor.shutdown(wait=False, cancel_futures=True)
        for child in ours:
            child.terminate()
        for child in ours:
            # The executor's thread waits for them too; if it is told of the end first, join comes back too early.
            while child.is_alive():
                child.join()


def _leave_interrupts_to_the_parent() -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
