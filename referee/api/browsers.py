"""What browsers are told with every answer: what they may do with it, and which pages from elsewhere may read it.

Keys travel in `Authorization`, never in cookies. So a page from anywhere can do no more than somebody without a key,
unless its user gave it one: any origin may read answers, but never with credentials that the browser adds by itself.
"""

from typing import Any

Headers = tuple[tuple[str, str], ...]

SAFE: Headers = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Vary", "Authorization, Accept, Origin"),
)
"""What every answer has, unless it has its own."""

PRIVATE = ("Cache-Control", "no-store")
"""What an answer has that says nothing else about being kept."""

LASTING = "public, max-age=60"
"""The same for everybody, and no more than a minute old."""

EXPOSED = (
    *("ETag", "Location", "Link", "Retry-After", "RateLimit", "RateLimit-Policy"),
    *("Allow", "Content-Disposition", "WWW-Authenticate", "X-Request-Id"),
)
ALLOWED = (
    *("Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"),
    *("Last-Event-ID", "X-Request-Id"),
)
METHODS = ("GET", "HEAD", "POST", "DELETE")
PREFLIGHT_SECONDS = 7200

_EXPOSE = ("Access-Control-Expose-Headers", ", ".join(EXPOSED))
_PREFLIGHT: Headers = (
    ("Access-Control-Allow-Methods", ", ".join(METHODS)),
    ("Access-Control-Allow-Headers", ", ".join(ALLOWED)),
    ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
)
_NOTHING: Headers = ()


class Browsers:
    """Which pages from elsewhere may read answers: those of any origin (`*`), or of those that are named."""

    def __init__(self, origins: str) -> None:
        self._told = {
            origin: (("Access-Control-Allow-Origin", origin), _EXPOSE) for origin in origins.replace(",", " ").split()
        }
        self._otherwise = self._told.get("*", _NOTHING)

    def headers(self, environ: dict[str, Any]) -> Headers:
        """What the answer to a request from a page has; nothing if no page asks, or one that may not read it."""
        origin = environ.get("HTTP_ORIGIN")
        return _NOTHING if origin is None else self._told.get(origin, self._otherwise)

    def preflight(self, environ: dict[str, Any]) -> Headers | None:
        """What a browser is told that asks before it sends what a page wants; None if that is not what it asks."""
        if environ["REQUEST_METHOD"] != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in environ:
            return None
        return _PREFLIGHT if self.headers(environ) else _NOTHING
