import contextlib
import shutil
from collections.abc import Iterator, Sequence

import pytest
from redis import Redis
from redis.exceptions import ReadOnlyError

from referee.ops.nodes import LocalCluster, Server
from referee.ops.sentinels import LocalSentinels
from referee.store.cluster import ClusterClient
from referee.store.log import Log
from referee.store.memory_log import MemoryLog
from referee.store.redis_log import RedisLog
from referee.store.urls import open_redis
from tests.redis_server import RedisServer


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One server for the session; each test finds it empty."""
    server = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield server
    server.stop()


@pytest.fixture
def redis_log(redis_server: RedisServer) -> RedisLog:
    """A log on an empty Redis."""
    redis = redis_server.client()
    redis.flushall()
    return RedisLog(redis)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Three masters with a replica each, for the session."""
    running = LocalCluster(tmp_path_factory.mktemp("cluster")).start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def sentinels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSentinels]:
    """A master with a replica, and three Sentinels, for the session."""
    running = LocalSentinels(tmp_path_factory.mktemp("sentinels"), "logs").start()
    yield running
    running.stop()


def emptied(servers: Sequence[Server]) -> None:
    """Empty every server that is a master."""
    for server in servers:
        with contextlib.suppress(ReadOnlyError):
            server.client().flushall()


REDIS_7 = shutil.which("redis-server")
"""The suite of logs runs on a Redis as well, where one is installed."""

KINDS = ["memory", "redis", "sentinels", "cluster", *(["redis-7"] if REDIS_7 else [])]


@pytest.fixture(scope="session")
def redis_7(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """The Redis on the PATH."""
    server = RedisServer(tmp_path_factory.mktemp("redis-7"), str(REDIS_7)).start()
    yield server
    server.stop()


@pytest.fixture(params=KINDS)
def redis(request: pytest.FixtureRequest) -> Redis | None:
    """A client of each kind of store in turn, empty; None: the log in memory needs none."""
    if request.param == "memory":
        return None
    if request.param in ("redis", "redis-7"):
        server = request.getfixturevalue({"redis": "redis_server", "redis-7": "redis_7"}[request.param])
        server.client().flushall()
        return server.client()
    bed = request.getfixturevalue(request.param)
    emptied(bed.servers)
    return open_redis(bed.url)


@pytest.fixture
def log(redis: Redis | None) -> Log:
    """Each log in turn, empty. Where there are replicas, one has to confirm what is written and what is read."""
    if redis is None:
        return MemoryLog()
    has_replicas = isinstance(redis, ClusterClient) or hasattr(redis.connection_pool, "sentinel_manager")
    return RedisLog(redis, replicas=int(has_replicas), replicas_timeout_ms=2500)
