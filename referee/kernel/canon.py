"""Canonical JSON (RFC 8785) and its hash.

Our values are strings, integers, booleans, null, lists and objects with ASCII keys, never floats:
for these, keys in sorted order, no white space and the shortest escapes are all that the RFC asks.
"""

from hashlib import sha256
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The one spelling of a value: what is hashed, stored and compared."""
    return _encoder.encode(value)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(data).hexdigest()
