"""Whether this process can work, without a write to disk for everybody who asks."""

import threading
import time
from collections.abc import Callable

SECONDS = 1.0
"""The longest time for which an answer holds."""


class Readiness:
    """Tries at most once a second; those who ask meanwhile share the outcome."""

    def __init__(self, attempt: Callable[[], None]) -> None:
        self._attempt = attempt
        self._lock = threading.Lock()
        self._expires = 0.0
        self._error: Exception | None = None

    def check(self) -> None:
        """Raises what the last attempt raised."""
        with self._lock:
            if time.monotonic() >= self._expires:
                try:
                    self._attempt()
                    self._error = None
                except Exception as error:
                    self._error = error
                self._expires = time.monotonic() + SECONDS
            found = self._error
        if found is not None:
            raise found.with_traceback(None)
