"""What both clients share: the settings of the connection, and the order of things in a stream."""

import json
import time
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
from httpx_sse import ServerSentEvent

from referee_client.calls import Call
from referee_client.patience import SILENCE_S, TIMEOUT_S
from referee_client.problems import Problem
from referee_client.shapes import Commit, GameState, Message

NOT_STARTED = ("waiting", "revealing")
OVER = ("finished", "annulled")
LAST_EVENTS = ("game_finished", "game_resigned", "game_adjudicated", "game_annulled")
"""One of these ends the log of a game."""

STREAM_TIMEOUT = httpx.Timeout(TIMEOUT_S, read=SILENCE_S)


def settings(url: str, key: str | None, timeout_s: float) -> dict[str, Any]:
    """Return the settings of an httpx client; raises ValueError if the address or the key cannot be one."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The address of a service begins with http:// or https://, but this is {url!r}.")
    headers = {"Accept": "application/json", "User-Agent": "referee-client/1"}
    if key is not None:
        if not key or not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError(
                "A key is one word of ASCII characters, such as rk_k_…: copy it without spaces or newlines."
            )
        headers["Authorization"] = f"Bearer {key}"
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=20)
    return {"base_url": url.rstrip("/"), "headers": headers, "timeout": httpx.Timeout(timeout_s), "limits": limits}


def wait_of(timeout_s: float) -> int:
    """Return the wait of a long poll whose attempts may take this time."""
    return max(1, min(30, int(timeout_s / 2)))


def seconds_ahead(answer: httpx.Response) -> float:
    """Return how many seconds the clock of the service is ahead of this machine's."""
    text = answer.headers.get("X-Server-Time", "")
    return int(text) / 1000 - time.time() if text.isascii() and text.isdigit() else 0.0


class Reading:
    """How far a log was read. The log can become shorter: a store that fails over may lose its newest commits."""

    def __init__(self, newest: int) -> None:
        self.newest = newest
        """The version after which reading goes on."""

    def take(self, event: ServerSentEvent) -> Commit | None:
        """Return the commit of a message, or None if it has none; raises a Problem with the code `rewound`."""
        data = json.loads(event.data)
        if event.event == "rewound" and data["version"] < self.newest:
            raise Problem(409, {"code": "rewound", "detail": "The service lost commits.", **data})
        if event.event != "commit":
            return None
        self.newest = data["version"]
        return cast(Commit, data)

    def go_back(self, problem: Problem) -> None:
        """Read from the newest commit on that the log still has; raises the problem if it is another one."""
        if problem.code != "rewound" or problem.version is None or problem.version >= self.newest:
            raise problem
        self.newest = max(0, problem.version - 1)


def read_message(event: ServerSentEvent) -> Message:
    """Return the message of a player's stream."""
    return cast(Message, {"event": event.event, **json.loads(event.data)})


def is_last(commit: Commit) -> bool:
    """Whether the game is over with this commit."""
    return any(event["type"] in LAST_EVENTS for event in commit["events"])


def is_read_to_the_end(game: GameState, last: int) -> bool:
    """Whether a game is over and its log has nothing after a version."""
    return game["status"] in OVER and game["version"] <= last


def stream_settings(call: Call, last: str | None) -> dict[str, Any]:
    """Return what a stream needs to continue after a message."""
    headers = {} if last is None else {"Last-Event-ID": last}
    return {"params": call.query, "headers": headers, "timeout": STREAM_TIMEOUT}
