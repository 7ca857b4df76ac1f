"""Runs slow work in a thread, one task at a time, so that other requests do not wait for it."""

from collections.abc import Callable
from typing import TypeVar

from gevent import get_hub
from gevent.lock import BoundedSemaphore

T = TypeVar("T")


class Thread:
    """Runs one task at a time in a thread, so that a process never uses more than one additional thread."""

    def __init__(self) -> None:
        self._lock = BoundedSemaphore()

    def __call__(self, work: Callable[[], T], /) -> T:
        """Return the result of the work, or raise its exception; meanwhile the process serves other requests."""
        results: list[T] = []
        errors: list[Exception] = []

        def catch_errors() -> None:
            # gevent would log an exception that a thread raises.
            try:
                results.append(work())
            except Exception as error:
                errors.append(error)

        with self._lock:
            get_hub().threadpool.apply(catch_errors)
        if errors:
            raise errors[0]
        return results[0]
