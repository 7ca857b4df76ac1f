"""One Redis for the tests of the log; each test finds it empty."""

from collections.abc import Iterator

import pytest
from redis import Redis

from tests.redis_server import RedisServer


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """These tests kill sequencers, never Redis itself, so nobody has to wait for its disk."""
    started = RedisServer(tmp_path_factory.mktemp("redis")).start()
    with started.client() as client:
        client.config_set("appendfsync", "no")
    yield started
    started.stop()


@pytest.fixture
def redis(server: RedisServer) -> Iterator[Redis]:
    client = Redis.from_url(server.url)
    client.flushall()
    yield client
    client.close()
