from collections.abc import Iterator

import pytest

from referee.store.log import Log
from referee.store.memory_log import MemoryLog
from referee.store.redis_log import RedisLog
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


@pytest.fixture(params=["memory", "redis"])
def log(request: pytest.FixtureRequest) -> Log:
    """Each log in turn, empty."""
    return MemoryLog() if request.param == "memory" else request.getfixturevalue("redis_log")
