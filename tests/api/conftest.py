"""One running service for all tests of the API."""

from collections.abc import Iterator

import pytest

from tests.service import Client, Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, started once."""
    running = Service(tmp_path_factory.mktemp("service"), HEARTBEAT_SECONDS="0.5").start()
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
