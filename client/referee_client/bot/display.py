"""What the runner shows: a log, and on a terminal a live line per game below it."""

import logging
import sys
from typing import TextIO

UP_AND_CLEAR = "\x1b[A\x1b[2K"
LINES_MAX = 40


class Display(logging.Handler):
    """Writes the log to a stream. On a terminal it keeps a line per game at the bottom; elsewhere it logs changes."""

    def __init__(self, stream: TextIO | None = None) -> None:
        super().__init__()
        stream = stream or sys.stderr
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        self._stream = stream
        self._is_live = stream.isatty()
        self._lines: dict[str, str] = {}
        self._shown = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Write a message above the live lines; nothing in it can forge a line or move the cursor."""
        text = self.format(record)
        self._write("".join(c if c.isprintable() or (c == "\n" and record.exc_info) else "?" for c in text) + "\n")

    def show(self, game: str, text: str) -> None:
        """Change the line of a game."""
        self._lines[game] = text
        if self._is_live:
            self._write("")
        else:
            logging.getLogger("referee_client.bot").info("%s", text)

    def remove(self, game: str) -> None:
        """Remove the line of a game, which stays in the log."""
        text = self._lines.pop(game, None)
        if text is not None and self._is_live:
            self._write(text + "\n")

    def _write(self, text: str) -> None:
        lines = [line[:160] for line in list(self._lines.values())[-LINES_MAX:]] if self._is_live else []
        self._stream.write(UP_AND_CLEAR * self._shown + text + "".join(f"{line}\n" for line in lines))
        self._stream.flush()
        self._shown = len(lines)
