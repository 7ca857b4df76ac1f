"""New commits to many readers: none is missed, whatever else happens at the same moment."""

import pytest

from referee.kernel.record import Entry
from referee.log.feed import Feed, Heard, Joined, game_channel
from referee.service import nudges
from referee.service.access import Reader, Watcher
from referee.service.broadcast import Broadcast, Channel, Subscriber
from referee.service.desk import Desk
from referee.service.game import Game
from referee.wiring import connect
from tests.waiting import eventually
from tests.workers.conftest import bots_only

ANYBODY = Watcher()


class Sink:
    """Notes what it is sent."""

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


def finished(desk: Desk) -> tuple[Game, list[Entry]]:
    id = bots_only(desk)
    nudges.run(desk, id)
    return desk.game(id), list(desk.log.read(id, 0, 1000))


def test_a_commit_that_is_made_while_somebody_catches_up_is_sent(
    quiet_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, entries = finished(quiet_desk)
    written, sink = entries[:1], Sink()
    channel, subscriber = Channel(quiet_desk, game.id, version), Subscriber(ANYBODY, 0, sink)
    channel.subscribers.add(subscriber)

    def read(id: str, after: int, count: int) -> list[Entry]:
        found = [entry for entry in written if entry.version > after]
        if not found and len(written) == 1:
            written.append(entries[1])
            channel.publish(published(entries[1]))
        return found

    monkeypatch.setattr(quiet_desk.log, "read", read)
    channel.catch_up(subscriber)
    assert sink.sent == [b"1", b"2"]


class BeatingFeed(Feed):
    """The heartbeat has its turn while somebody begins to listen."""

    broadcast: Broadcast

    def listen(self, channel: str, heard: Heard, joined: Joined | None = None) -> None:
        self.broadcast.beat(b"")
        super().listen(channel, heard, joined)


def test_the_heartbeat_does_not_give_up_a_channel_that_is_being_joined(quiet_desk: Desk, redis_url: str) -> None:
    game, entries = finished(quiet_desk)
    redis, sink = connect(redis_url), Sink()
    feed = BeatingFeed(redis)
    feed.broadcast = broadcast = Broadcast(quiet_desk, feed)
    broadcast.join(game.id, ANYBODY, entries[-2].version, sink, version)
    eventually(lambda: redis.publish(game_channel(game.id), b"0  ") > 0)
    broadcast.beat(b"beat")
    assert sink.sent == [b"", b"%d" % entries[-1].version, b"beat"]
    feed.stop()
