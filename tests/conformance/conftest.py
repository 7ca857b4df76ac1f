"""The seed of a test is its name, so that a failure can be played again."""

import random

import pytest

from tests.conformance.play import CAMPAIGN


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """What a test samples with; the seed is printed when the test fails."""
    seed = f"{request.node.name}{CAMPAIGN}"
    print(f"seed: {seed}")
    return random.Random(seed)
