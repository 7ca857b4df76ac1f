"""For those who run the service: health, readiness, metrics, and a line in the log for every request."""

import logging
import os
import re
import secrets
import time
from functools import cache
from typing import Any

from flask import Blueprint, Flask, Response, g, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

from referee.api.browsers import PRIVATE, SAFE, Headers
from referee.api.context import Context, caller, context
from referee.api.gate import rate_headers, too_many
from referee.api.problems import TITLES
from referee.api.routing import ENDPOINTS, answer, endpoint
from referee.logs import log_line
from referee.service.limits import Standing
from referee.service.players import KEY_PREFIX, NOBODY, Caller
from referee.service.problems import Problem
from referee.service.store import Unavailable
from referee.service.titles import all_rules
from schemas.endpoint import Endpoint

blueprint = Blueprint("operation", __name__)

_log = logging.getLogger("referee.requests")
_KEY = re.compile(rf"{KEY_PREFIX}_\w+")
_REQUEST_ID = re.compile(r"^[\w.-]{1,64}$", re.ASCII)

HELD_BACK_S = 0.1
"""One call too many is refused so much later: who waits for answers cannot flood, and nobody else waits longer."""

REQUESTS = Counter("referee_requests_total", "Requests by call and status.", ["call", "status"])
SECONDS = Histogram(
    "referee_request_seconds",
    "How long a call took.",
    ["call"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
STREAMS = Gauge("referee_streams", "Open event streams.", multiprocess_mode="livesum")


@endpoint(blueprint, "GET", "/healthz", answers={200: "Health"}, limited=False)
def get_health() -> Response:
    """Tell that the process lives."""
    return answer({"status": "alive"})


@endpoint(blueprint, "GET", "/readyz", answers={200: "Health"}, problems=(503,), limited=False)
def get_readiness() -> Response:
    """Tell whether the referee can work: its log can be reached and takes writes, as of the last second."""
    context().readiness.check()
    return answer({"status": "ready", "rulesets": [rules.slug for rules in all_rules()]})


@endpoint(blueprint, "GET", "/metrics", answers={200: "Metrics"}, media=("text/plain",))
def get_metrics() -> Response:
    """Read the metrics of all web processes, for Prometheus."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
    return Response(generate_latest(), content_type=CONTENT_TYPE_LATEST)


@endpoint(blueprint, "GET", "/problems/<code>", answers={200: "ProblemKind"}, lasting=True)
def get_problem(code: str) -> Response:
    """Read what a problem's code means."""
    if code not in TITLES:
        raise Problem(404, "not-found", f"There is no problem `{code}`.")
    return answer({"code": code, "title": TITLES[code]})


class Noted:
    """What is noted of a request while it is answered."""

    __slots__ = ("began", "caller", "player", "request_id", "standings")

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.began = time.perf_counter()
        self.caller = NOBODY
        self.player: str | None = None
        self.standings: tuple[Standing, ...] = ()

    def counted(self, standing: Standing | None) -> None:
        """Note how the caller stands after a call was counted; raises a problem for one too many."""
        if standing is not None:
            self.standings += (standing,)
            if standing.is_exceeded:
                time.sleep(HELD_BACK_S)
                raise too_many(standing)

    def end(self, call: str, method: str, path: str, status: int) -> None:
        """Count the request and write it into the log."""
        seconds = time.perf_counter() - self.began
        _counter(call, status).inc()
        _timer(call).observe(seconds)
        if _log.isEnabledFor(logging.INFO):
            told = f"{method} {printable(path)} {status} {seconds * 1000:.1f}ms"
            log_line(_log.name, f"{told} request={self.request_id} player={self.player}")


def printable(path: str) -> str:
    """A path for the log: without keys, and without line breaks and other signs that could forge a line."""
    if KEY_PREFIX in path:
        path = _KEY.sub(f"{KEY_PREFIX}_***", path)
    return path if path.isascii() and path.isprintable() else ascii(path)


@cache
def _counter(call: str, status: int) -> Counter:
    return REQUESTS.labels(call, str(status))


@cache
def _timer(call: str) -> Histogram:
    return SECONDS.labels(call)


def begin(environ: dict[str, Any]) -> Noted:
    """Note the beginning of a request; its id is the caller's, if that one is sane."""
    given: str | None = environ.get("HTTP_X_REQUEST_ID")
    return Noted(given if given is not None and _REQUEST_ID.match(given) else secrets.token_hex(8))


_COMMON: Headers = (*SAFE, PRIVATE)


def request_headers(noted: Noted, parts: Context, environ: dict[str, Any]) -> Headers:
    """The headers that every answer has, unless it has its own."""
    return (
        ("X-Request-Id", noted.request_id),
        *_COMMON,
        *rate_headers(noted.standings),
        *parts.browsers.headers(environ),
    )


def _begin() -> Response | None:
    g.noted = begin(request.environ)
    g.request_id = g.noted.request_id
    told = context().browsers.preflight(request.environ)
    if told is not None:
        return Response(status=204, headers=list(told))
    if request.environ["PATH_INFO"].startswith("//"):
        # Flask would drop the second slash, and with it the rule that a proxy has for the path without it.
        raise Problem(404, "not-found", TITLES["not-found"])
    if request.endpoint not in unlimited():
        call = _calls().get(request.endpoint or "")
        cost = 1 if call is None else call.cost_of(request.args)
        g.noted.counted(context().gate.count(request.environ, _known_caller(), cost))
    return None


@cache
def unlimited() -> frozenset[str]:
    """The views that are not counted when they are called: those for operators, and moves, which count themselves."""
    return frozenset(f"{call.tag}.{call.name}" for call in ENDPOINTS if not call.limited or call.name == "submit_move")


@cache
def _calls() -> dict[str, Endpoint]:
    return {f"{call.tag}.{call.name}": call for call in ENDPOINTS}


def _known_caller() -> Caller:
    """Who asks; nobody in particular, if the key is not good or cannot be looked up: whoever needs it will say so."""
    try:
        return caller()
    except (Problem, Unavailable):
        return NOBODY


def _end(response: Response) -> Response:
    if "noted" not in g:
        return response
    g.noted.player = g.caller.player if "caller" in g else None
    for name, value in request_headers(g.noted, context(), request.environ):
        response.headers.setdefault(name, value)
    g.noted.end(request.endpoint or "unknown", request.method, request.path, response.status_code)
    return response


def install(app: Flask) -> None:
    """Note and count every request."""
    app.before_request(_begin)
    app.after_request(_end)
    app.register_blueprint(blueprint)
