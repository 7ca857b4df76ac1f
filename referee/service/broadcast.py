"""Sends new commits to many readers: one feed per process, one rendering per kind of reader."""

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from referee.service.access import Audience, Reader, Watcher
from referee.service.game import Game
from referee.service.problems import Problem
from referee.service.repository import Repository
from referee.store.feed import REVOKED, Feed, game_channel, read_published
from referee.store.log import ENTRIES_MAX
from referee.table.record import Entry

Render = Callable[[Game, Entry, Reader], bytes]


class Sink(Protocol):
    """The connection of one reader."""

    def send(self, data: bytes) -> bool:
        """Send the bytes without waiting; returns False if the connection is gone."""

    def close(self) -> bool:
        """Close the connection; returns False."""


class Subscriber:
    """A reader who follows a game, and the last version that was sent to them."""

    __slots__ = ("catching_up", "is_behind", "sink", "version", "watcher")

    def __init__(self, watcher: Watcher, version: int, sink: Sink) -> None:
        self.watcher = watcher
        self.version = version
        self.sink = sink
        self.catching_up = False
        self.is_behind = False


class Channel:
    """The subscribers of one game in this process."""

    def __init__(self, repository: Repository, game_id: str, render: Render) -> None:
        self._repository = repository
        self._game_id = game_id
        self._render = render
        self.subscribers: set[Subscriber] = set()

    def publish(self, message: bytes) -> None:
        """Send a published entry to every subscriber that has all earlier ones; the others catch up from the log."""
        entry = read_published(message)
        audience = Audience(self._repository, self._game_id)
        rendered: dict[Reader, bytes] = {}
        for subscriber in tuple(self.subscribers):
            if subscriber.version >= entry.version:
                continue
            if subscriber.catching_up or subscriber.version < entry.version - 1:
                self.catch_up(subscriber)
            else:
                self._send(subscriber, entry, audience, rendered)

    def _send(self, subscriber: Subscriber, entry: Entry, audience: Audience, rendered: dict[Reader, bytes]) -> bool:
        """Send an entry as the subscriber may see it; returns False if they are gone or may no longer see the game."""
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
        """Let every subscriber catch up from the log: from now on the feed delivers every entry."""
        for subscriber in tuple(self.subscribers):
            self.catch_up(subscriber)

    def catch_up(self, subscriber: Subscriber) -> None:
        """Send what the log has beyond the subscriber's version; a thread that is already doing so reads once more."""
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
        while entries := self._repository.log.read(self._game_id, subscriber.version, ENTRIES_MAX):
            audience = Audience(self._repository, self._game_id)
            for entry in entries:
                if not self._send(subscriber, entry, audience, {}):
                    return


class Broadcast:
    """All subscribers of this process."""

    def __init__(self, repository: Repository, feed: Feed) -> None:
        self._repository = repository
        self._feed = feed
        self._channels: dict[str, Channel] = {}

    def text_of(self, game: str, hash: str) -> str | None:
        """A text that the log shows by its hash."""
        return self._repository.text(game, hash)

    def join(self, game_id: str, watcher: Watcher, after: int, sink: Sink, render: Render) -> None:
        """Send every commit after a version to the sink, those to come included."""
        subscriber = Subscriber(watcher, after, sink)
        known = self._channels.get(game_id)
        channel = known or self._channels.setdefault(game_id, Channel(self._repository, game_id, render))
        # Add the subscriber before another greenlet can run: `beat` removes a channel without subscribers.
        channel.subscribers.add(subscriber)
        if known is None:
            self._feed.listen(game_channel(game_id), channel.publish, channel.joined)
        channel.catch_up(subscriber)

    def wait(self, game_id: str, after: int, seconds: float, wakes: threading.Event) -> None:
        """Wait until a game has a commit after this version or the event is set, for at most `seconds`."""

        def heard(message: bytes) -> None:
            wakes.set()

        def joined() -> None:
            if self._repository.log.read(game_id, after, 1):
                wakes.set()

        try:
            self._feed.listen(game_channel(game_id), heard, joined)
            if not self._repository.log.read(game_id, after, 1):
                wakes.wait(seconds)
        finally:
            self._feed.unlisten(game_channel(game_id), heard)

    def on_revoked(self, heard: Callable[[str], None], in_use: Callable[[], Iterable[str]]) -> None:
        """Call `heard` with the id of each key that is revoked, and of keys in use whose revocation the feed missed."""

        def joined() -> None:
            for key in tuple(in_use()):
                if self.is_revoked(key):
                    heard(key)

        self._feed.listen(REVOKED, lambda message: heard(message.decode()), joined)

    def is_revoked(self, key: str) -> bool:
        """Whether a key has been revoked."""
        return self._repository.directory.key(key) is None

    def count(self) -> int:
        """The number of subscribers in this process."""
        return sum(len(channel.subscribers) for channel in self._channels.values())

    def beat(self, data: bytes) -> None:
        """Send a heartbeat to every subscriber and drop those whose connection is gone."""
        for id, channel in tuple(self._channels.items()):
            for subscriber in tuple(channel.subscribers):
                if not subscriber.sink.send(data):
                    channel.subscribers.discard(subscriber)
            if not channel.subscribers:
                del self._channels[id]
                self._feed.unlisten(game_channel(id), channel.publish)
