"""New entries as they are written: one Redis reader per process, many listeners."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from referee.kernel.record import Entry
from referee.log.redis_log import channel_of

_log = logging.getLogger(__name__)

Heard = Callable[[bytes], None]
Joined = Callable[[], None]

RETRY_SECONDS = 0.2
IDLE_SECONDS = 1.0


class Feed:
    """Tells listeners what is published on channels.

    Whatever was published before a channel was joined, or while the connection was lost, is not heard. So a listener
    can ask to be told each time the channel has been joined, for the first time or again: what it reads then together
    with what it hears from then on is everything.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._listeners: dict[str, dict[Heard, Joined | None]] = {}
        self._is_joined: set[str] = set()
        self._to_tell_again: set[tuple[str, Heard]] = set()
        self._lock = threading.RLock()
        self._pubsub: Any = None
        self._stopped = threading.Event()

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        """Hear what is published on a channel from now on; `joined` is called when nothing is missed any more."""
        with self._lock:
            self._ensure_reader()
            is_new = channel not in self._listeners
            self._listeners.setdefault(channel, {})[heard] = joined
            if is_new:
                self._pubsub.subscribe(channel)
            at_once = channel in self._is_joined
        if at_once and joined is not None:
            joined()

    def unlisten(self, channel: str, heard: Heard) -> None:
        """Hear no more of a channel."""
        with self._lock:
            listeners = self._listeners.get(channel, {})
            listeners.pop(heard, None)
            if not listeners and channel in self._listeners:
                del self._listeners[channel]
                self._is_joined.discard(channel)
                self._pubsub.unsubscribe(channel)

    def publish(self, channel: str, message: bytes) -> None:
        """Tell all processes."""
        self._redis.publish(channel, message)

    def stop(self) -> None:
        """End the reader."""
        self._stopped.set()

    def _ensure_reader(self) -> None:
        if self._pubsub is None:
            pubsub = self._redis.pubsub()
            pubsub.subscribe("feed")
            self._pubsub = pubsub
            threading.Thread(target=self._read, name="feed", daemon=True).start()

    def _read(self) -> None:
        while not self._stopped.is_set():
            try:
                message = self._pubsub.get_message(timeout=IDLE_SECONDS)
            except RedisError as error:
                _log.warning("the feed lost Redis: %s", error)
                self._stopped.wait(RETRY_SECONDS)
                continue
            if message is None:
                self._tell_again()
            elif message["type"] == "subscribe":
                self._joined(message["channel"].decode())
            elif message["type"] == "message":
                self._heard(message["channel"].decode(), message["data"])

    def _joined(self, channel: str) -> None:
        with self._lock:
            if channel not in self._listeners:
                return
            self._is_joined.add(channel)
            listeners = tuple(self._listeners[channel].items())
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
                    self._to_tell_again.add((channel, heard))

    def _try(self, channel: str, heard: Heard, joined: Joined) -> None:
        try:
            joined()
        except Exception:
            _log.warning("a listener of %s could not catch up yet", channel, exc_info=True)
            self._to_tell_again.add((channel, heard))

    def _tell_again(self) -> None:
        """Let those catch up who could not before; a fault of one listener is no fault of the others."""
        waiting, self._to_tell_again = self._to_tell_again, set()
        for channel, heard in waiting:
            joined = self._listeners.get(channel, {}).get(heard)
            if joined is not None:
                self._try(channel, heard, joined)


def game_channel(game: str) -> str:
    """Where a game's entries are published."""
    return channel_of(game)


def player_channel(player: str) -> str:
    """Where a player hears of games that they were not in before."""
    return f"player:{player}"


REVOKED = "revoked"
"""Where the ids of revoked keys are published."""


def read_published(message: bytes) -> Entry:
    """The entry that an append published."""
    version, hash, body = message.split(b" ", 2)
    return Entry(int(version), body, hash.decode())
