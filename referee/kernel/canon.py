"""Canonical JSON (RFC 8785) and its hash.

Our values are strings, integers, booleans, null, lists and objects with ASCII keys, never floats.
For these the RFC requires only sorted keys, no white space and the shortest escapes.
"""

from hashlib import sha256
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")
_steady = msgspec.json.Encoder(order="deterministic")


def canonical(value: Any) -> bytes:
    """The one spelling of a value: what is hashed, stored and compared."""
    return _encoder.encode(value)


def plain(value: Any) -> Any:
    """What the JSON of a value decodes to."""
    return msgspec.json.decode(canonical(value))


def steady(value: Any) -> bytes:
    """JSON for readers, with the same bytes whether a value was computed here or read from the log.

    Dicts are sorted by key, except the outermost one, which keeps its order.
    """
    if type(value) is dict:
        return msgspec.json.encode({name: msgspec.Raw(_steady.encode(each)) for name, each in value.items()})
    return _steady.encode(value)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(data).hexdigest()
