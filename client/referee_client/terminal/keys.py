"""Single keys of a terminal, without Enter. Keys that are pressed early are not lost."""

import os
import re
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

_KEY = re.compile(r"\x1b\[[A-Za-z]|.", re.DOTALL)


@contextmanager
def keys() -> Iterator[Iterator[str]]:
    """Yield an iterator over pressed keys; afterwards restore the settings of the terminal."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield _pressed(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _pressed(terminal: int) -> Iterator[str]:
    while data := os.read(terminal, 64):
        yield from _KEY.findall(data.decode(errors="replace"))
