"""Delivers new entries as they are written: one Redis reader per process, many listeners."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from referee.store.redis_log import channel_of
from referee.table.record import Entry

_log = logging.getLogger(__name__)

Heard = Callable[[bytes], None]
Joined = Callable[[], None]

RETRY_SECONDS = 0.2
IDLE_SECONDS = 1.0


class Feed:
    """Delivers to listeners what is published on channels.

    A listener does not hear what was published before its channel was joined, or while the connection was lost. So it
    can pass a function that is called each time the channel has been joined, for the first time or again: what it
    reads then and what it hears from then on is everything. Listeners can come and go while Redis is unreachable.

    Only the reader thread uses the connection: two threads at once would break it for good when it is lost.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._own = f"feed:{secrets.token_hex(8)}"
        """The channel on which other threads wake the reader."""
        self._listeners: dict[str, dict[Heard, Joined | None]] = {}
        self._requested: set[str] = set()
        """The channels that the reader has requested on this connection."""
        self._confirmed: set[str] = set()
        """The requested channels that Redis has confirmed."""
        self._is_settled = False
        """Whether the listeners are the same as when the reader last requested channels."""
        self._behind: set[tuple[str, Heard]] = set()
        """Listeners that failed and have to catch up."""
        self._lock = threading.RLock()
        self._pubsub: Any = None
        self._reader: threading.Thread | None = None
        self._stopped = threading.Event()

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        """Call `heard` with what is published on a channel; `joined` is called whenever the channel has been joined."""
        with self._lock:
            self._ensure_reader()
            self._listeners.setdefault(channel, {})[heard] = joined
            self._is_settled = False
            is_requested, is_confirmed = channel in self._requested, channel in self._confirmed
        if not is_requested:
            self._wake_reader()
        if is_confirmed and joined is not None:
            joined()

    def unlisten(self, channel: str, heard: Heard) -> None:
        """Stop calling `heard` with what is published on a channel."""
        with self._lock:
            listeners = self._listeners.get(channel, {})
            listeners.pop(heard, None)
            if not listeners:
                self._listeners.pop(channel, None)
                self._is_settled = False

    def stop(self) -> None:
        """End the reader."""
        self._stopped.set()

    def _ensure_reader(self) -> None:
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, name="feed", daemon=True)
            self._reader.start()

    def _wake_reader(self) -> None:
        """Let the reader join new channels; if Redis is unreachable, it does so when it has reconnected."""
        with contextlib.suppress(RedisError):
            self._redis.publish(self._own, b"")

    def _read(self) -> None:
        retried = time.monotonic()
        while not self._stopped.is_set():
            try:
                self._join_and_leave()
                message = self._pubsub.get_message(timeout=IDLE_SECONDS)
            except Exception as error:
                _log.warning("the feed lost Redis: %s", error)
                self._hang_up()
                self._stopped.wait(RETRY_SECONDS)
                continue
            if message is not None and message["type"] == "subscribe":
                self._joined(message["channel"].decode())
            elif message is not None and message["type"] == "message":
                self._heard(message["channel"].decode(), message["data"])
            if time.monotonic() >= retried + IDLE_SECONDS:
                self._retry()
                retried = time.monotonic()

    def _join_and_leave(self) -> None:
        """Subscribe to the channels that have listeners, and to no others."""
        if self._is_settled:
            return
        with self._lock:
            wanted = {self._own, *self._listeners}
            new, old = wanted - self._requested, self._requested - wanted
            self._requested = wanted
            self._confirmed -= old
            self._is_settled = True
        if self._pubsub is None:
            self._pubsub = self._redis.pubsub()
        if new:
            self._pubsub.subscribe(*new)
        if old:
            self._pubsub.unsubscribe(*old)

    def _hang_up(self) -> None:
        """Close a broken connection; the reader subscribes to every channel again on the next one."""
        with self._lock:
            self._requested, self._confirmed, self._is_settled = set(), set(), False
        pubsub, self._pubsub = self._pubsub, None
        with contextlib.suppress(Exception):
            pubsub.close()

    def _joined(self, channel: str) -> None:
        with self._lock:
            if channel not in self._requested:
                return
            self._confirmed.add(channel)
            listeners = tuple(self._listeners.get(channel, {}).items())
        for heard, joined in listeners:
            if joined is not None:
                self._try(channel, heard, joined)

    def _heard(self, channel: str, message: bytes) -> None:
        for heard, joined in tuple(self._listeners.get(channel, {}).items()):
            try:
                heard(message)
            except Exception:
                _log.warning("a listener of %s failed and will catch up", channel, exc_info=True)
                if joined is not None:
                    self._behind.add((channel, heard))

    def _try(self, channel: str, heard: Heard, joined: Joined) -> None:
        try:
            joined()
        except Exception:
            _log.warning("a listener of %s could not catch up yet", channel, exc_info=True)
            self._behind.add((channel, heard))

    def _retry(self) -> None:
        """Let the listeners that failed catch up."""
        behind, self._behind = self._behind, set()
        for channel, heard in behind:
            joined = self._listeners.get(channel, {}).get(heard)
            if joined is not None:
                self._try(channel, heard, joined)


def game_channel(game: str) -> str:
    """The channel on which a game's entries are published."""
    return channel_of(game)


def player_channel(player: str) -> str:
    """The channel on which a player's invitations and the starts of their games are published."""
    return f"player:{player}"


REVOKED = "revoked"
"""The channel on which the ids of revoked keys are published."""


def read_published(message: bytes) -> Entry:
    """The entry that an append published."""
    version, hash, body = message.split(b" ", 2)
    return Entry(int(version), body, hash.decode())
