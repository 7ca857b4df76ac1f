"""Numbers for what JSON says: as many as wanted, the same for the same JSON in every process.

Each leaf is a feature, hashed by its path: a number counts by its size, anything else by being what it is. Features
that share a place by accident add up, with signs, so that they cancel out on average.
"""

from collections.abc import Iterator
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

BOUND = 32.0
"""No feature is larger."""

SIGN_BIT = 1 << 31


def features(value: Any, size: int) -> npt.NDArray[np.float32]:
    """What a value says, as so many numbers."""
    found = np.zeros(size, dtype=np.float32)
    for path, leaf in _leaves(value, ""):
        is_number = isinstance(leaf, int) and not isinstance(leaf, bool)
        place = crc32((path if is_number else f"{path}={leaf}").encode())
        weight = np.copysign(np.log1p(abs(leaf)), leaf) if is_number else 1.0
        found[place % size] += weight if place & SIGN_BIT else -weight
    return np.clip(found, -BOUND, BOUND)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every leaf of a JSON value with its path; an empty list or object is a leaf, too."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from _leaves(each, f"{path}/{name}")
    elif isinstance(value, (list, tuple)) and value:
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}/{number}")
    else:
        yield path, value
