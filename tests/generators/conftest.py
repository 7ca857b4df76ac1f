"""One running service for all generated clients."""

from collections.abc import Iterator

import pytest

from tests.service import Service


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The whole service, started once."""
    running = Service(tmp_path_factory.mktemp("service")).start()
    yield running
    assert running.stop() == 0
