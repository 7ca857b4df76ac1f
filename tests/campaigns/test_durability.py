"""Durability, one round of each; `make campaign-durability` does many."""

import os
import random
from collections.abc import Iterator

import pytest

from tests.campaigns.durability import ILLS, Patient, healthy

pytestmark = pytest.mark.xdist_group("durability")


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Patient]:
    service = healthy(tmp_path_factory.mktemp("durability"))
    seed = os.environ.get("CAMPAIGN_SEED") or str(random.randrange(10**6))
    print("seed", seed)
    try:
        yield Patient(service, random.Random(seed))
    finally:
        service.kill()


@pytest.mark.parametrize("ill", ILLS)
def test_nothing_that_was_answered_is_lost_and_the_service_recovers_by_itself(patient: Patient, ill: str) -> None:
    ILLS[ill](patient)
    print(ill, dict(patient.figures))
    assert patient.figures["moves answered"] > 0
