"""New commits to many readers: one feed per process, one rendering per kind of reader."""

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from referee.kernel.record import Entry
from referee.log.feed import REVOKED, Feed, game_channel, read_published
from referee.log.log import ENTRIES_MAX
from referee.service.access import Audience, Reader, Watcher
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.problems import Problem

Render = Callable[[Game, Entry, Reader], bytes]


class Sink(Protocol):
    """Where the bytes of one reader go."""

    def send(self, data: bytes) -> bool:
        """Take the bytes without waiting; False if nobody is there any more."""

    def close(self) -> bool:
        """End the connection; always False."""


class Subscriber:
    """Somebody who follows a game, and the last version that was sent."""

    __slots__ = ("catching_up", "is_behind", "sink", "version", "watcher")

    def __init__(self, watcher: Watcher, version: int, sink: Sink) -> None:
        self.watcher = watcher
        self.version = version
        self.sink = sink
        self.catching_up = False
        self.is_behind = False


class Channel:
    """The subscribers of one game in this process."""

    def __init__(self, desk: Desk, game_id: str, render: Render) -> None:
        self._desk = desk
        self._game_id = game_id
        self._render = render
        self.subscribers: set[Subscriber] = set()

    def publish(self, message: bytes) -> None:
        """Send a published entry to every subscriber that has all before it; the others catch up from the log."""
        entry = read_published(message)
        audience = Audience(self._desk, self._game_id)
        rendered: dict[Reader, bytes] = {}
        for subscriber in tuple(self.subscribers):
            if subscriber.version >= entry.version:
                continue
            if subscriber.catching_up or subscriber.version < entry.version - 1:
                self.catch_up(subscriber)
            else:
                self._send(subscriber, entry, audience, rendered)

    def _send(self, subscriber: Subscriber, entry: Entry, audience: Audience, rendered: dict[Reader, bytes]) -> bool:
        """Send an entry as the subscriber may see it now; False if they are gone or may see no more."""
        try:
            reader = audience.reader(subscriber.watcher)
        except Problem:
            self.subscribers.discard(subscriber)
            return subscriber.sink.close()
        if reader not in rendered:
            rendered[reader] = self._render(audience.game, entry, reader)
        subscriber.version = entry.version
        is_sent = subscriber.sink.send(rendered[reader])
        if not is_sent:
            self.subscribers.discard(subscriber)
        return is_sent

    def joined(self) -> None:
        """Nothing is missed any more: let everybody read from the log what they missed until now."""
        for subscriber in tuple(self.subscribers):
            self.catch_up(subscriber)

    def catch_up(self, subscriber: Subscriber) -> None:
        """Send what the log has beyond the subscriber's version; whoever does so already then reads once more."""
        subscriber.is_behind = True
        if subscriber.catching_up:
            return
        subscriber.catching_up = True
        try:
            while subscriber.is_behind and subscriber in self.subscribers:
                subscriber.is_behind = False
                self._send_newer(subscriber)
        finally:
            subscriber.catching_up = False

    def _send_newer(self, subscriber: Subscriber) -> None:
        while entries := self._desk.log.read(self._game_id, subscriber.version, ENTRIES_MAX):
            audience = Audience(self._desk, self._game_id)
            for entry in entries:
                if not self._send(subscriber, entry, audience, {}):
                    return


class Broadcast:
    """All subscribers of this process."""

    def __init__(self, desk: Desk, feed: Feed) -> None:
        self._desk = desk
        self._feed = feed
        self._channels: dict[str, Channel] = {}

    def join(self, game_id: str, watcher: Watcher, after: int, sink: Sink, render: Render) -> None:
        """Send every commit after a version to the sink, those to come included."""
        subscriber = Subscriber(watcher, after, sink)
        known = self._channels.get(game_id)
        channel = known or self._channels.setdefault(game_id, Channel(self._desk, game_id, render))
        # Before anybody else has a turn: a channel without subscribers is given up.
        channel.subscribers.add(subscriber)
        if known is None:
            self._feed.listen(game_channel(game_id), channel.publish, channel.joined)
        channel.catch_up(subscriber)

    def wait(self, game_id: str, after: int, seconds: float, wakes: threading.Event) -> None:
        """Wait until a game has a commit after this version or the event is set, at most this long."""

        def heard(message: bytes) -> None:
            wakes.set()

        def joined() -> None:
            if self._desk.log.read(game_id, after, 1):
                wakes.set()

        try:
            self._feed.listen(game_channel(game_id), heard, joined)
            if not self._desk.log.read(game_id, after, 1):
                wakes.wait(seconds)
        finally:
            self._feed.unlisten(game_channel(game_id), heard)

    def on_revoked(self, heard: Callable[[str], None], in_use: Callable[[], Iterable[str]]) -> None:
        """Be told the id of every key that is revoked from now on, and of those in use that were revoked unheard."""

        def joined() -> None:
            for key in tuple(in_use()):
                if self.is_revoked(key):
                    heard(key)

        self._feed.listen(REVOKED, lambda message: heard(message.decode()), joined)

    def is_revoked(self, key: str) -> bool:
        """Whether a key is not good any more."""
        return self._desk.directory.key(key) is None

    def count(self) -> int:
        """The subscribers of this process."""
        return sum(len(channel.subscribers) for channel in self._channels.values())

    def beat(self, data: bytes) -> None:
        """Send a sign of life to everybody and let go of those who are not there any more."""
        for id, channel in tuple(self._channels.items()):
            for subscriber in tuple(channel.subscribers):
                if not subscriber.sink.send(data):
                    channel.subscribers.discard(subscriber)
            if not channel.subscribers:
                del self._channels[id]
                self._feed.unlisten(game_channel(id), channel.publish)
