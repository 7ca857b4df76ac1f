"""Processes that are forked from the supervisor: they share the modules that it has loaded, and so start at once."""

import multiprocessing
import os
import random
import signal
import subprocess
from collections.abc import Callable

from setproctitle import setproctitle

from referee.offline.parent import end_with_parent

_fork = multiprocessing.get_context("fork")


class Forked:
    """A function that runs in a process of its own, with the methods of `subprocess.Popen` that a supervisor needs."""

    def __init__(self, title: str, run: Callable[[], object]) -> None:
        self._process = _fork.Process(target=_begin, args=(title, run))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        """The exit status; None while the process runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        """Look whether the process has ended."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of the process and return its status; raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        if (status := self._process.exitcode) is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
        return status

    def terminate(self) -> None:
        """Send SIGTERM, if the process still runs."""
        self._process.terminate()

    def kill(self) -> None:
        """Send SIGKILL, if the process still runs."""
        self._process.kill()


def _begin(title: str, run: Callable[[], object]) -> None:
    """Become a process that ignores Ctrl-C in the terminal but ends with the supervisor."""
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, signal.SIG_DFL)
    os.setsid()
    end_with_parent()
    setproctitle(title)
    random.seed()
    run()
