"""Runs the command `referee` as a user does: in a pseudo-terminal of 80 columns, or as a process."""

import contextlib
import fcntl
import io
import json
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pytest

from referee_client.terminal.main import main
from tests.subjects import ROOT

TITLE = "hund-und-katz"
COMMAND = Path(sys.executable).with_name("referee")
ROWS, COLUMNS = 40, 80

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78])")
WHERE_IS_THE_CURSOR, TOP_LEFT = b"\x1b[6n", b"\x1b[1;1R"


def environment(home: Path, **more: str) -> dict[str, str]:
    """An environment with a configuration of its own; the rules and the client come from the checkout."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("REFEREE_", "_REFEREE"))}
    clean["LC_ALL"] = "C.UTF-8"
    paths = {"XDG_CONFIG_HOME": str(home), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'client'}"}
    return {**clean, **paths, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS), **more}


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    out: str
    errors: str


class Commands:
    """Runs commands to their end without a terminal, in this process: a process of its own takes half a second."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.home, self._patch, self._capture = home, patch, capture
        for name, value in environment(home).items():
            patch.setenv(name, value)
        patch.delenv("REFEREE_URL", raising=False)
        patch.chdir(home)

    def __call__(self, *arguments: str, typed: str = "") -> Done:
        """Run a command; it never shows a traceback."""
        self._patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        self._capture.readouterr()
        status = main(arguments)
        out, errors = self._capture.readouterr()
        assert "Traceback" not in errors, errors
        return Done(status, out, errors)

    @property
    def accounts(self) -> Path:
        """The file with the keys."""
        return self.home / "referee" / "accounts.json"

    def new_game(self, *arguments: str) -> str:
        """Create a game in which you begin; returns its id."""
        made = self("new", TITLE, "--option", "first_seat=0", "--json", *arguments)
        assert made.status == 0, made.errors
        return str(json.loads(made.out)["id"])


class Terminal:
    """The command in a pseudo-terminal. `shown` is everything that it wrote, without colours and cursor movements."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self._end, end = os.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [COMMAND, *arguments],
            env=environment(home),
            cwd=home,
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
        )
        os.close(end)
        self.raw = b""
        self._read_to = 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._end)

    @property
    def shown(self) -> str:
        return _ESCAPES.sub("", self.raw.decode(errors="replace")).replace("\r", "")

    def type(self, text: str) -> None:
        """Type a line; what is awaited next must appear after it."""
        self.keys(f"{text}\r")

    def keys(self, text: str) -> None:
        """Press keys, without Enter."""
        self._read_to = len(self.shown)
        os.write(self._end, text.encode())

    def awaits(self, pattern: str, seconds: float = 30) -> str:
        """Wait until something new fits a pattern; returns all that is new."""
        until = time.monotonic() + seconds
        while not re.search(pattern, self.shown[self._read_to :]):
            assert time.monotonic() < until, f"{pattern} not within {seconds} s:\n{self.shown}"
            assert self._read(0.2) or re.search(pattern, self.shown[self._read_to :]), f"{pattern}:\n{self.shown}"
        return self.shown[self._read_to :]

    def _read(self, seconds: float) -> bool:
        """Read what the command writes; False when it has ended."""
        if not select.select([self._end], [], [], seconds)[0]:
            return True
        with contextlib.suppress(OSError):
            if data := os.read(self._end, 65536):
                self.raw += data
                if WHERE_IS_THE_CURSOR in data:
                    os.write(self._end, TOP_LEFT)
                return True
        return False

    def press_control_c(self) -> None:
        """Interrupt the command as a person does."""
        os.write(self._end, b"\x03")

    def ends(self, seconds: float = 30) -> int:
        """Wait for the end; returns the exit status."""
        until = time.monotonic() + seconds
        while self._read(0.2):
            assert time.monotonic() < until, self.shown
        assert "Traceback" not in self.shown, self.shown
        return self.process.wait(10)
