"""One running service for all tests of the client."""

from collections.abc import Iterator

import pytest

from tests.service import Service


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("service"), HEARTBEAT_SECONDS="0.5").start()
    yield running
    assert running.stop() == 0
