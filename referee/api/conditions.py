"""Under which conditions a move counts: at the version that the caller knows, and once."""

import re
from typing import Any

from referee.service.moves import Expected
from referee.service.problems import Problem

CONDITIONS = ("If-Match", "Idempotency-Key")
"""The headers that say so."""

_ENTITY_TAG = re.compile(r'^\s*(?:W/)?"(\d{1,15})\.[^"]*"\s*$')
_IDEMPOTENCY_KEY = re.compile(r"^[\x21-\x7e]{1,255}$")


def expected_version(environ: dict[str, Any], query: dict[str, Any]) -> Expected | None:
    """The version that the caller knows, by header or by query; None: any will do."""
    if_match: str | None = environ.get("HTTP_IF_MATCH")
    version: int | None = query.get("version")
    if if_match is None:
        return None if version is None else Expected(version, 409)
    if if_match.strip() == "*":
        return None
    found = _ENTITY_TAG.match(if_match)
    if found is None:
        raise Problem(400, "invalid-header", "If-Match is an ETag of this game, or *.")
    return Expected(int(found[1]), 412)


def idempotency_key(environ: dict[str, Any]) -> str | None:
    """The key under which the request counts once."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not _IDEMPOTENCY_KEY.match(key):
        raise Problem(400, "invalid-header", "An Idempotency-Key is 1 to 255 visible ASCII characters.")
    return key
