"""The conditions of a move: the version that the caller expects, and an idempotency key."""

import re
from typing import Any

from referee.service.moves import Expected
from referee.service.problems import Problem

CONDITIONS = ("If-Match", "Idempotency-Key")
"""The request headers of the conditions."""

_ENTITY_TAG = re.compile(r'^\s*(?:W/)?"(\d{1,15})\.[^"]*"\s*$')
_IDEMPOTENCY_KEY = re.compile(r"^[\x21-\x7e]{1,255}$")


def expected_version(environ: dict[str, Any], query: dict[str, Any]) -> Expected | None:
    """Return the version that the caller expects, from the header or the query; None if any version will do."""
    if_match: str | None = environ.get("HTTP_IF_MATCH")
    version: int | None = query.get("version")
    if if_match is None:
        return None if version is None else Expected(version)
    if if_match.strip() == "*":
        return None
    found = _ENTITY_TAG.match(if_match)
    if found is None:
        raise Problem("invalid-header", "If-Match must be an ETag of this game, or *.")
    return Expected(int(found[1]), "if-match-failed")


def idempotency_key(environ: dict[str, Any]) -> str | None:
    """Return the idempotency key of a request, under which it has an effect only once."""
    key: str | None = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not _IDEMPOTENCY_KEY.match(key):
        raise Problem("invalid-header", "Idempotency-Key must have 1 to 255 visible ASCII characters.")
    return key
