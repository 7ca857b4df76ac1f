"""For operators: health, readiness, metrics, and a log line for every request."""

import logging
import os
import re
import secrets
import time
from functools import cache
from typing import Any

from flask import Blueprint, Flask, Response, g, request
from msgspec import UNSET
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

from referee.api.context import Context, caller, context
from referee.api.cors import PRIVATE, SAFE, Headers
from referee.api.gate import rate_headers, too_many_calls
from referee.api.routing import ENDPOINTS, answer, endpoint
from referee.ops.logs import log_request
from referee.service.catalogue import all_rules
from referee.service.limits import Quota
from referee.service.players import KEY_PREFIX, NOBODY, Caller
from referee.service.problems import Problem, Unavailable
from schemas.answers import Health, ProblemKind, Shard
from schemas.endpoint import Endpoint
from schemas.problems import PROBLEMS

blueprint = Blueprint("operation", __name__)

_log = logging.getLogger("referee.requests")
_KEY = re.compile(rf"{KEY_PREFIX}_\w+")
_REQUEST_ID = re.compile(r"^[\w.-]{1,64}$", re.ASCII)

REFUSAL_DELAY_S = 0.1
"""The delay of a 429 response, which slows down a client that waits for answers and nobody else."""

REQUESTS = Counter("referee_requests_total", "Requests by call and status.", ["call", "status"])
SECONDS = Histogram(
    "referee_request_seconds",
    "Duration of calls.",
    ["call"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
STREAMS = Gauge("referee_streams", "Open event streams.", multiprocess_mode="livesum")
SHARD_UP = Gauge(
    "referee_shard_up", "1 if the slots of the log take writes.", ["slots"], multiprocess_mode="mostrecent"
)
LONG_POLLS = Counter("referee_long_polls_total", "Long polls that began to wait for a commit.")


@endpoint(blueprint, "GET", "/healthz", answers={200: "Health"}, limited=False)
def get_health() -> Response:
    """Check that the process is alive.

    The answer does not depend on the log.
    """
    return answer(Health("alive"))


@endpoint(blueprint, "GET", "/readyz", answers={200: "Health"}, problems=(503,), limited=False)
def get_readiness() -> Response:
    """Check that the service can work.

    It can if its log was reachable and took writes within the last second, and if this process is not about to stop. Of
    a log on a cluster one shard is enough; `shards` says which are `up`, `unconfirmed` (too few replicas) or `down`.
    `alarm` is `log-rolled-back` if the service no longer signs the transparency log, and `log-unwitnessed` if too few
    witnesses cosign its checkpoints; games go on meanwhile.
    """
    if context().draining.is_set():
        raise Problem("unavailable", "This process is about to stop. Send requests to another one.", retry_after=1)
    found = context().readiness.check()
    shards = tuple(Shard(slots, state) for slots, state in found.items())
    for shard in shards:
        SHARD_UP.labels(shard.slots).set(shard.state == "up")
    slugs = tuple([rules.slug for rules in all_rules()])
    return answer(Health("ready", slugs, context().log.alarm() or UNSET, shards or UNSET))


@endpoint(blueprint, "GET", "/metrics", answers={200: "Metrics"}, media=("text/plain",))
def get_metrics() -> Response:
    """Read the metrics of all web processes.

    The format is that of Prometheus.
    """
    context().log.measure()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
    return Response(generate_latest(), content_type=CONTENT_TYPE_LATEST)


@endpoint(blueprint, "GET", "/problems/<code>", answers={200: "ProblemKind"}, lasting=True)
def get_problem(code: str) -> Response:
    """Read what a problem code means.

    The `type` of every problem leads here.
    """
    if code not in PROBLEMS:
        raise Problem("not-found", f"There is no problem `{code}`.")
    return answer(ProblemKind(code, PROBLEMS[code].title))


class RequestLog:
    """What the service remembers of a request for its log line, its metrics and the headers of its answer."""

    __slots__ = ("began", "caller", "player", "quotas", "request_id")

    def __init__(self, request_id: str) -> None:
        self.request_id = request_id
        self.began = time.perf_counter()
        self.caller = NOBODY
        self.player: str | None = None
        self.quotas: tuple[Quota, ...] = ()

    def use(self, quota: Quota | None) -> None:
        """Remember the quota of a counted call for the headers; raises Problem if it is exceeded."""
        if quota is not None:
            self.quotas += (quota,)
            if quota.is_exceeded:
                time.sleep(REFUSAL_DELAY_S)
                raise too_many_calls(quota)

    def end(self, call: str, method: str, path: str, status: int) -> None:
        """Count the request in the metrics, and log it."""
        seconds = time.perf_counter() - self.began
        _counter(call, status).inc()
        _timer(call).observe(seconds)
        if _log.isEnabledFor(logging.INFO):
            ids = {"request": self.request_id, "player": self.player}
            log_request(_log.name, method, printable(path), status, seconds * 1000, **ids)


def printable(path: str) -> str:
    """Return a path for the log, without keys, and with control characters escaped so that it cannot forge a line."""
    if KEY_PREFIX in path:
        path = _KEY.sub(f"{KEY_PREFIX}_***", path)
    return path if path.isascii() and path.isprintable() else ascii(path)


@cache
def _counter(call: str, status: int) -> Counter:
    return REQUESTS.labels(call, str(status))


@cache
def _timer(call: str) -> Histogram:
    return SECONDS.labels(call)


def begin(environ: dict[str, Any]) -> RequestLog:
    """Start the log of a request, with the id that the caller sent if it is valid."""
    given: str | None = environ.get("HTTP_X_REQUEST_ID")
    return RequestLog(given if given is not None and _REQUEST_ID.match(given) else secrets.token_hex(8))


_COMMON: Headers = (*SAFE, PRIVATE)


def request_headers(request_log: RequestLog, context: Context, environ: dict[str, Any]) -> Headers:
    """Return the headers of every answer that does not set them itself."""
    return (
        ("X-Request-Id", request_log.request_id),
        ("X-Server-Time", str(time.time_ns() // 1_000_000)),
        *_COMMON,
        *rate_headers(request_log.quotas),
        *context.cors.headers(environ),
    )


def _begin() -> Response | None:
    g.request_log = begin(request.environ)
    g.request_id = g.request_log.request_id
    preflight = context().cors.preflight(request.environ)
    if preflight is not None:
        return Response(status=204, headers=list(preflight))
    if request.environ["PATH_INFO"].startswith("//"):
        # Flask would drop the second slash, and the request would evade a proxy's rule for the path.
        raise Problem("not-found", PROBLEMS["not-found"].title)
    if request.endpoint not in unlimited():
        call = _calls().get(request.endpoint or "")
        cost = 1 if call is None else call.cost_of(request.args)
        g.request_log.use(context().rate_gate.count(request.environ, _known_caller(), cost))
    return None


@cache
def unlimited() -> frozenset[str]:
    """Return the views whose calls are not counted here: those for operators, and moves, which are counted later."""
    return frozenset(f"{call.tag}.{call.name}" for call in ENDPOINTS if not call.limited or call.name == "submit_move")


@cache
def _calls() -> dict[str, Endpoint]:
    return {f"{call.tag}.{call.name}": call for call in ENDPOINTS}


def _known_caller() -> Caller:
    """Return the caller, or nobody if the key is invalid or cannot be looked up; a view that needs it refuses."""
    try:
        return caller()
    except (Problem, Unavailable):
        return NOBODY


def _end(response: Response) -> Response:
    if "request_log" not in g:
        return response
    g.request_log.player = g.caller.player if "caller" in g else None
    for name, value in request_headers(g.request_log, context(), request.environ):
        response.headers.setdefault(name, value)
    g.request_log.end(request.endpoint or "unknown", request.method, request.path, response.status_code)
    return response


def install(app: Flask) -> None:
    """Log and count every request."""
    app.before_request(_begin)
    app.after_request(_end)
    app.register_blueprint(blueprint)
