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


class LogNotice(Struct, frozen=True):
    """What has happened to a key."""

    notice: str
    """Canonical JSON with `change` (`begin`, `end` or `revoke`), `key` and `use` (`log` or `receipts`)."""
    index: Count
    """Its place in the log."""
    entry: str
    """Its leaf: canonical JSON with `game` (a hash of the key), `hash` (of the notice), `kind` and `version`."""
    proof: str
    """A `c2sp.org/tlog-proof@v1`: the index, the hashes that lead to the root, and the signed checkpoint."""


class LogKeys(Struct, frozen=True):
    """The public keys of the service, and what has happened to them."""

    log: str
    """The newest key of the transparency log as a C2SP vkey: name, hash and key."""
    receipts: str | None
    """The key that signs receipts; null: this process signs none."""
    notices: tuple[LogNotice, ...]
    """What the log says about these keys and older ones, in the order of the log."""


class SignedReceipt(Struct, frozen=True):
    """A receipt."""

    receipt: str
    """A signed note about a move."""


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


ANSWERS: tuple[type[Struct], ...] = (LogKeys, LogLeaves, SignedReceipt)
