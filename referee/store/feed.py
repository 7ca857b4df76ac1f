"""Delivers new entries as they are written: one reader per process and server, many listeners."""

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from referee.store.channels import REVOKED
from referee.store.cluster import Cluster, ClusterClient, Node, slot_of

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

    In a cluster each server has a reader of its own, and a channel follows its slot.
    """

    def __init__(self, redis: Redis) -> None:
        self._servers: _Server | _Servers = _Server(redis)
        if isinstance(redis, ClusterClient):
            self._servers = _Servers(redis.topology)
        self._listeners: dict[str, dict[Heard, Joined | None]] = {}
        self._readers: dict[Redis, _Reader] = {}
        self._places: dict[str, _Reader] = {}
        """The reader of each channel."""
        self._behind: set[tuple[str, Heard]] = set()
        """Listeners that failed and have to catch up."""
        self._lock = threading.RLock()
        self.stopped = threading.Event()

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        """Call `heard` with what is published on a channel; `joined` is called whenever the channel has been joined."""
        with self._lock:
            self._listeners.setdefault(channel, {})[heard] = joined
            reader = self._placed(channel)
            is_requested, is_confirmed = reader.knows(channel)
        if not is_requested:
            reader.wake()
        if is_confirmed and joined is not None:
            joined()

    def unlisten(self, channel: str, heard: Heard) -> None:
        """Stop calling `heard` with what is published on a channel."""
        with self._lock:
            listeners = self._listeners.get(channel, {})
            listeners.pop(heard, None)
            if not listeners:
                self._listeners.pop(channel, None)
                reader = self._places.pop(channel, None)
                if reader is not None:
                    reader.leave(channel)

    def stop(self) -> None:
        """End the readers."""
        self.stopped.set()

    def _placed(self, channel: str) -> "_Reader":
        """Let the reader of the server that has a channel join it, and no other one."""
        server = self._servers.of(channel)
        if server not in self._readers:
            self._readers[server] = _Reader(self, server, self._servers.are_sharded)
        reader, before = self._readers[server], self._places.get(channel)
        if before is not None and before is not reader:
            before.leave(channel)
        self._places[channel] = reader
        reader.join(channel)
        return reader

    def follow(self, lost: Redis | None = None) -> None:
        """Let channels that are on another server by now be joined there."""
        if not self._servers.have_moved(lost):
            return
        with self._lock:
            before = dict(self._places)
            readers = {self._placed(channel) for channel in self._listeners if channel in before}
        for reader in readers:
            reader.wake()

    def on_joined(self, channel: str) -> None:
        """Let the listeners of a channel catch up."""
        for heard, joined in tuple(self._listeners.get(channel, {}).items()):
            if joined is not None:
                self._try(channel, heard, joined)

    def on_heard(self, channel: str, message: bytes) -> None:
        """Deliver a message to the listeners of its channel."""
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

    def retry(self) -> None:
        """Let the listeners that failed catch up."""
        behind, self._behind = self._behind, set()
        for channel, heard in behind:
            joined = self._listeners.get(channel, {}).get(heard)
            if joined is not None:
                self._try(channel, heard, joined)


class _Server:
    """The only server."""

    are_sharded = False

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def of(self, channel: str) -> Redis:
        """The server that has a channel."""
        return self._redis

    def have_moved(self, lost: Redis | None) -> bool:
        """Whether a channel may be on another server."""
        return False


class _Servers:
    """The servers of a cluster."""

    are_sharded = True

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._changes = -1

    def of(self, channel: str) -> Redis:
        """The server that has a channel; any one while no server of the cluster can be reached."""
        try:
            return self._cluster.owner(slot_of(channel)).redis
        except RedisError:
            return self._cluster.seeds()[0].redis

    def have_moved(self, lost: Redis | None) -> bool:
        """Whether a channel may be on another server. After a loss, another server is asked which."""
        if lost is not None:
            self._cluster.learn(self._node(lost))
        before, self._changes = self._changes, self._cluster.changes
        return lost is not None or before != self._changes

    def _node(self, redis: Redis) -> Node | None:
        return next((node for node in self._cluster.owners() if node.redis is redis), None)


class _Reader:
    """The connection to one server.

    Only the reader's thread uses it: two threads at once would break it for good when it is lost.
    """

    def __init__(self, feed: Feed, redis: Redis, is_sharded: bool) -> None:
        self._feed = feed
        self._redis = redis
        self._is_sharded = is_sharded
        self._own = f"feed:{secrets.token_hex(8)}"
        """The channel on which other threads wake the reader. It is published on this server, wherever its slot is."""
        self._wanted: set[str] = {self._own}
        self._requested: set[str] = set()
        """The channels that the reader has requested on this connection."""
        self._confirmed: set[str] = set()
        """The requested channels that Redis has confirmed."""
        self._is_settled = False
        """Whether the wanted channels are the same as when the reader last requested channels."""
        self._lock = threading.RLock()
        self._pubsub: Any = None
        threading.Thread(target=self._read, name="feed", daemon=True).start()

    def join(self, channel: str) -> None:
        """Want a channel."""
        with self._lock:
            if channel not in self._wanted:
                self._wanted.add(channel)
                self._is_settled = False

    def leave(self, channel: str) -> None:
        """Want a channel no more."""
        with self._lock:
            self._wanted.discard(channel)
            self._is_settled = False

    def knows(self, channel: str) -> tuple[bool, bool]:
        """Whether the reader has requested a channel, and whether it has joined it."""
        with self._lock:
            return channel in self._requested, channel in self._confirmed and channel in self._wanted

    def wake(self) -> None:
        """Let the reader join new channels; if its server is unreachable, it does so when it has reconnected."""
        with contextlib.suppress(RedisError):
            self._redis.publish(self._own, b"")

    def _read(self) -> None:
        retried = time.monotonic()
        while not self._feed.stopped.is_set():
            try:
                self._join_and_leave()
                message = self._pubsub.get_message(timeout=IDLE_SECONDS)
            except Exception as error:
                _log.warning("the feed lost Redis: %s", error)
                self._hang_up()
                self._feed.stopped.wait(RETRY_SECONDS)
                self._feed.follow(self._redis)
                continue
            if message is not None:
                self._take(message["type"], message["channel"].decode(), message["data"])
            if time.monotonic() >= retried + IDLE_SECONDS:
                self._feed.retry()
                self._feed.follow()
                retried = time.monotonic()

    def _take(self, kind: str, channel: str, data: Any) -> None:
        if kind in ("message", "smessage"):
            self._feed.on_heard(channel, data)
        elif kind in ("subscribe", "ssubscribe"):
            self._joined(channel)
        elif kind == "sunsubscribe" and channel in self._requested:
            # Nobody asked for it: the slot of the channel has moved to another server.
            with self._lock:
                self._requested.discard(channel)
                self._confirmed.discard(channel)
                self._is_settled = False
            self._feed.follow(self._redis)

    def _join_and_leave(self) -> None:
        """Subscribe to the channels that have listeners, and to no others."""
        if self._is_settled:
            return
        with self._lock:
            new, old = self._wanted - self._requested, self._requested - self._wanted
            self._requested = set(self._wanted)
            self._confirmed -= old
            self._is_settled = True
        if self._pubsub is None:
            self._pubsub = self._redis.pubsub()
        self._send("subscribe", new)
        self._send("unsubscribe", old)

    def _send(self, verb: str, channels: set[str]) -> None:
        """Send commands for channels: one for those that all servers hear, and one for each slot of the others."""
        groups: dict[int, list[str]] = {}
        for channel in channels:
            is_sharded = self._is_sharded and channel not in (self._own, REVOKED)
            groups.setdefault(slot_of(channel) if is_sharded else -1, []).append(channel)
        for slot, names in groups.items():
            getattr(self._pubsub, verb if slot < 0 else f"s{verb}")(*names)

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
        self._feed.on_joined(channel)
