"""What a request works with."""

from dataclasses import dataclass
from typing import Any

from flask import current_app, g, request

from referee.api.browsers import Browsers
from referee.api.gate import Gate
from referee.api.readiness import Readiness
from referee.api.streams import Streams
from referee.service.desk import Desk
from referee.service.players import NOBODY, Caller, Keyring
from referee.service.problems import Problem

EXTENSION = "referee"


@dataclass(frozen=True)
class Context:
    """The parts of the application."""

    desk: Desk
    keyring: Keyring
    streams: Streams
    browsers: Browsers
    gate: Gate
    readiness: Readiness
    open_registration: bool
    body_bytes_max: int
    wait_seconds_max: int


def context() -> Context:
    """The parts of the running application."""
    found: Context = current_app.extensions[EXTENSION]
    return found


def desk() -> Desk:
    """The way to the games."""
    return context().desk


def caller() -> Caller:
    """Who asks."""
    if "caller" not in g:
        g.caller = caller_of(context(), request.environ)
    found: Caller = g.caller
    return found


def caller_of(parts: Context, environ: dict[str, Any], again: bool = False) -> Caller:
    """Who sends a request; `again` looks the key up even if this process has just done so."""
    authorization: str | None = environ.get("HTTP_AUTHORIZATION")
    if authorization is None:
        return NOBODY
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Problem(401, "key-malformed", "Expected: Authorization: Bearer <key>.")
    return parts.keyring.caller(token.strip(), again)
