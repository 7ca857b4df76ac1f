"""Limits a bot's search to a number of iterations or milliseconds, and counts the iterations."""

import time
from typing import Protocol


class Budget(Protocol):
    """Counts the iterations of a search, and ends it."""

    spent: int
    """The number of iterations so far."""

    def spend(self) -> bool:
        """Count another iteration and return True, or return False if the budget is used up."""


class Iterations:
    """A number of iterations, with which a bot makes the same move every time."""

    def __init__(self, count: int) -> None:
        self.spent = 0
        self._count = count

    def spend(self) -> bool:
        """Count another iteration, unless none is left."""
        if self.spent >= self._count:
            return False
        self.spent += 1
        return True


class Milliseconds:
    """A time, which starts with the first iteration."""

    def __init__(self, count: int) -> None:
        self.spent = 0
        self._seconds = count / 1000
        self._until: float | None = None

    def spend(self) -> bool:
        """Count another iteration, unless the time is over."""
        now = time.monotonic()
        if self._until is None:
            self._until = now + self._seconds
        if now >= self._until:
            return False
        self.spent += 1
        return True
