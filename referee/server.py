"""The web processes: gunicorn's gevent workers, in which no client takes more than its time."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gevent
from gunicorn.http.errors import ParseException
from gunicorn.workers.ggevent import GeventWorker
from prometheus_client.multiprocess import mark_process_dead

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
        except (ParseException, OSError):
            self._hang_up()
            raise Problem(400, "body-broken", "The body does not come to its end as its headers say.") from None
        return data


class Worker(GeventWorker):
    """Bounds what gunicorn leaves open: the time for a body, and for each part of an answer.

    Between requests, and for the head of one, gunicorn itself waits no longer than `--keep-alive`; here it is as long.
    """

    def init_process(self) -> None:
        """Take the place of a process that has died: what it held is not held any more."""
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
