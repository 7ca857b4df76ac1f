"""The requests of clients and their answers, written as they happen: one JSON line per request.

An outcome is `ok`, `refused` or `unknown`: cut off, or a 5xx. An unknown request may have been carried out. Requests
with the same idempotency key are one operation, whose outcome a repetition can make known.
"""

import threading
import time
from pathlib import Path
from typing import Any, Literal

import msgspec

Outcome = Literal["ok", "refused", "unknown"]


class Request(msgspec.Struct, frozen=True):
    """One request for a commit, or one read of a game."""

    client: str
    game: str
    do: Literal["move", "table", "read"]
    sent: float
    done: float
    outcome: Outcome
    seat: int | None = None
    move: dict[str, Any] | None = None
    key: str | None = None
    """The idempotency key."""
    status: int | None = None
    version: int | None = None
    """The version in the answer: of the commit, or of the game that was read."""
    body: str | None = None
    """A digest of the answer; a repetition must have the same."""


def outcome_of(status: int | None) -> Outcome:
    """The outcome that a status means; None: there was no answer."""
    if status is None or status >= 500:
        return "unknown"
    return "ok" if status < 300 else "refused"


class History:
    """Every request of a campaign, also written to a file, so that a failure can be studied."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._file = path.open("wb")

    def add(self, request: Request) -> None:
        with self._lock:
            self.requests.append(request)
            self._file.write(msgspec.json.encode(request) + b"\n")
            self._file.flush()

    def close(self) -> None:
        self._file.close()


def read_history(path: Path) -> list[Request]:
    """The requests in a file."""
    return [msgspec.json.decode(line, type=Request) for line in path.read_bytes().splitlines()]


def now() -> float:
    """The time on the clock that all clients of a campaign share."""
    return time.monotonic()
