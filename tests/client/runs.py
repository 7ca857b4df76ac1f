"""Runs `referee-bot` as a user does: a process in a directory of its own, with a key file."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import TracebackType

from referee_client.bot.command import main
from referee_client.bot.display import Display
from tests.service import Client
from tests.waiting import eventually

COMMAND = Path(sys.executable).with_name("referee-bot")


def write_key(directory: Path, key: str) -> Path:
    """Write a key file that nobody else can read."""
    file = directory / "key"
    file.write_text(key + "\n")
    file.chmod(0o600)
    return file


def write_config(directory: Path, owner: Client, *lines: str) -> None:
    """Write `bot.toml` for the bot `my_bot:choose`, with these lines besides."""
    first = (f'url = "{owner.url}"', 'key_file = "key"', 'bot = "my_bot:choose"')
    (directory / "bot.toml").write_text("\n".join((*first, *lines)))


class Run:
    """A running `referee-bot`, with its log. A configuration among the arguments names service and key file itself."""

    def __init__(self, owner: Client, directory: Path, *arguments: str, **environment: str) -> None:
        write_key(directory, owner.key or "")
        is_configured = any(argument.endswith(".toml") for argument in arguments)
        where = () if is_configured else ("--url", owner.url, "--key-file", "key")
        self._file = directory / "runner.log"
        with self._file.open("wb") as log:
            self.process = subprocess.Popen(
                [COMMAND, *where, *arguments],
                cwd=directory,
                env={**os.environ, **environment},
                stderr=log,
                stdin=subprocess.DEVNULL,
            )

    def __enter__(self) -> "Run":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()

    @property
    def log(self) -> str:
        return self._file.read_text(errors="replace")

    def ends(self, seconds: float = 90) -> int:
        """Wait for the end; returns the exit status."""
        status = self.process.wait(seconds)
        assert "Traceback" not in self.log, self.log
        return status

    def says(self, text: str) -> None:
        """Wait until the log has a text."""
        eventually(lambda: text in self.log or self.process.poll() is not None, 60)
        assert text in self.log, self.log


def refused(*arguments: str | Path) -> tuple[int, str]:
    """Run the command in this process, where that is enough: with arguments that are refused before anything starts."""
    said = io.StringIO()
    status = main([str(argument) for argument in arguments], Display(said))
    return status, said.getvalue()


def try_command(directory: Path, *arguments: str) -> tuple[int, str]:
    """Run the command to its end; returns its status and what it says."""
    done = subprocess.run([COMMAND, *arguments], cwd=directory, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stderr
