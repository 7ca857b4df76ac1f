"""Durability, one round of each; `make campaign-durability` does many."""

import os
import random
from collections.abc import Iterator

import pytest

from tests.campaigns.durability import ILLS, Target, healthy

pytestmark = pytest.mark.xdist_group("durability")


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    service = healthy(tmp_path_factory.mktemp("durability"))
    seed = os.environ.get("CAMPAIGN_SEED") or str(random.randrange(10**6))
    print("seed", seed)
    try:
        yield Target(service, random.Random(seed))
    finally:
        service.kill()


@pytest.mark.parametrize("ill", ILLS)
def test_no_answered_move_is_lost_and_the_service_recovers_by_itself(target: Target, ill: str) -> None:
    ILLS[ill](target)
    print(ill, dict(target.figures))
    assert target.figures["moves answered"] > 0
