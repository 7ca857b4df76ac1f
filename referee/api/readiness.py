"""Checks whether this process can work, at most once per second."""

import threading
import time
from collections.abc import Callable

SECONDS = 1.0
"""The time for which the result of a check is used."""


class Readiness:
    """Makes at most one attempt per second, and shares its result between all callers."""

    def __init__(self, attempt: Callable[[], None]) -> None:
        self._attempt = attempt
        self._lock = threading.Lock()
        self._expires = 0.0
        self._error: Exception | None = None

    def check(self) -> None:
        """Raise the exception of the last attempt, if it failed."""
        with self._lock:
            if time.monotonic() >= self._expires:
                try:
                    self._attempt()
                    self._error = None
                except Exception as raised:
                    self._error = raised
                self._expires = time.monotonic() + SECONDS
            error = self._error
        if error is not None:
            raise error.with_traceback(None)
