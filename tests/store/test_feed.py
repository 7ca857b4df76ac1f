"""The feed: listeners miss nothing, whenever they begin and however the connection breaks."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from referee.store.feed import Feed
from tests.redis_server import RedisServer
from tests.waiting import eventually


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path).start()
    yield server
    server.stop()


@pytest.fixture
def redis(server: RedisServer) -> Redis:
    return server.client()


@pytest.fixture
def feed(redis: Redis) -> Iterator[Feed]:
    feed = Feed(redis)
    yield feed
    feed.stop()


class Listener:
    """Records what it hears, and when its channel is joined."""

    def __init__(self, faults: int = 0) -> None:
        self.events: list[str] = []
        self.faults = faults

    def heard(self, message: bytes) -> None:
        self.events.append(message.decode())

    def joined(self) -> None:
        self.events.append("joined")
        if self.events.count("joined") <= self.faults:
            raise ValueError("not yet")

    def expect(self, *events: str) -> None:
        eventually(lambda: len(self.events) >= len(events))
        assert self.events == list(events)


def test_messages_published_after_joining_are_heard(redis: Redis, feed: Feed) -> None:
    listener = Listener()
    feed.listen("news", listener.heard, listener.joined)
    listener.expect("joined")
    redis.publish("news", "a")
    listener.expect("joined", "a")


def test_a_second_listener_joins_at_once(redis: Redis, feed: Feed) -> None:
    first, second = Listener(), Listener()
    feed.listen("news", first.heard, first.joined)
    first.expect("joined")
    feed.listen("news", second.heard, second.joined)
    assert second.events == ["joined"]
    assert first.events == ["joined"]
    feed.unlisten("news", first.heard)
    redis.publish("news", "a")
    second.expect("joined", "a")
    assert first.events == ["joined"]


def test_a_listener_that_leaves_and_comes_back_joins_again(feed: Feed) -> None:
    listener = Listener()
    feed.listen("news", listener.heard, listener.joined)
    listener.expect("joined")
    feed.unlisten("news", listener.heard)
    feed.listen("news", listener.heard, listener.joined)
    listener.expect("joined", "joined")


def test_channels_are_joined_again_after_a_broken_connection(redis: Redis, feed: Feed) -> None:
    listener = Listener()
    feed.listen("news", listener.heard, listener.joined)
    listener.expect("joined")
    redis.client_kill_filter(_type="pubsub")
    listener.expect("joined", "joined")
    redis.publish("news", "a")
    listener.expect("joined", "joined", "a")


def test_a_failing_listener_catches_up_later_and_disturbs_no_other(redis: Redis, feed: Feed) -> None:
    failing, other = Listener(faults=1), Listener()
    feed.listen("news", failing.heard, failing.joined)
    feed.listen("news", other.heard, other.joined)
    eventually(lambda: failing.events == ["joined", "joined"])
    redis.publish("news", "a")
    other.expect("joined", "a")


def test_listeners_can_come_and_go_while_redis_is_down(server: RedisServer, redis: Redis, feed: Feed) -> None:
    leaving, coming = Listener(), Listener()
    feed.listen("old", leaving.heard, leaving.joined)
    leaving.expect("joined")
    server.stop()
    feed.unlisten("old", leaving.heard)
    feed.listen("news", coming.heard, coming.joined)
    assert coming.events == []
    server.start()
    coming.expect("joined")
    redis.publish("old", "a")
    redis.publish("news", "b")
    coming.expect("joined", "b")
    assert leaving.events == ["joined"]


def test_no_listener_is_lost_when_the_connection_breaks_repeatedly(redis: Redis, feed: Feed) -> None:
    stays, leave = Listener(), threading.Event()
    feed.listen("news", stays.heard, stays.joined)

    def come_and_go(channel: str) -> None:
        while not leave.is_set():
            passing = Listener()
            feed.listen(channel, passing.heard, passing.joined)
            feed.unlisten(channel, passing.heard)

    with ThreadPoolExecutor() as others:
        ended = [others.submit(come_and_go, f"channel-{number}") for number in range(4)]
        for broken in range(1, 11):
            eventually(lambda broken=broken: stays.events.count("joined") >= broken)
            redis.client_kill_filter(_type="pubsub")
        leave.set()
    assert [each.result() for each in ended] == [None] * 4
    eventually(lambda: stays.events.count("joined") >= 11)
    redis.publish("news", "a")
    eventually(lambda: stays.events[-1] == "a")
