"""Cursors of lists: sealed, so that a place in a list names no game, and good only for the list they come from.

The seal is built like SIV: the tag authenticates the place together with what it belongs to, and keys the pad.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from hashlib import sha256

from referee.service.desk import Desk, now_ms
from referee.service.problems import Problem, invalid

SECRET = "cursors"
TAG_BYTES = 18
ID_PREFIX = "g_"
PLAIN_BYTES = 4 + 8 + 12
"""The hour it was made in, when the game was created, the game."""
HOUR_MS = 3_600_000
LASTS_HOURS = 24

Place = tuple[int, str]
"""When a game was created, in milliseconds, and its id."""


class Cursors:
    """Seals and opens the cursors of one list for one caller. All hosts share the secret."""

    def __init__(self, desk: Desk, *scope: str | None) -> None:
        self._key = desk.secret(SECRET)
        self._scope = repr(scope).encode()

    def seal(self, place: Place) -> str:
        """The cursor of a place."""
        created, id = place
        hour = now_ms() // HOUR_MS
        plain = hour.to_bytes(4, "big") + created.to_bytes(8, "big") + bytes.fromhex(id.removeprefix(ID_PREFIX))
        tag = self._tag(plain)
        return urlsafe_b64encode(tag + self._padded(tag, plain)).decode()

    def open(self, cursor: str) -> Place:
        """The place of a cursor; raises a problem for one of another list, another caller, or more than a day ago."""
        sealed = _decoded(cursor)
        tag, plain = sealed[:TAG_BYTES], self._padded(sealed[:TAG_BYTES], sealed[TAG_BYTES:])
        if len(plain) != PLAIN_BYTES or not hmac.compare_digest(tag, self._tag(plain)):
            raise _refused("This cursor does not belong to this list: take it from the page before, as it stands.")
        if now_ms() // HOUR_MS - int.from_bytes(plain[:4], "big") > LASTS_HOURS:
            raise _refused("This cursor is more than a day old: begin with the first page again.")
        return int.from_bytes(plain[4:12], "big"), ID_PREFIX + plain[12:].hex()

    def _tag(self, plain: bytes) -> bytes:
        return hmac.digest(self._key, b"tag:" + plain + self._scope, sha256)[:TAG_BYTES]

    def _padded(self, tag: bytes, text: bytes) -> bytes:
        pad = hmac.digest(self._key, b"pad:" + tag, sha256)
        return bytes(left ^ right for left, right in zip(text, pad, strict=False))


def _decoded(cursor: str) -> bytes:
    """The bytes of a cursor; none unless it is written just as it was made."""
    try:
        sealed = urlsafe_b64decode(cursor.encode())
    except (NotBase64, ValueError):
        return b""
    return sealed if urlsafe_b64encode(sealed).decode() == cursor else b""


def _refused(detail: str) -> Problem:
    return invalid("cursor", detail)
