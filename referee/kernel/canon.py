"""Canonical JSON (RFC 8785) and its hash.

Our values are strings, integers, booleans, null, lists and objects with ASCII keys, never floats:
for these, keys in sorted order, no white space and the shortest escapes are all that the RFC asks.
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
    """JSON for readers, whose bytes do not depend on how a value came about: played here, or read from the log.

    What a dict holds stands in the order of its keys; only an outermost dict keeps its own.
    """
    if type(value) is dict:
        return msgspec.json.encode({name: msgspec.Raw(_steady.encode(each)) for name, each in value.items()})
    return _steady.encode(value)


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(data).hexdigest()
