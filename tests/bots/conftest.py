"""The fixtures of the conformance suite."""

from tests.conformance.conftest import rng

__all__ = ["rng"]
