"""Work that takes longer than a request may keep others waiting: it is done in a thread, one piece after the other."""

from collections.abc import Callable
from typing import TypeVar

from gevent import get_hub
from gevent.lock import BoundedSemaphore

T = TypeVar("T")


class Thread:
    """One thread of each process: the rest of the process shares the processor with no more than one other."""

    def __init__(self) -> None:
        self._turn = BoundedSemaphore()

    def __call__(self, work: Callable[[], T], /) -> T:
        """What the work gives, or raises; meanwhile the process serves others."""
        given: list[T] = []
        raised: list[Exception] = []

        def caught() -> None:
            # What a thread raises gevent writes into the log.
            try:
                given.append(work())
            except Exception as error:
                raised.append(error)

        with self._turn:
            get_hub().threadpool.apply(caught)
        if raised:
            raise raised[0]
        return given[0]
