"""Requests and answers about the transparency log."""

from marshmallow import validate
from msgspec import Struct

from schemas.base import QueryInteger, Request
from schemas.types import Count

LEAVES_MAX = 10**15


class ConsistencyQuery(Request):
    """Two sizes of the log."""

    old = QueryInteger(
        required=True,
        validate=validate.Range(0, LEAVES_MAX),
        metadata={"description": "The number of leaves that you know."},
    )
    size = QueryInteger(
        required=True,
        validate=validate.Range(0, LEAVES_MAX),
        metadata={"description": "The number of leaves that you want to compare with."},
    )


class LogKeys(Struct, frozen=True):
    """The public key of the transparency log."""

    log: str
    """The key as a C2SP vkey: name, hash and key."""


class LeafProof(Struct, frozen=True):
    """A leaf of the transparency log."""

    index: Count
    """Its place in the log."""
    entry: str
    """Canonical JSON with `game` (a hash of the id), `hash`, `kind` and `version`."""
    proof: str
    """A `c2sp.org/tlog-proof@v1`: the index, the hashes that lead to the root, and the signed checkpoint."""


class LogLeaves(Struct, frozen=True):
    """What the transparency log says about a game, oldest first."""

    leaves: tuple[LeafProof, ...]


ANSWERS: tuple[type[Struct], ...] = (LogKeys, LogLeaves)
