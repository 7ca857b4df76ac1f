"""What only the log on Redis has: other processes, power cuts, replicas, listeners."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.log.feed import game_channel, read_published
from referee.log.log import Behind, Head, Once, Repeated, Written
from referee.log.redis_log import SHARDS, RedisLog, shard_of
from tests.log.entries import GAME, entries, entry
from tests.redis_server import RedisServer, growing_file

ONCE = Once("the key", "a")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server that a test may kill."""
    server = RedisServer(tmp_path / "redis").start()
    yield server
    server.stop()


def test_what_was_answered_survives_a_power_cut(own_server: RedisServer) -> None:
    log = RedisLog(own_server.client())
    log.create(Head(GAME, 1, b"head"))
    for each in entries(20):
        assert log.append(GAME, each, Once(f"key {each.version}", "a"), 1000 + each.version) == Written()
    own_server.kill()
    log = RedisLog(own_server.start().client())
    assert tuple(log.read(GAME, 0)) == entries(20)
    assert log.head(GAME) == Head(GAME, 1, b"head")
    assert log.repeated(GAME, "key 20") == Repeated(20, "a")
    assert log.wakeful(9999, 10) == [(GAME, 1020)]
    assert log.append(GAME, entry(21), None, None) == Written()


def test_a_write_that_a_power_cut_tore_is_as_if_it_had_never_been(own_server: RedisServer, tmp_path: Path) -> None:
    log = RedisLog(own_server.client())
    file = growing_file(own_server.directory)
    log.append(GAME, entry(1), Once("key 1", "a"), 1001)
    log.append(GAME, entry(2), Once("key 2", "a"), 1002)
    whole = file.stat().st_size
    log.append(GAME, entry(3), ONCE, 1003)
    own_server.kill()
    size = file.stat().st_size
    assert size > whole
    for number, cut in enumerate((whole, whole + 1, (whole + size) // 2, size - 90, size - 20, size - 1)):
        server = RedisServer(tmp_path / f"cut{number}")
        copy = shutil.copytree(file.parent, server.directory / file.parent.name)
        os.truncate(copy / file.name, cut)
        log = RedisLog(server.start().client())
        try:
            assert tuple(log.read(GAME, 0)) == entries(2)
            assert log.repeated(GAME, ONCE.key) is None
            assert log.wakeful(9999, 10) == [(GAME, 1002)]
            assert log.append(GAME, entry(3, "again"), ONCE, None) == Written()
        finally:
            server.stop()


def test_a_server_that_was_stopped_has_forgotten_the_script_but_nothing_else(own_server: RedisServer) -> None:
    log = RedisLog(own_server.client())
    log.append(GAME, entry(1), None, None)
    own_server.stop()
    own_server.start()
    assert log.append(GAME, entry(2), None, None) == Written()
    assert tuple(log.read(GAME, 0)) == entries(2)


@pytest.mark.parametrize("replicas", [0, 1, 2])
def test_replicas_that_are_not_there_do_no_harm(redis_server: RedisServer, replicas: int) -> None:
    redis = redis_server.client()
    redis.flushall()
    redis.script_flush()
    log = RedisLog(redis, replicas=replicas, replicas_timeout_ms=1)
    assert log.append(GAME, entry(1), ONCE, 1000) == Written()
    redis.script_flush()
    assert log.append(GAME, entry(2), ONCE, 1000) == Repeated(1, "a")
    assert log.append(GAME, entry(1, "late"), None, None) == Behind(entries(1))
    assert tuple(log.read(GAME, 0)) == entries(1)


def test_a_new_entry_is_heard_by_whoever_listens(redis_log: RedisLog, redis_server: RedisServer) -> None:
    pubsub = redis_server.client().pubsub()
    pubsub.subscribe(game_channel(GAME))
    assert pubsub.get_message(timeout=5)["type"] == "subscribe"
    redis_log.append(GAME, entry(1), ONCE, None)
    redis_log.append(GAME, entry(2, "repeated"), ONCE, None)
    redis_log.append(GAME, entry(1, "late"), None, None)
    redis_log.append("g_other", entry(1), None, None)
    redis_log.append(GAME, entry(2), None, None)
    heard = [read_published(pubsub.get_message(timeout=5)["data"]) for _ in range(2)]
    assert tuple(heard) == entries(2)


def test_the_keys_of_a_game_share_a_hash_tag(redis_log: RedisLog, redis_server: RedisServer) -> None:
    for number in range(50):
        game = f"g_{number}"
        redis_log.create(Head(game, 1, b"head"))
        redis_log.append(game, entry(1), ONCE, 1000)
        found = [key.decode() for key in redis_server.client().scan_iter(match=f"*:{game}:*")]
        assert len(found) == 3
        assert all(shard_of(game) in key for key in found)
    assert len({shard_of(f"g_{number}") for number in range(1000)}) == SHARDS


def test_two_processes_keep_one_log(redis_log: RedisLog, redis_server: RedisServer) -> None:
    other = RedisLog(redis_server.client())
    redis_log.append(GAME, entry(1), None, None)
    other.append(GAME, entry(2), None, None)
    assert tuple(redis_log.read(GAME, 0)) == tuple(other.read(GAME, 0)) == entries(2)
