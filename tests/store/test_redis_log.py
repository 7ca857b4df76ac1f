"""What only the log on Redis needs: other processes, power cuts, replicas, listeners."""

import os
import shutil
from binascii import crc_hqx
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store.channels import game_channel, read_published
from referee.store.log import Head, IdempotencyKey, Repeated, Written
from referee.store.redis_log import SLOTS, TAGS, RedisLog, even_tags, tag_of
from tests.redis_server import RedisServer, growing_file
from tests.store.entries import GAME, entries, entry

KEY = IdempotencyKey("the key", "a")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server that a test may kill."""
    server = RedisServer(tmp_path / "redis").start()
    yield server
    server.stop()


def test_answered_appends_survive_a_power_cut(own_server: RedisServer) -> None:
    log = RedisLog(own_server.client())
    log.create(Head(GAME, 1, b"head"))
    for each in entries(20):
        assert log.append(GAME, each, IdempotencyKey(f"key {each.version}", "a"), 1000 + each.version) == Written()
    own_server.kill()
    log = RedisLog(own_server.start().client())
    assert tuple(log.read(GAME, 0)) == entries(20)
    assert log.head(GAME) == Head(GAME, 1, b"head")
    assert log.repeated(GAME, "key 20") == Repeated(20, "a")
    assert log.due_games(9999, 10) == [(GAME, 1020)]
    assert log.append(GAME, entry(21), None, None) == Written()


def test_a_write_torn_by_a_power_cut_leaves_no_trace(own_server: RedisServer, tmp_path: Path) -> None:
    log = RedisLog(own_server.client())
    file = growing_file(own_server.directory)
    log.append(GAME, entry(1), IdempotencyKey("key 1", "a"), 1001)
    log.append(GAME, entry(2), IdempotencyKey("key 2", "a"), 1002)
    whole = file.stat().st_size
    log.append(GAME, entry(3), KEY, 1003)
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
            assert log.repeated(GAME, KEY.key) is None
            assert log.due_games(9999, 10) == [(GAME, 1002)]
            assert log.append(GAME, entry(3, "again"), KEY, None) == Written()
        finally:
            server.stop()


def test_a_restarted_server_has_lost_the_script_and_nothing_else(own_server: RedisServer) -> None:
    log = RedisLog(own_server.client())
    log.append(GAME, entry(1), None, None)
    own_server.stop()
    own_server.start()
    assert log.append(GAME, entry(2), None, None) == Written()
    assert tuple(log.read(GAME, 0)) == entries(2)


def test_listeners_hear_every_new_entry(redis_log: RedisLog, redis_server: RedisServer) -> None:
    pubsub = redis_server.client().pubsub()
    pubsub.subscribe(game_channel(GAME))
    assert pubsub.get_message(timeout=5)["type"] == "subscribe"
    redis_log.append(GAME, entry(1), KEY, None)
    redis_log.append(GAME, entry(2, "repeated"), KEY, None)
    redis_log.append(GAME, entry(1, "late"), None, None)
    redis_log.append("g_other", entry(1), None, None)
    redis_log.append(GAME, entry(2), None, None)
    heard = [read_published(pubsub.get_message(timeout=5)["data"]) for _ in range(2)]
    assert tuple(heard) == entries(2)


def test_the_keys_of_a_game_share_a_hash_tag(redis_log: RedisLog, redis_server: RedisServer) -> None:
    for number in range(50):
        game = f"g_{number}"
        redis_log.create(Head(game, 1, b"head"))
        redis_log.append(game, entry(1), KEY, 1000)
        found = [key.decode() for key in redis_server.client().scan_iter(match=f"*:{game}:*")]
        assert len(found) == 3
        assert all(tag_of(game) in key for key in found)
    assert len({tag_of(f"g_{number}") for number in range(5000)}) == TAGS


def test_two_processes_write_one_log(redis_log: RedisLog, redis_server: RedisServer) -> None:
    other = RedisLog(redis_server.client())
    redis_log.append(GAME, entry(1), None, None)
    other.append(GAME, entry(2), None, None)
    assert tuple(redis_log.read(GAME, 0)) == tuple(other.read(GAME, 0)) == entries(2)


@pytest.mark.parametrize("masters", [1, 2, 3, 5, 8, 16])
def test_masters_share_the_tags_alike(masters: int) -> None:
    slots = [crc_hqx(tag.strip("{}").encode(), 0) % SLOTS for tag in even_tags(TAGS)]
    shares = Counter(slot * masters // SLOTS for slot in slots)
    assert len(shares) == masters
    assert max(shares.values()) - min(shares.values()) <= 1
