"""Samples are taken as in the conformance suite."""

from tests.conformance.conftest import rng

__all__ = ["rng"]
