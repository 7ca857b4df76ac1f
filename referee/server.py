"""The web processes: gunicorn's gevent workers, in which no client takes more than its time or is taken at its word."""

import contextlib
import logging
import os
import secrets
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

import gevent
from gunicorn.http import errors
from gunicorn.util import write
from gunicorn.workers.ggevent import GeventWorker
from prometheus_client.multiprocess import mark_process_dead

from referee.logs import ClientDataFilter
from referee.service.problems import Problem


class Patient:
    """The body of a request, which has to arrive in time, and whole; if it does not, the connection ends."""

    def __init__(self, body: Any, seconds: float, hang_up: Callable[[], None]) -> None:
        self._body = body
        self._seconds = seconds
        self._hang_up = hang_up

    def read(self, size: int = -1) -> bytes:
        """So many bytes; raises a problem if the client is too slow, hangs up, or sends chunks that are none."""
        try:
            with gevent.Timeout(self._seconds, TimeoutError()):
                data: bytes = self._body.read(size)
        except TimeoutError:
            self._hang_up()
            raise Problem(408, "body-too-slow", f"A body arrives within {self._seconds:g} seconds.") from None
        except (errors.ParseException, OSError):
            self._hang_up()
            raise Problem(400, "body-broken", "The body does not come to its end as its headers say.") from None
        return data


class Worker(GeventWorker):
    """Bounds what gunicorn leaves open: the time for a body, and for each part of an answer.

    Between requests, and for the head of one, gunicorn itself waits no longer than `--keep-alive`; here it is as long.

    No header changes which path is asked for or what a request is: gunicorn would take `SCRIPT_NAME` and the scheme
    from every peer on this host or behind a unix socket, and with them a client could walk around a proxy's rules.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.cfg.set("forwarder_headers", "")
        self.cfg.set("secure_scheme_headers", {})
        self.cfg.set("header_map", "drop")
        logging.getLogger("gunicorn.error").addFilter(ClientDataFilter())
        # Every request has a line of ours already, without its address and query.
        logging.getLogger("gunicorn.access").disabled = True

    def init_process(self) -> None:
        """Take the place of a process that has died: what it held is not held any more."""
        os.environ.pop("SCRIPT_NAME", None)
        _forget_the_dead(os.environ.get("PROMETHEUS_MULTIPROC_DIR"))
        super().init_process()

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer a request; a client that does not take its answer is hung up on."""
        body, seconds = req.body, self.cfg.keepalive
        req.body = Patient(body, seconds, req.force_close)
        sock.settimeout(seconds)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            raise StopIteration from None
        finally:
            req.body = body
            sock.settimeout(None)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer what cannot be read as a request, and what went wrong outside of the application."""
        if not isinstance(exc, Exception):
            return
        problem, id = _problem_of(exc), secrets.token_hex(8)
        if problem.status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log.error("a request failed, request=%s", id, exc_info=exc)
        else:
            self.log.warning("a request cannot be read: %s, request=%s", type(exc).__name__, id)
        with contextlib.suppress(OSError):
            write(client, _answer(problem, id))


def _problem_of(error: Exception) -> Problem:
    """What a fault outside of the application means to the client."""
    match error:
        case errors.InvalidResponseHeader() | errors.InvalidResponseHeaderName() | errors.ConfigurationProblem():
            return Problem(500, "internal", "This should not have happened; the log knows more.")
        case errors.LimitRequestLine():
            return Problem(414, "malformed-request", "The request line is too long.")
        case errors.LimitRequestHeaders():
            return Problem(431, "malformed-request", "The headers are too many or too long.")
        case errors.ExpectationFailed():
            return Problem(417, "malformed-request", "The only expectation that is met is 100-continue.")
        case errors.UnsupportedTransferCoding():
            return Problem(501, "malformed-request", "The only transfer coding is chunked.")
        case errors.InvalidRequestLine() | errors.InvalidRequestMethod() | errors.InvalidHTTPVersion():
            return Problem(400, "malformed-request", "The request line is not that of HTTP/1.1.")
        case errors.ParseException():
            return Problem(400, "malformed-request", "A header or a chunk is not as HTTP/1.1 wants it.")
    return Problem(500, "internal", "This should not have happened; the log knows more.")


def _answer(problem: Problem, request_id: str) -> bytes:
    """The bytes of an answer after which the connection ends."""
    # Not before the worker has patched what the web framework is built on.
    from referee.api.browsers import PRIVATE, SAFE
    from referee.api.problems import problem_answer

    body, headers = problem_answer(problem, request_id)
    said = (*headers.items(), *SAFE, PRIVATE, ("X-Request-Id", request_id), ("Content-Length", str(len(body))))
    lines = (f"{name}: {value}" for name, value in (*said, ("Connection", "close")))
    status = HTTPStatus(problem.status)
    return "\r\n".join((f"HTTP/1.1 {status.value} {status.phrase}", *lines, "", "")).encode("latin-1") + body


def _forget_the_dead(metrics: str | None) -> None:
    """Let the metrics no longer tell what processes hold that are gone; what they have counted stays."""
    for file in Path(metrics).glob("gauge_live*.db") if metrics else ():
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            mark_process_dead(process, metrics)
        except PermissionError:
            continue
