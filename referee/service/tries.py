"""Trying again because somebody else was first."""

import random
import time

from referee.service.problems import Problem

TRIED_S_MAX = 10.0
"""Somebody who loses every race for this long is told to come back later."""
AT_ONCE = 20
"""This number of tries follow one another without a pause."""
PAUSE_S_MAX = 0.05


class Tries:
    """Counts the tries of one request. While it pauses, a web process serves others."""

    def __init__(self) -> None:
        self._number = 0
        self._began = time.monotonic()

    def again(self) -> bool:
        """Call before each try; gives whether there was a pause, after which what is known may be old.

        Raises a problem when it has taken too long. Pauses are random and grow: whoever races with us is not always
        in the same place.
        """
        self._number += 1
        if self._number <= AT_ONCE:
            return False
        if time.monotonic() - self._began >= TRIED_S_MAX:
            raise Problem(503, "too-busy", "Others were first for ten seconds; try again.", retry_after=1)
        time.sleep(random.uniform(0, min(PAUSE_S_MAX, 0.001 * (self._number - AT_ONCE))))
        return True
