"""Response headers for browsers: security headers, and CORS headers for pages from other origins.

Keys travel in `Authorization`, never in cookies. So a page from another origin can do no more than a caller without a
key, unless its user gave it one. Any origin may read answers, but never with credentials that the browser adds itself.
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
"""The headers of every answer that does not set them itself."""

PRIVATE = ("Cache-Control", "no-store")
"""The `Cache-Control` of an answer that does not set one."""

LASTING = "public, max-age=60"
"""The `Cache-Control` of answers that are the same for every caller."""

EXPOSED = (
    *("ETag", "Location", "Link", "Preference-Applied", "Retry-After", "RateLimit", "RateLimit-Policy"),
    *("Allow", "Content-Disposition", "WWW-Authenticate", "X-Request-Id", "X-Server-Time"),
)
ALLOWED = (
    *("Accept-Language", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match"),
    *("Last-Event-ID", "Prefer", "X-Request-Id"),
)
METHODS = ("GET", "HEAD", "POST", "DELETE")
PREFLIGHT_SECONDS = 7200

_EXPOSE = ("Access-Control-Expose-Headers", ", ".join(EXPOSED))
_PREFLIGHT: Headers = (
    ("Access-Control-Allow-Methods", ", ".join(METHODS)),
    ("Access-Control-Allow-Headers", ", ".join(ALLOWED)),
    ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
)
_NONE: Headers = ()


class Cors:
    """Sets CORS headers for the allowed origins, or for any origin (`*`)."""

    def __init__(self, origins: str) -> None:
        self._allowed = {
            origin: (("Access-Control-Allow-Origin", origin), _EXPOSE) for origin in origins.replace(",", " ").split()
        }
        self._default = self._allowed.get("*", _NONE)

    def headers(self, environ: dict[str, Any]) -> Headers:
        """Return the CORS headers of an answer; none without an origin, or if it may not read the answer."""
        origin = environ.get("HTTP_ORIGIN")
        return _NONE if origin is None else self._allowed.get(origin, self._default)

    def preflight(self, environ: dict[str, Any]) -> Headers | None:
        """Return the headers of the answer to a preflight request; None if the request is none."""
        if environ["REQUEST_METHOD"] != "OPTIONS" or "HTTP_ACCESS_CONTROL_REQUEST_METHOD" not in environ:
            return None
        return _PREFLIGHT if self.headers(environ) else _NONE
