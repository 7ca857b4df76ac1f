"""New entries as they are written: one Redis reader per process, many listeners."""

import logging
import threading
from collections.abc import Callable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from referee.kernel.record import Entry
from referee.log.redis_log import channel_of

Heard = Callable[[bytes], None]

RETRY_SECONDS = 0.2


class Feed:
    """Tells listeners what is published on channels. After a broken connection, `on_gap` is called."""

    def __init__(self, redis: Redis, on_gap: Callable[[], None]) -> None:
        self._redis = redis
        self._on_gap = on_gap
        self._listeners: dict[str, set[Heard]] = {}
        self._lock = threading.RLock()
        self._pubsub: Any = None
        self._stopped = threading.Event()

    def listen(self, channel: str, heard: Heard) -> None:
        """Hear what is published on a channel from now on."""
        with self._lock:
            self._ensure_reader()
            if channel not in self._listeners:
                self._pubsub.subscribe(channel)
            self._listeners.setdefault(channel, set()).add(heard)

    def unlisten(self, channel: str, heard: Heard) -> None:
        """Hear no more of a channel."""
        with self._lock:
            listeners = self._listeners.get(channel, set())
            listeners.discard(heard)
            if not listeners and channel in self._listeners:
                del self._listeners[channel]
                self._pubsub.unsubscribe(channel)

    def publish(self, channel: str, message: bytes) -> None:
        """Tell all processes."""
        self._redis.publish(channel, message)

    def stop(self) -> None:
        """End the reader."""
        self._stopped.set()

    def _ensure_reader(self) -> None:
        if self._pubsub is None:
            pubsub = self._redis.pubsub(ignore_subscribe_messages=True)
            pubsub.subscribe("feed")
            self._pubsub = pubsub
            threading.Thread(target=self._read, name="feed", daemon=True).start()

    def _read(self) -> None:
        while not self._stopped.is_set():
            try:
                message = self._pubsub.get_message(timeout=1.0)
                if message is not None:
                    self._tell(message["channel"].decode(), message["data"])
            except RedisError as error:
                logging.getLogger(__name__).warning("the feed lost Redis: %s", error)
                self._stopped.wait(RETRY_SECONDS)
                self._on_gap()

    def _tell(self, channel: str, message: bytes) -> None:
        for heard in tuple(self._listeners.get(channel, ())):
            heard(message)


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
