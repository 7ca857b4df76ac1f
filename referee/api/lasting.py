"""Answers that a client may keep: their ETag, 304 for a client that has them already, and compression."""

import gzip
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256

from flask import Response, request

ZIPPED_BYTES_MIN = 16_384
VARY = "Authorization, Accept, Accept-Encoding, Accept-Language, Origin"
"""The headers that can change an answer in words, or a compressed one."""
KNOWN_MAX = 64


def accepts_gzip() -> bool:
    """Whether the client accepts compressed answers."""
    return request.accept_encodings.quality("gzip") > 0


def zipped(response: Response) -> Response:
    """Return the answer, compressed if it is long and the client accepts that."""
    data = response.get_data()
    if len(data) > ZIPPED_BYTES_MIN and accepts_gzip():
        _set_zipped(response, gzip.compress(data, 5, mtime=0))
    return response


def _set_zipped(response: Response, data: bytes) -> None:
    response.set_data(data)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = VARY


def unless_known(response: Response, tag: str) -> Response:
    """Return the answer with its ETag, or 304 if the client sent that tag; a compressed answer has a tag of its own."""
    if response.headers.get("Content-Encoding") == "gzip":
        tag += "z"
    response.set_etag(tag)
    if request.if_none_match.contains_weak(tag):
        response.status_code = 304
        response.response, response.headers["Content-Length"] = (), "0"
        response.headers.pop("Content-Type", None)
    return response


def lasting(response: Response) -> Response:
    """Return an answer that is the same for everybody: tagged, and compressed if it is long."""
    data = response.get_data()
    tag, packed = _packed(data)
    if packed is not None:
        response.headers["Vary"] = VARY
        if accepts_gzip():
            _set_zipped(response, packed)
    return unless_known(response, tag)


@lru_cache(KNOWN_MAX)
def _packed(data: bytes) -> tuple[str, bytes | None]:
    """The tag of an answer, and its compressed bytes if it is long."""
    return sha256(data).hexdigest()[:16], gzip.compress(data, 9, mtime=0) if len(data) > ZIPPED_BYTES_MIN else None


def zipped_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Compress lines while they are made, so that a long answer is never in memory as a whole."""
    packer = zlib.compressobj(5, zlib.DEFLATED, zlib.MAX_WBITS + 16)
    for line in lines:
        if packed := packer.compress(line):
            yield packed
    yield packer.flush()
