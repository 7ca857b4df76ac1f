"""The context of a request: the parts of the application, and the caller."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from flask import current_app, g, request

from referee.api.cors import Cors
from referee.api.gate import RateGate
from referee.api.readiness import Readiness
from referee.api.streams import Streams
from referee.service.hosts import Hosts
from referee.service.log import PublicLog
from referee.service.players import NOBODY, Caller, Keyring
from referee.service.problems import Problem
from referee.service.receipts import Receipts
from referee.service.repository import Repository

EXTENSION = "referee"


class Releases(Protocol):
    """Where the files of the page are kept for browsers that got its shell before a deploy."""

    def keep(self, release: str, files: Mapping[str, bytes]) -> bool:
        """Keep the files of a release; false: not now."""

    def find(self, release: str, name: str) -> bytes | None:
        """A file of a release; None: it is not kept."""


@dataclass(frozen=True)
class Context:
    """The parts of the application."""

    repository: Repository
    keyring: Keyring
    streams: Streams
    cors: Cors
    rate_gate: RateGate
    readiness: Readiness
    releases: Releases
    log: PublicLog
    receipts: Receipts | None
    """None: the service signs none."""
    hosts: Hosts
    drain_seconds: float
    open_registration: bool
    body_bytes_max: int
    wait_seconds_max: int
    draining: threading.Event = field(default_factory=threading.Event)
    """Set when the process is about to stop, and should get no more requests."""


def context() -> Context:
    """Return the parts of the running application."""
    found: Context = current_app.extensions[EXTENSION]
    return found


def repository() -> Repository:
    """Return the repository of the running application."""
    return context().repository


def caller() -> Caller:
    """Return the caller of the current request."""
    if "caller" not in g:
        g.caller = caller_of(context(), request.environ)
    found: Caller = g.caller
    return found


def caller_of(context: Context, environ: dict[str, Any], again: bool = False) -> Caller:
    """Return who sends a request; with `again` the key is looked up even if this process has just done so."""
    authorization: str | None = environ.get("HTTP_AUTHORIZATION")
    if authorization is None:
        return NOBODY
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise Problem("key-malformed", "Expected the header `Authorization: Bearer <key>`.")
    return context.keyring.caller(token.strip(), again)
