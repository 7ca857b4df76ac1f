"""One running service for all tests of the API."""

from collections.abc import Iterator

import pytest

from tests.api.world import World
from tests.redis_server import RedisServer
from tests.service import Client, Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, started once."""
    running = Service(tmp_path_factory.mktemp("service"), HEARTBEAT_SECONDS="0.5", BOT_BUDGET_MS="50").start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def ada(service: Service) -> Client:
    return service.player("ada")


@pytest.fixture
def bob(service: Service) -> Client:
    return service.player("bob")


@pytest.fixture
def admin(service: Service) -> Client:
    return service.admin()


@pytest.fixture
def nobody(service: Service) -> Client:
    return service.nobody()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The application with players and games, called without a server."""
    server = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield World(server)
    server.stop()
