"""The feed: nothing is missed, whenever one begins to listen and however the connection breaks."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from referee.log.feed import Feed
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
    """Notes what it is told."""

    def __init__(self, faults: int = 0) -> None:
        self.told: list[str] = []
        self.faults = faults

    def heard(self, message: bytes) -> None:
        self.told.append(message.decode())

    def joined(self) -> None:
        self.told.append("joined")
        if self.told.count("joined") <= self.faults:
            raise ValueError("not yet")

    def is_told(self, *told: str) -> None:
        eventually(lambda: len(self.told) >= len(told))
        assert self.told == list(told)


def test_what_is_published_after_the_joining_is_heard(redis: Redis, feed: Feed) -> None:
    listener = Listener()
    feed.listen("news", listener.heard, listener.joined)
    listener.is_told("joined")
    redis.publish("news", "a")
    listener.is_told("joined", "a")


def test_who_comes_second_has_joined_at_once(redis: Redis, feed: Feed) -> None:
    first, second = Listener(), Listener()
    feed.listen("news", first.heard, first.joined)
    first.is_told("joined")
    feed.listen("news", second.heard, second.joined)
    assert second.told == ["joined"]
    assert first.told == ["joined"]
    feed.unlisten("news", first.heard)
    redis.publish("news", "a")
    second.is_told("joined", "a")
    assert first.told == ["joined"]


def test_who_leaves_and_comes_back_joins_again(feed: Feed) -> None:
    listener = Listener()
    feed.listen("news", listener.heard, listener.joined)
    listener.is_told("joined")
    feed.unlisten("news", listener.heard)
    feed.listen("news", listener.heard, listener.joined)
    listener.is_told("joined", "joined")


def test_a_broken_connection_is_joined_again(redis: Redis, feed: Feed) -> None:
    listener = Listener()
    feed.listen("news", listener.heard, listener.joined)
    listener.is_told("joined")
    redis.client_kill_filter(_type="pubsub")
    listener.is_told("joined", "joined")
    redis.publish("news", "a")
    listener.is_told("joined", "joined", "a")


def test_a_listener_that_fails_catches_up_later_and_disturbs_nobody(redis: Redis, feed: Feed) -> None:
    failing, other = Listener(faults=1), Listener()
    feed.listen("news", failing.heard, failing.joined)
    feed.listen("news", other.heard, other.joined)
    eventually(lambda: failing.told == ["joined", "joined"])
    redis.publish("news", "a")
    other.is_told("joined", "a")


def test_one_can_come_and_go_while_redis_is_away(server: RedisServer, redis: Redis, feed: Feed) -> None:
    leaving, coming = Listener(), Listener()
    feed.listen("old", leaving.heard, leaving.joined)
    leaving.is_told("joined")
    server.stop()
    feed.unlisten("old", leaving.heard)
    feed.listen("news", coming.heard, coming.joined)
    assert coming.told == []
    server.start()
    coming.is_told("joined")
    redis.publish("old", "a")
    redis.publish("news", "b")
    coming.is_told("joined", "b")
    assert leaving.told == ["joined"]


def test_nobody_is_forgotten_when_the_connection_breaks_again_and_again(redis: Redis, feed: Feed) -> None:
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
            eventually(lambda broken=broken: stays.told.count("joined") >= broken)
            redis.client_kill_filter(_type="pubsub")
        leave.set()
    assert [each.result() for each in ended] == [None] * 4
    eventually(lambda: stays.told.count("joined") >= 11)
    redis.publish("news", "a")
    eventually(lambda: stays.told[-1] == "a")
