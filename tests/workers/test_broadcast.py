"""Broadcasting commits to many readers: none is missed, whatever happens at the same moment."""

import pytest

from referee.service import nudges
from referee.service.access import Reader, Watcher
from referee.service.broadcast import Broadcast, Channel, Subscriber
from referee.service.game import Game
from referee.service.repository import Repository
from referee.store.feed import Feed, Heard, Joined, game_channel
from referee.table.record import Entry
from referee.wiring import connect
from tests.waiting import eventually
from tests.workers.conftest import bots_only

ANYBODY = Watcher()


class Sink:
    """Records what is sent to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, data: bytes) -> bool:
        self.sent.append(data)
        return True

    def close(self) -> bool:
        return False


def version(game: Game, entry: Entry, reader: Reader) -> bytes:
    return b"%d" % entry.version


def published(entry: Entry) -> bytes:
    return b"%d %s %s" % (entry.version, entry.hash.encode(), entry.body)


def finished(repository: Repository) -> tuple[Game, list[Entry]]:
    id = bots_only(repository)
    nudges.run(repository, id)
    return repository.game(id), list(repository.log.read(id, 0, 1000))


def test_a_commit_that_is_made_while_a_subscriber_catches_up_is_sent(
    quiet_repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, entries = finished(quiet_repository)
    written, sink = entries[:1], Sink()
    channel, subscriber = Channel(quiet_repository, game.id, version), Subscriber(ANYBODY, 0, sink)
    channel.subscribers.add(subscriber)

    def read(id: str, after: int, count: int) -> list[Entry]:
        found = [entry for entry in written if entry.version > after]
        if not found and len(written) == 1:
            written.append(entries[1])
            channel.publish(published(entries[1]))
        return found

    monkeypatch.setattr(quiet_repository.log, "read", read)
    channel.catch_up(subscriber)
    assert sink.sent == [b"1", b"2"]


class BeatingFeed(Feed):
    """A feed on which a heartbeat comes while a listener begins."""

    broadcast: Broadcast

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        self.broadcast.beat(b"")
        super().listen(channel, heard, joined)


def test_the_heartbeat_does_not_remove_a_channel_that_is_being_joined(
    quiet_repository: Repository, redis_url: str
) -> None:
    game, entries = finished(quiet_repository)
    redis, sink = connect(redis_url), Sink()
    feed = BeatingFeed(redis)
    feed.broadcast = broadcast = Broadcast(quiet_repository, feed)
    broadcast.join(game.id, ANYBODY, entries[-2].version, sink, version)
    eventually(lambda: redis.publish(game_channel(game.id), b"0  ") > 0)
    broadcast.beat(b"beat")
    assert sink.sent == [b"", b"%d" % entries[-1].version, b"beat"]
    feed.stop()
