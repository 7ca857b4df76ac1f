"""With replicas, a write counts when they have confirmed it, and never before."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from referee.store.connections import Unconfirmed
from referee.store.directory import Directory, Key, Player
from referee.store.log import Head, IdempotencyKey, Repeated, Written
from referee.store.redis_log import RedisLog
from tests.redis_server import RedisServer
from tests.store.entries import GAME, entries, entry
from tests.waiting import eventually

KEY = IdempotencyKey("the key", "a")
PLAYER = Player("p_" + "0" * 24, "ada", "2026-11-16T08:00:00.000Z")


def key(number: int) -> Key:
    return Key(f"k_{PLAYER.id[2:]}{number:016d}", PLAYER.id, "hash", ("play",), "2026-11-16T08:00:00.000Z")


@pytest.fixture
def master(tmp_path: Path) -> Iterator[Redis]:
    server = RedisServer(tmp_path / "master").start()
    yield server.client()
    server.stop()


@pytest.fixture
def replicate(master: Redis, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """Starts a replica of the master, and waits until it follows."""
    server = RedisServer(tmp_path / "replica")

    def start() -> None:
        port = serve_on_port(master)
        server.start()
        server.client().replicaof("127.0.0.1", port)
        eventually(lambda: master.info("replication")["connected_slaves"] == 1, 20)

    yield start
    server.stop()


def serve_on_port(master: Redis) -> int:
    """Let the master, which listens to a socket only, listen to a free port as well."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    master.config_set("bind", "127.0.0.1")
    master.config_set("port", str(port))
    return port


WRITES: dict[str, Callable[[RedisLog, Directory], object]] = {
    "create": lambda log, directory: log.create(Head("g_new", 1, b"head")),
    "change_head": lambda log, directory: log.change_head(Head(GAME, 2, b"changed")),
    "append": lambda log, directory: log.append(GAME, entry(2), KEY, None),
    "add_player": lambda log, directory: directory.add_player(PLAYER),
    "add_key": lambda log, directory: directory.add_key(key(2)),
    "revoke": lambda log, directory: directory.revoke(key(1).id),
    "keep_text": lambda log, directory: log.keep_text(GAME, "hash", b"{}"),
    "erase": lambda log, directory: log.erase(GAME, ("hash",), ("0",)),
    "remove": lambda log, directory: log.remove(GAME),
    "remove_player": lambda log, directory: directory.remove_player(PLAYER.id),
    "replace_keys": lambda log, directory: directory.replace_keys(PLAYER, key(3)),
}


@pytest.mark.parametrize("write", WRITES)
def test_what_no_replica_has_is_unconfirmed(redis_server: RedisServer, write: str) -> None:
    redis = redis_server.client()
    redis.flushall()
    alone, directory = RedisLog(redis), Directory(redis)
    alone.create(Head(GAME, 1, b"head"))
    alone.append(GAME, entry(1), None, None)
    directory.add_player(PLAYER)
    directory.add_key(key(1))
    with pytest.raises(Unconfirmed, match="0 of 1 replicas"):
        WRITES[write](RedisLog(redis, 1, 10), Directory(redis, 1, 10))


def test_a_repetition_and_what_is_read_are_confirmed_as_well(master: Redis, replicate: Callable[[], None]) -> None:
    log = RedisLog(master, replicas=1, replicas_timeout_ms=200)
    with pytest.raises(Unconfirmed):
        log.append(GAME, entry(1), KEY, None)
    for repeat in (
        lambda: log.append(GAME, entry(2), KEY, None),
        lambda: log.repeated(GAME, KEY.key),
        lambda: log.read(GAME, 0),
        lambda: log.is_kept(GAME, entry(1)),
    ):
        with pytest.raises(Unconfirmed):
            repeat()
    assert tuple(RedisLog(master).read(GAME, 0)) == entries(1)
    replicate()
    eventually(lambda: confirmed(log), 20)
    assert log.append(GAME, entry(2), KEY, None) == Repeated(1, "a")
    assert log.repeated(GAME, KEY.key) == Repeated(1, "a")
    assert tuple(log.read(GAME, 0)) == entries(1)
    assert log.append(GAME, entry(2), None, None) == Written()


def confirmed(log: RedisLog) -> bool:
    try:
        return log.repeated(GAME, KEY.key) is not None
    except Unconfirmed:
        return False
