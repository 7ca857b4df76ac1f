"""Checks whether this process can work, at most once per second."""

import threading
import time
from collections.abc import Callable, Mapping

SECONDS = 1.0
"""The time for which the result of a check is used."""


class Readiness:
    """Makes at most one attempt per second, and shares its result between all callers."""

    def __init__(self, attempt: Callable[[], Mapping[str, str]]) -> None:
        self._attempt = attempt
        self._lock = threading.Lock()
        self._expires = 0.0
        self._error: Exception | None = None
        self._found: Mapping[str, str] = {}

    def check(self) -> Mapping[str, str]:
        """Return what the last attempt found, or raise its exception."""
        with self._lock:
            if time.monotonic() >= self._expires:
                try:
                    self._found = self._attempt()
                    self._error = None
                except Exception as raised:
                    self._error = raised
                self._expires = time.monotonic() + SECONDS
            error, found = self._error, self._found
        if error is not None:
            raise error.with_traceback(None)
        return found
