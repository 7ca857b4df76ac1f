"""Waiting for a condition instead of sleeping."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_pause = threading.Event()


def eventually(ask: Callable[[], T], seconds: float = 30.0, every: float = 0.01) -> T:
    """Call `ask` until its result is true, and return it; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"not within {seconds} s: {answer!r}"
        _pause.wait(every)
