"""The web processes: gunicorn's gevent workers, with time limits for clients and without trust in their headers.

Gunicorn imports this module before gevent patches the standard library. So other parts of the project, and Redis and
TLS with them, are imported where they are needed.
"""

import contextlib
import logging
import os
import secrets
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from socket import SHUT_RD
from typing import TYPE_CHECKING, Any

import gevent
import gevent.event
from gevent.monkey import get_original
from gunicorn.http import errors
from gunicorn.util import write
from gunicorn.workers.ggevent import GeventWorker
from prometheus_client.multiprocess import mark_process_dead

from referee.ops.logs import ClientDataFilter

if TYPE_CHECKING:
    from referee.api.context import Context
    from referee.service.problems import Problem

socket = get_original("socket", "socket")


class TimedBody:
    """The body of a request, which must arrive completely and in time, or the connection is closed."""

    def __init__(self, body: Any, seconds: float, close: Callable[[], None]) -> None:
        self._body = body
        self._seconds = seconds
        self._close = close

    def read(self, size: int = -1) -> bytes:
        """Read at most `size` bytes; raises Problem if the client is too slow, disconnects, or sends invalid chunks."""
        try:
            with gevent.Timeout(self._seconds, TimeoutError()):
                data: bytes = self._body.read(size)
        except TimeoutError:
            self._close()
            raise _problem("body-too-slow", f"The body must arrive within {self._seconds:g} seconds.") from None
        except (errors.ParseException, OSError):
            self._close()
            raise _problem("body-broken", "The body is shorter than Content-Length, or badly chunked.") from None
        return data


class Worker(GeventWorker):
    """Limits what gunicorn does not: the time for a body, and for each part of an answer.

    The limit is `--keep-alive`, which gunicorn applies between requests and to the head of a request.

    No header changes the path or the scheme of a request: gunicorn would accept `SCRIPT_NAME` and the scheme from every
    peer on this host or behind a unix socket, and a client could use them to evade the rules of a proxy.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.cfg.set("forwarder_headers", "")
        self.cfg.set("secure_scheme_headers", {})
        self.cfg.set("header_map", "drop")
        logging.getLogger("gunicorn.error").addFilter(ClientDataFilter())
        # RequestLog already logs every request, without its address and query.
        logging.getLogger("gunicorn.access").disabled = True
        self._idle: set[Any] = set()
        """The connections on which no request is being answered."""
        self._is_draining = False
        self._hurried = gevent.event.Event()

    def init_process(self) -> None:
        """Start the worker, and remove the live metrics of dead ones."""
        os.environ.pop("SCRIPT_NAME", None)
        _remove_dead_metrics(os.environ.get("PROMETHEUS_MULTIPROC_DIR"))
        super().init_process()

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Answer the requests of a connection."""
        self._idle.add(client)
        try:
            super().handle(listener, client, addr)
        finally:
            self._idle.discard(client)

    def run(self) -> None:
        """Answer requests, and announce the rules of this process to the others."""
        gevent.spawn(self._announce)
        super().run()

    def _announce(self) -> None:
        from referee.service.hosts import ANNOUNCE_S

        context = self._context()
        while self.alive and context is not None:
            context.hosts.announce()
            gevent.sleep(ANNOUNCE_S)

    def _context(self) -> "Context | None":
        """The parts of the application; None: it is another one, as in measurements."""
        from referee.api.context import EXTENSION

        found: Context | None = getattr(self.app.callable, "extensions", {}).get(EXTENSION)
        return found

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Stop after a while in which `/readyz` reports 503; at the second signal, at once."""
        if self._is_draining:
            gevent.spawn(self._hurried.set)
        else:
            self._is_draining = True
            gevent.spawn(self._drain, sig, frame)

    def _drain(self, sig: int, frame: Any) -> None:
        context = self._context()
        if context is not None:
            context.draining.set()
            self._hurried.wait(context.drain_seconds)
            context.hosts.leave()
            context.streams.end()
        self._stop(sig, frame)

    def _stop(self, sig: int, frame: Any) -> None:
        """Stop when all requests are answered, without waiting for idle connections."""
        super().handle_exit(sig, frame)
        for connection in tuple(self._idle):
            # What has arrived is still read and answered. Not `connection.shutdown`: gevent would raise in its reader.
            with contextlib.suppress(OSError), socket(fileno=os.dup(connection.fileno())) as twin:
                twin.shutdown(SHUT_RD)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer a request; close the connection if the client does not read the answer in time."""
        self._idle.discard(sock)
        body, seconds = req.body, self.cfg.keepalive
        req.body = TimedBody(body, seconds, req.force_close)
        sock.settimeout(seconds)
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError:
            raise StopIteration from None
        finally:
            req.body = body
            sock.settimeout(None)
            self._idle.add(sock)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer a malformed request, or an error outside of the application, with a problem."""
        if not isinstance(exc, Exception):
            return
        problem, id = _problem_of(exc), secrets.token_hex(8)
        if problem.code == "internal":
            self.log.error("request failed, request=%s", id, exc_info=exc)
        else:
            self.log.warning("malformed request: %s, request=%s", type(exc).__name__, id)
        with contextlib.suppress(OSError):
            write(client, _answer(problem, id))


def _problem(code: str, detail: str) -> "Problem":
    from referee.service.problems import Problem

    return Problem(code, detail)


def _problem_of(error: Exception) -> "Problem":
    """Return the problem for an error outside of the application."""
    match error:
        case errors.InvalidResponseHeader() | errors.InvalidResponseHeaderName() | errors.ConfigurationProblem():
            return _problem("internal", "This should not have happened. The operator's log has the details.")
        case errors.LimitRequestLine():
            return _problem("uri-too-long", "The request line is too long.")
        case errors.LimitRequestHeaders():
            return _problem("headers-too-large", "There are too many headers, or one is too long.")
        case errors.ExpectationFailed():
            return _problem("expectation-failed", "The only supported expectation is 100-continue.")
        case errors.UnsupportedTransferCoding():
            return _problem("transfer-coding", "The only supported transfer coding is chunked.")
        case errors.InvalidRequestLine() | errors.InvalidRequestMethod() | errors.InvalidHTTPVersion():
            return _problem("malformed-request", "The request line is not valid HTTP/1.1.")
        case errors.ParseException():
            return _problem("malformed-request", "A header or a chunk is not valid HTTP/1.1.")
    return _problem("internal", "This should not have happened. The operator's log has the details.")


def _answer(problem: "Problem", request_id: str) -> bytes:
    """Return the bytes of an answer that closes the connection."""
    from referee.api.cors import PRIVATE, SAFE
    from referee.api.problems import problem_answer, status_of

    body, headers = problem_answer(problem, request_id)
    fields = (*headers.items(), *SAFE, PRIVATE, ("X-Request-Id", request_id), ("Content-Length", str(len(body))))
    lines = (f"{name}: {value}" for name, value in (*fields, ("Connection", "close")))
    status = HTTPStatus(status_of(problem))
    return "\r\n".join((f"HTTP/1.1 {status.value} {status.phrase}", *lines, "", "")).encode("latin-1") + body


def _remove_dead_metrics(metrics: str | None) -> None:
    """Remove the live gauges of dead processes from the metrics; their counters stay."""
    for file in Path(metrics).glob("gauge_live*.db") if metrics else ():
        process = int(file.stem.rpartition("_")[2])
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            mark_process_dead(process, metrics)
        except PermissionError:
            continue
