"""How long a bot may think: so many iterations, or so many milliseconds. What was spent is counted in iterations."""

import time
from typing import Protocol


class Budget(Protocol):
    """Counts the iterations of a bot that thinks in them, and says when to stop."""

    spent: int
    """The iterations so far."""

    def spend(self) -> bool:
        """Whether there is enough left for another iteration; it then counts as spent."""


class Iterations:
    """So many iterations: with the same luck a bot then makes the same move."""

    def __init__(self, count: int) -> None:
        self.spent = 0
        self._count = count

    def spend(self) -> bool:
        """Whether there is another iteration left."""
        if self.spent >= self._count:
            return False
        self.spent += 1
        return True


class Milliseconds:
    """So much time, counted from the first iteration."""

    def __init__(self, count: int) -> None:
        self.spent = 0
        self._seconds = count / 1000
        self._until: float | None = None

    def spend(self) -> bool:
        """Whether there is time left."""
        now = time.monotonic()
        if self._until is None:
            self._until = now + self._seconds
        if now >= self._until:
            return False
        self.spent += 1
        return True
