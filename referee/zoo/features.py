"""Turns JSON into a fixed number of numbers, the same in every process.

Each leaf is a feature, hashed by its path. A number counts with its logarithm, any other value counts as 1 at a place
of its own. Features that collide add up with random signs, so that they cancel out on average.
"""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

BOUND = 32.0
"""The largest absolute value of a feature."""

SIGN_BIT = 1 << 31


def features(value: Any, size: int) -> npt.NDArray[np.float32]:
    """Return a JSON value as an array of this size."""
    found = np.zeros(size, dtype=np.float32)
    for path, leaf in _leaves(value, ""):
        is_number = isinstance(leaf, int) and not isinstance(leaf, bool)
        place = crc32((path if is_number else f"{path}={leaf}").encode())
        weight = np.copysign(np.log1p(abs(leaf)), leaf) if is_number else 1.0
        found[place % size] += weight if place & SIGN_BIT else -weight
    return np.clip(found, -BOUND, BOUND)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every leaf of a JSON value with its path; empty lists and objects are leaves as well."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from _leaves(each, f"{path}/{name}")
    elif isinstance(value, (list, tuple)) and value:
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}/{number}")
    else:
        yield path, value
