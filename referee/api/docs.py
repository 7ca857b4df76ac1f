"""The OpenAPI document and a page to read it; both work offline."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
from flask import Blueprint, Response

from referee.api.routing import ENDPOINTS, answer, endpoint
from schemas.openapi import document
from schemas.problems import PROBLEMS

blueprint = Blueprint("docs", __name__)


@cache
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of all endpoints."""
    return document(ENDPOINTS, {code: kind.title for code, kind in PROBLEMS.items()})


@cache
def _openapi_bytes() -> bytes:
    return msgspec.json.encode(openapi())


@endpoint(blueprint, "GET", "/openapi.json", answers={200: "OpenApi"}, lasting=True)
def get_openapi() -> Response:
    """Read this document.

    It is the same as `openapi.yaml`, as JSON.
    """
    return answer(_openapi_bytes())


@cache
def _page() -> tuple[bytes, str]:
    """Return the page, and a content security policy that allows only its own script and style."""
    page = (files("referee.web") / "docs.html").read_bytes()
    return page, "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(page, b'script')}'",
            f"style-src '{_hash(page, b'style')}'",
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


def _hash(page: bytes, element: bytes) -> str:
    """Return the hash of the text in the only such element of the page."""
    start = page.index(b"<%s>" % element) + len(element) + 2
    text = page[start : page.index(b"</%s>" % element)]
    return f"sha256-{b64encode(sha256(text).digest()).decode()}"


@endpoint(
    blueprint,
    "GET",
    "/docs",
    answers={200: "Page"},
    gives=("Content-Security-Policy",),
    media=("text/html",),
    lasting=True,
)
def get_docs() -> Response:
    """Read this document as a web page.

    The page loads nothing from other hosts.
    """
    page, policy = _page()
    response = Response(page, content_type="text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = policy
    return response
