"""What clients asked and what they were told, written down as it happens: one JSON line per request.

An answer is known to be `ok` or `refused`, or it is `unknown`: cut off, or a 5xx. An unknown request may have been
carried out. Requests with the same idempotency key are one operation, which a repetition can turn into a known one.
"""

import threading
import time
from pathlib import Path
from typing import Any, Literal

import msgspec

Outcome = Literal["ok", "refused", "unknown"]


class Request(msgspec.Struct, frozen=True):
    """One request that asks for a commit, or reads how far a game is."""

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
    """The version that the answer tells: of the commit, or of the game that was read."""
    body: str | None = None
    """A digest of the answer, which a repetition must equal."""


def outcome_of(status: int | None) -> Outcome:
    """What a status says about the wish; None is no answer at all."""
    if status is None or status >= 500:
        return "unknown"
    return "ok" if status < 300 else "refused"


class History:
    """Every request of a campaign, kept in a file as well, so that a failure can be studied."""

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
    """The requests that a file tells of."""
    return [msgspec.json.decode(line, type=Request) for line in path.read_bytes().splitlines()]


def now() -> float:
    """The time by the one clock that all clients of a campaign share."""
    return time.monotonic()
