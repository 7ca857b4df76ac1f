"""Where you are logged in: a file of yours alone, with a key for each service.

A key is sent to the service that it belongs to, and to no other.
"""

import json
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Any

from referee_client.terminal.faults import Fault

BYTES_MAX = 1 << 16
_GAME = re.compile(r"g_[0-9A-Za-z]{1,64}", re.ASCII)
DEFAULT_URL = "http://127.0.0.1:8000"


def account_file() -> Path:
    """Return where the accounts are kept."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "referee" / "accounts.json"


def links_file(game: str) -> Path:
    """Return where your part of the luck of a game is kept until the game is over; raises Fault."""
    if _GAME.fullmatch(game) is None:
        raise Fault(f"{game!r} is not the id of a game. `referee games` lists the games that you can see.")
    return account_file().parent / "links" / game


class Accounts:
    """The services where you are logged in, the newest last."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._by_url = _read(file)

    @property
    def current(self) -> str | None:
        """The address of the service where you logged in last."""
        return next(reversed(self._by_url), None)

    def key(self, url: str) -> str | None:
        """Return your key at a service."""
        return self._by_url.get(url, {}).get("key")

    def name(self, url: str) -> str | None:
        """Return your name at a service."""
        return self._by_url.get(url, {}).get("name")

    def add(self, url: str, key: str, name: str) -> None:
        """Keep a key; the service is then the current one."""
        self._by_url.pop(url, None)
        self._by_url[url] = {"key": key, "name": name}
        self._write()

    def remove(self, url: str) -> bool:
        """Forget a key; returns whether there was one."""
        found = self._by_url.pop(url, None) is not None
        if found:
            self._write()
        return found

    def _write(self) -> None:
        """Replace the file at once, readable by its owner alone from its first byte."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=self._file.parent, prefix=".accounts-")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(self._by_url, file, indent=1)
                file.flush()
                os.fsync(descriptor)
            os.replace(name, self._file)
        except BaseException:
            os.unlink(name)
            raise


def _read(file: Path) -> dict[str, dict[str, str]]:
    try:
        text = read_private(file)
    except FileNotFoundError:
        return {}
    try:
        found: Any = json.loads(text)
        return {str(url): {"key": str(each["key"]), "name": str(each["name"])} for url, each in found.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Fault(f"{file} is damaged. Remove it, and log in again: referee login") from None


def read_private(file: Path) -> str:
    """Return the text of a file that only its owner can read; raises Fault."""
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Fault(f"{file} is not a file.")
        if status.st_mode & 0o077 or status.st_uid != os.geteuid():
            raise Fault(f"Others can read or change {file}, which holds a key. Make it yours alone: chmod 600 {file}")
        return os.read(descriptor, BYTES_MAX).decode("utf-8", errors="replace")
    finally:
        os.close(descriptor)
