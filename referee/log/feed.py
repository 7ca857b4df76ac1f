"""New entries as they are written: one Redis reader per process, many listeners."""

import contextlib
import logging
import secrets
import threading
import time
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
    with what it hears from then on is everything. One can begin and cease to listen while Redis is away, too.

    The connection belongs to the reader alone: two that used it at once would break it for good when it is lost.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._own = f"feed:{secrets.token_hex(8)}"
        """The channel on which the reader is called."""
        self._listeners: dict[str, dict[Heard, Joined | None]] = {}
        self._asked: set[str] = set()
        """The channels that the reader asked Redis for on this connection."""
        self._is_joined: set[str] = set()
        """Those of them that Redis has confirmed."""
        self._is_settled = False
        """Nobody has come or gone since the reader asked."""
        self._to_tell_again: set[tuple[str, Heard]] = set()
        self._lock = threading.RLock()
        self._pubsub: Any = None
        self._reader: threading.Thread | None = None
        self._stopped = threading.Event()

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        """Hear what is published on a channel from now on; `joined` is called when nothing is missed any more."""
        with self._lock:
            self._ensure_reader()
            self._listeners.setdefault(channel, {})[heard] = joined
            self._is_settled = False
            is_asked, at_once = channel in self._asked, channel in self._is_joined
        if not is_asked:
            self._call_reader()
        if at_once and joined is not None:
            joined()

    def unlisten(self, channel: str, heard: Heard) -> None:
        """Hear no more of a channel."""
        with self._lock:
            listeners = self._listeners.get(channel, {})
            listeners.pop(heard, None)
            if not listeners:
                self._listeners.pop(channel, None)
                self._is_settled = False

    def publish(self, channel: str, message: bytes) -> None:
        """Tell all processes."""
        self._redis.publish(channel, message)

    def stop(self) -> None:
        """End the reader."""
        self._stopped.set()

    def _ensure_reader(self) -> None:
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, name="feed", daemon=True)
            self._reader.start()

    def _call_reader(self) -> None:
        """Let the reader join what somebody new listens to; if that fails, it does so when it is back."""
        with contextlib.suppress(RedisError):
            self._redis.publish(self._own, b"")

    def _read(self) -> None:
        told_again = time.monotonic()
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
            if time.monotonic() >= told_again + IDLE_SECONDS:
                self._tell_again()
                told_again = time.monotonic()

    def _join_and_leave(self) -> None:
        """Ask Redis for the channels that somebody listens to, and for no others."""
        if self._is_settled:
            return
        with self._lock:
            wanted = {self._own, *self._listeners}
            new, old = wanted - self._asked, self._asked - wanted
            self._asked = wanted
            self._is_joined -= old
            self._is_settled = True
        if self._pubsub is None:
            self._pubsub = self._redis.pubsub()
        if new:
            self._pubsub.subscribe(*new)
        if old:
            self._pubsub.unsubscribe(*old)

    def _hang_up(self) -> None:
        """The connection is of no use any more: everything is asked for again on the next one."""
        with self._lock:
            self._asked, self._is_joined, self._is_settled = set(), set(), False
        pubsub, self._pubsub = self._pubsub, None
        with contextlib.suppress(Exception):
            pubsub.close()

    def _joined(self, channel: str) -> None:
        with self._lock:
            if channel not in self._asked:
                return
            self._is_joined.add(channel)
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
