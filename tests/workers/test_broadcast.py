"""Broadcasting commits to many readers: none is missed, whatever happens at the same moment."""

import pytest
from redis import Redis

from referee.kernel.canon import canonical
from referee.service import nudges
from referee.service.access import Watcher
from referee.service.broadcast import Broadcast, Channel, Messages, Subscriber, is_last
from referee.service.game import Game
from referee.service.lobby import NewGame, create
from referee.service.problems import Problem
from referee.service.repository import Repository
from referee.service.rewinding import require_kept
from referee.service.views import Additions
from referee.store.channels import game_channel
from referee.store.feed import Feed, Heard, Joined
from referee.store.redis_log import tag_of
from referee.table.record import Entry
from referee.wiring import connect
from tests.waiting import eventually
from tests.workers.conftest import bots_only, caller

ANYBODY = Watcher()


class Sink:
    """Records what is sent to it."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, data: bytes) -> bool:
        self.sent.append(data)
        return True

    def end(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> bool:
        return False


def version(entry: Entry, commit: bytes) -> bytes:
    return b"%d" % entry.version


def ending(version: int) -> bytes:
    return b"end after %d" % version


def rewinding(version: int) -> bytes:
    return b"back to %d" % version


MESSAGES = Messages(version, rewinding, ending)


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
    channel = Channel(quiet_repository, game.id, MESSAGES)
    subscriber = Subscriber(ANYBODY, Additions(), 0, sink)
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
    ada = caller(quiet_repository)
    id = create(quiet_repository, ada, NewGame(ruleset="catham-city", seats=("me", "me"))).id
    nudges.run(quiet_repository, id)
    redis, sink = connect(redis_url), Sink()
    feed = BeatingFeed(redis)
    feed.broadcast = broadcast = Broadcast(quiet_repository, feed)
    broadcast.join(id, Subscriber(ANYBODY, Additions(), 0, sink), MESSAGES)
    eventually(lambda: redis.publish(game_channel(id), b"0  ") > 0)
    broadcast.beat(b"beat")
    assert sink.sent == [b"", b"1", b"beat"]
    feed.stop()


@pytest.mark.parametrize("behind", [0, 1, 5])
def test_a_stream_ends_after_the_last_commit_whenever_its_reader_joins(
    quiet_repository: Repository, redis_url: str, behind: int
) -> None:
    game, entries = finished(quiet_repository)
    feed, sink, last = Feed(connect(redis_url)), Sink(), entries[-1].version
    broadcast = Broadcast(quiet_repository, feed)
    broadcast.join(game.id, Subscriber(ANYBODY, Additions(), last - behind, sink), MESSAGES)
    rest = [b"%d" % entry.version for entry in entries[last - behind :]]
    eventually(lambda: broadcast.count() == 0)
    eventually(lambda: len(sink.sent) > behind)
    assert sink.sent == [*rest, b"end after %d" % last]
    feed.stop()


def test_a_stream_ends_when_the_last_commit_is_published(quiet_repository: Repository) -> None:
    game, entries = finished(quiet_repository)
    channel, sink = Channel(quiet_repository, game.id, MESSAGES), Sink()
    channel.subscribers.add(Subscriber(ANYBODY, Additions(), entries[-2].version, sink))
    channel.publish(published(entries[-1]))
    assert sink.sent == [b"%d" % entries[-1].version, b"end after %d" % entries[-1].version]
    assert not channel.subscribers


def test_a_reason_that_looks_like_the_end_of_a_game_ends_no_stream() -> None:
    body = canonical({"move": {"type": "pause_game", "reason": 'x","type":"game_finished'}})
    assert not is_last(Entry(1, body, ""))
    assert is_last(Entry(1, canonical({"events": [{"type": "game_annulled"}]}), ""))


def lose(redis: Redis, game: str, entries: list[Entry]) -> None:
    """Let the log lose entries, as a failover to a replica without them does; every process loses its connections."""
    for entry in entries:
        redis.xdel(f"game:{tag_of(game)}:{game}:log", f"{entry.version}-0")
    redis.client_kill_filter(skipme=True)


def test_readers_of_lost_commits_are_told_to_forget_them(quiet_repository: Repository, redis_url: str) -> None:
    game, entries = finished(quiet_repository)
    *kept, one, two, _ = entries
    channel, sink = Channel(quiet_repository, game.id, MESSAGES), Sink()
    subscriber = Subscriber(ANYBODY, Additions(), len(kept) - 1, sink)
    channel.subscribers.add(subscriber)
    lose(connect(redis_url), game.id, [entries[-1]])
    channel.catch_up(subscriber)
    assert sink.sent == [b"%d" % each.version for each in (kept[-1], one, two)]
    lose(connect(redis_url), game.id, [one, two])
    quiet_repository.log.length(game.id)
    channel.joined()
    assert sink.sent[3:] == [b"back to %d" % kept[-1].version]
    require_kept(quiet_repository, game.id, kept[-1].version, kept[-1].hash)
    for version, hash in ((two.version, two.hash), (kept[-1].version, two.hash)):
        with pytest.raises(Problem) as raised:
            require_kept(quiet_repository, game.id, version, hash)
        assert raised.value.code == "rewound"
    assert quiet_repository.newest(game).version == kept[-1].version
