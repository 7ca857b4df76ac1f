"""A log that refuses writes reports why, writes nothing in part, and recovers when the cause is gone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from referee.store.log import Head, IdempotencyKey, Written, reason
from referee.store.redis_log import RedisLog
from tests.redis_server import RedisServer
from tests.store.entries import GAME, entries, entry
from tests.waiting import eventually

Change = Callable[[Redis, Path], object]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    running = RedisServer(tmp_path / "redis").start()
    yield running
    running.stop()


def fill_memory(redis: Redis, directory: Path) -> None:
    redis.config_set("maxmemory", 1)


def free_memory(redis: Redis, directory: Path) -> None:
    redis.config_set("maxmemory", 0)


def break_disk(redis: Redis, directory: Path) -> None:
    """Make a snapshot fail, so that Redis refuses writes as it does after a failed append with `everysec`."""
    redis.config_set("save", "3600 1")
    (directory / "redis" / "dump.rdb").mkdir()
    redis.bgsave()
    eventually(lambda: redis.info("persistence")["rdb_last_bgsave_status"] == "err")


def mend_disk(redis: Redis, directory: Path) -> None:
    (directory / "redis" / "dump.rdb").rmdir()
    redis.bgsave()
    eventually(lambda: redis.info("persistence")["rdb_last_bgsave_status"] == "ok")


def follow_another(redis: Redis, directory: Path) -> None:
    redis.replicaof("127.0.0.1", 1)


def follow_nobody(redis: Redis, directory: Path) -> None:
    redis.replicaof("NO", "ONE")


@pytest.mark.parametrize(
    ("cause", "cure", "why"),
    [
        (fill_memory, free_memory, "The memory of the log is full"),
        (break_disk, mend_disk, "The log cannot write to its disk"),
        (follow_another, follow_nobody, "The log is a read-only replica"),
    ],
)
def test_a_log_that_refuses_writes_reports_why(
    server: RedisServer, tmp_path: Path, cause: Change, cure: Change, why: str
) -> None:
    redis = server.client()
    log = RedisLog(server.client())
    log.create(Head(GAME, 1, b"head"))
    log.append(GAME, entry(1), None, 1001)
    cause(redis, tmp_path)
    for write in (
        lambda: log.append(GAME, entry(2), IdempotencyKey("key", "a"), 1002),
        lambda: log.change_head(Head(GAME, 2, b"other")),
        lambda: log.create(Head("g_other", 1, b"head"), 1),
        lambda: log.wake(GAME, 7),
        lambda: redis.set("ready", "1"),
    ):
        with pytest.raises(RedisError) as raised:
            write()
        assert reason(raised.value) == why
    assert tuple(log.read(GAME, 0)) == entries(1)
    assert log.repeated(GAME, "key") is None
    assert log.due_games(9999, 10) == [(GAME, 1001)]
    cure(redis, tmp_path)
    assert log.append(GAME, entry(2), IdempotencyKey("key", "a"), 1002) == Written()


def test_a_stopped_server_cannot_be_reached(server: RedisServer) -> None:
    log = RedisLog(server.client())
    server.stop()
    with pytest.raises(RedisError) as raised:
        log.head(GAME)
    assert reason(raised.value) == "The log cannot be reached"
