"""Sends new commits to many readers: one feed per process, one rendering per kind of reader."""

import threading
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple, Protocol

import msgspec

from referee.audit.chain import ENDINGS
from referee.kernel.canon import steady
from referee.kernel.seat import Seat
from referee.service.access import OVER, Audience, Reader, Watcher
from referee.service.game import Game
from referee.service.metrics import STREAM_LAG_SECONDS
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.service.rewinding import newest_kept
from referee.service.views import Additions, commit_view, with_state
from referee.store.channels import REVOKED, game_channel, read_published
from referee.store.feed import Feed
from referee.store.log import ENTRIES_MAX
from referee.table.match import read_commit
from referee.table.record import Entry
from referee.table.times import milliseconds


class Wanted(msgspec.Struct, frozen=True):
    """What a subscriber gets of each commit: the copy of a reader, what is added to it, and for which own seats."""

    reader: Reader
    additions: Additions
    seats: tuple[Seat, ...]


Render = Callable[[Entry, bytes], bytes]
"""Makes the message of an entry from the JSON of its commit."""


class Messages(NamedTuple):
    """Makes the messages of a stream."""

    commit: Render
    rewound: Callable[[int], bytes]
    """Makes the message that takes back commits that the log has lost, from the newest version that it still has."""
    end: Callable[[int], bytes]
    """Makes the message that ends a stream, from the last version."""


_ENDINGS = tuple(f'"type":"{event}"'.encode() for event in ENDINGS)


def is_last(entry: Entry) -> bool:
    """Whether an entry ends its game. Its body is canonical JSON, and a quote within a text is escaped there."""
    return any(ending in entry.body for ending in _ENDINGS)


class _Timed(msgspec.Struct):
    """The time of an entry and the hash that it follows, without the rest."""

    at: str
    prev: str


_timed = msgspec.json.Decoder(_Timed)


class Sink(Protocol):
    """The connection of one reader."""

    def send(self, data: bytes) -> bool:
        """Send the bytes without waiting; returns False if the connection is gone."""

    def end(self, data: bytes) -> None:
        """Send the last bytes, and close the connection as soon as they are sent."""

    def close(self) -> bool:
        """Close the connection; returns False."""


class Subscriber:
    """A reader who follows a game, and the last version that was sent to them."""

    __slots__ = ("additions", "catching_up", "epoch", "is_behind", "sink", "version", "watcher")

    def __init__(self, watcher: Watcher, additions: Additions, version: int, sink: Sink) -> None:
        self.watcher = watcher
        self.additions = additions
        self.version = version
        self.sink = sink
        self.epoch: Hashable = None
        """The epoch of the log in which the subscriber's version was last found there."""
        self.catching_up = False
        self.is_behind = False


class Channel:
    """The subscribers of one game in this process."""

    def __init__(self, repository: Repository, game_id: str, messages: Messages) -> None:
        self._repository = repository
        self._game_id = game_id
        self._messages = messages
        self._hashes: dict[int, str] = {}
        """The hashes of the newest versions that were sent."""
        self.subscribers: set[Subscriber] = set()

    def publish(self, message: bytes) -> None:
        """Send a published entry to every subscriber that has all earlier ones; the others catch up from the log."""
        entry = read_published(message)
        if not self._repository.log.is_kept(self._game_id, entry):
            return self.joined()
        timed = _timed.decode(entry.body)
        if self._hashes.get(entry.version, entry.hash) != entry.hash or (
            self._hashes.get(entry.version - 1, timed.prev) != timed.prev
        ):
            self._rewind()
        audience = Audience(self._repository, self._game_id)
        rendered: dict[Wanted, bytes] = {}
        for subscriber in tuple(self.subscribers):
            if subscriber.version >= entry.version:
                continue
            if subscriber.catching_up or subscriber.version < entry.version - 1:
                self.catch_up(subscriber)
            else:
                self._send(subscriber, entry, audience, rendered)
        STREAM_LAG_SECONDS.observe(max(0, now_ms() - milliseconds(timed.at)) / 1000)

    def _send(self, subscriber: Subscriber, entry: Entry, audience: Audience, rendered: dict[Wanted, bytes]) -> bool:
        """Send an entry as the subscriber may see it; returns False if the stream has ended."""
        try:
            reader = audience.reader(subscriber.watcher)
        except Problem:
            self.subscribers.discard(subscriber)
            return subscriber.sink.close()
        additions = subscriber.additions
        wanted = Wanted(reader, additions, audience.seats(subscriber.watcher) if additions.legal else ())
        if wanted not in rendered:
            rendered[wanted] = self._messages.commit(entry, self._commit(audience.game, entry, wanted))
        subscriber.version = entry.version
        self._hashes[entry.version] = entry.hash
        self._hashes.pop(entry.version - ENTRIES_MAX, None)
        is_sent = subscriber.sink.send(rendered[wanted])
        if not is_sent:
            self.subscribers.discard(subscriber)
        elif is_last(entry):
            self._end(subscriber)
            return False
        return is_sent

    def _commit(self, game: Game, entry: Entry, wanted: Wanted) -> bytes:
        """The JSON of a commit. Only the newest one has a view: with all of them, a long log is too much to send."""
        reader, additions = wanted.reader, wanted.additions
        text_of, teller = self._repository.text, additions.teller(game, self._repository.names)
        commit = commit_view(game, read_commit(game, entry), entry.hash, reader, text_of, teller)
        if additions.view or additions.legal:
            state = self._repository.follow(game, entry) or self._repository.newest(game)
            if state.version == entry.version:
                commit = with_state(game, commit, state, reader, additions, wanted.seats, teller)
        return steady(commit)

    def _end(self, subscriber: Subscriber) -> None:
        """End the stream of a subscriber that has received the last commit of the game."""
        self.subscribers.discard(subscriber)
        subscriber.sink.end(self._messages.end(subscriber.version))

    def _end_if_over(self, subscriber: Subscriber) -> None:
        """End the stream of a subscriber that has all commits, if the game is over."""
        game = self._repository.game(self._game_id)
        state = self._repository.known(game)
        has_all = subscriber.version >= state.version and subscriber in self.subscribers
        if has_all and (state.status if game.is_started else game.status) in OVER:
            self._end(subscriber)

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
                if not subscriber.is_behind:
                    self._end_if_over(subscriber)
        finally:
            subscriber.catching_up = False

    def _rewind(self) -> None:
        """Look for commits that the log has lost, and let every subscriber who has them forget them."""
        for subscriber in tuple(self.subscribers):
            subscriber.epoch = None
            self._take_back(subscriber)

    def _take_back(self, subscriber: Subscriber) -> None:
        """Take back what a subscriber has and the log has lost, which can happen only after a failover."""
        epoch = self._repository.log.epoch(self._game_id)
        if subscriber.epoch == epoch:
            return
        if subscriber.version:
            kept = newest_kept(self._repository, self._game_id, subscriber.version, self._hashes)
            if kept < subscriber.version:
                subscriber.version = kept
                self._hashes = {version: hash for version, hash in self._hashes.items() if version <= kept}
                self._repository.forget(self._game_id)
                subscriber.sink.send(self._messages.rewound(kept))
        subscriber.epoch = epoch

    def _send_newer(self, subscriber: Subscriber) -> None:
        self._take_back(subscriber)
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

    def join(self, game_id: str, subscriber: Subscriber, messages: Messages) -> None:
        """Send every commit after the subscriber's version, those to come included, and end with the game."""
        known = self._channels.get(game_id)
        channel = known or self._channels.setdefault(game_id, Channel(self._repository, game_id, messages))
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
