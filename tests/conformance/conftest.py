"""The seed of a test is its name, so that a failure can be reproduced."""

import random

import pytest

from tests.conformance.play import CAMPAIGN


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """The random numbers of a test; the seed is printed when the test fails."""
    seed = f"{request.node.name}{CAMPAIGN}"
    print(f"seed: {seed}")
    return random.Random(seed)
