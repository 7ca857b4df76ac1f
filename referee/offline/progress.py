"""Shows the progress of a series of games: a bar on a terminal, some lines elsewhere."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")

BAR_WIDTH = 30
BAR_SECONDS = 0.1
"""The shortest time between two updates of the bar."""
LINES = 10
"""The number of lines that are written without a terminal."""


def with_progress(items: Iterable[T], total: int, stream: TextIO | None = None) -> Iterator[T]:
    """Yield the items, and show how many there were so far."""
    out = sys.stderr if stream is None else stream
    is_terminal = out.isatty()
    start = shown_at = time.monotonic()
    try:
        for done, each in enumerate(items, 1):
            yield each
            now = time.monotonic()
            if is_terminal and (done == total or now - shown_at >= BAR_SECONDS):
                shown_at = now
                print(f"\r{_bar(done, total)} {_text(done, total, now - start)}\x1b[K", end="", file=out, flush=True)
            elif not is_terminal and done * LINES // total > (done - 1) * LINES // total:
                print(_text(done, total, now - start), file=out, flush=True)
    finally:
        if is_terminal:
            print("\r\x1b[K", end="", file=out, flush=True)


def _bar(done: int, total: int) -> str:
    filled = done * BAR_WIDTH // total
    return f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}]"


def _text(done: int, total: int, seconds: float) -> str:
    speed = done / seconds if seconds else 0.0
    minutes, rest = divmod(round((total - done) / speed) if speed else 0, 60)
    left = f", {minutes}:{rest:02d} left" if done < total else ""
    return f"{done} of {total} games, {speed:.1f} games/s{left}"
