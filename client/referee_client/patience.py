"""When to try again, and when to give up: the same for every call and every stream."""

import random
import time
from collections.abc import Callable

import httpx

from referee_client.calls import Call
from referee_client.problems import Problem, RefereeError, Unreachable, not_a_referee, problem_of

TIMEOUT_S = 20.0
"""How long one attempt of a call may take to connect, to send, or to receive a part of its answer."""

PATIENCE_S = 60.0
"""How long a call is repeated until there is an answer."""

SILENCE_S = 60.0
"""A stream on which not even a heartbeat came for this time is opened again; heartbeats come every 15 seconds."""

PAUSE_S_FIRST = 0.2
PAUSE_S_MAX = 20.0

Notice = Callable[[RefereeError, float], None]
"""What is called before a pause: with its reason, and its seconds."""

PASSING = (429, 502, 503, 504)
"""Statuses that say: not now."""

DID_NOTHING = ("too-busy", "rules-elsewhere", "packed-elsewhere", "archive-unavailable")
"""Problems before which nothing was changed: even a call that is not repeatable can be repeated after them."""


def quiet(reason: RefereeError, pause: float) -> None:
    """Say nothing."""


class Attempts:
    """Counts the attempts of one call, and returns the pause before the next."""

    def __init__(self, call: Call, patience_s: float, notice: Notice = quiet) -> None:
        self._call = call
        self._notice = notice
        self._number = 0
        self._gives_up_at = time.monotonic() + patience_s

    def pause_after_answer(self, answer: httpx.Response) -> float | None:
        """Return None if the answer is good, or the seconds before the next attempt; raises what the answer reports."""
        status = answer.status_code
        if 200 <= status < 300:
            return None
        problem = problem_of(answer)
        if status not in PASSING or not (self._call.is_repeatable or did_nothing(problem)):
            raise problem
        return self._pause(problem, retry_after(answer))

    def pause_after_failure(self, failure: httpx.TransportError) -> float:
        """Return the seconds before the next attempt; raises Unreachable if there should be none."""
        sentence = failed(failure)
        if not self._call.is_repeatable and not isinstance(failure, (httpx.ConnectError, httpx.ConnectTimeout)):
            raise Unreachable(f"{sentence} It is unknown whether {self._call.method} {self._call.path} took effect.")
        return self._pause(Unreachable(sentence), 0)

    def _pause(self, reason: RefereeError, at_least: float) -> float:
        pause = max(at_least, backoff(self._number))
        self._number += 1
        if time.monotonic() + pause > self._gives_up_at:
            raise reason
        self._notice(reason, pause)
        return pause


class Reconnections:
    """Counts the consecutive failed connections of a stream, and returns the pause before the next."""

    def __init__(self, patience_s: float | None, notice: Notice = quiet) -> None:
        self._patience_s = patience_s
        self._notice = notice
        self._number = 0
        self._failing_since: float | None = None

    def opened(self) -> None:
        """Note that the service accepted the connection."""
        self._failing_since = None

    def received(self) -> None:
        """Note that a message came: the next pause is short again."""
        self._number = 0

    def pause_after_answer(self, answer: httpx.Response) -> float:
        """Return the seconds before the next connection; raises what the answer reports if it will not change."""
        if answer.status_code < 300:
            raise not_a_referee(answer)
        problem = problem_of(answer)
        if answer.status_code not in PASSING:
            raise problem
        return self._pause(problem, retry_after(answer))

    def pause_after_failure(self, failure: httpx.TransportError | None) -> float:
        """Return the seconds before the next connection; None: the service closed the stream."""
        return self._pause(Unreachable(failed(failure)) if failure else Unreachable("The stream was closed."), 0)

    def _pause(self, reason: RefereeError, at_least: float) -> float:
        now = time.monotonic()
        self._failing_since = now if self._failing_since is None else self._failing_since
        if self._patience_s is not None and now - self._failing_since > self._patience_s:
            raise reason
        pause = max(at_least, backoff(self._number))
        self._number += 1
        self._notice(reason, pause)
        return pause


def did_nothing(problem: RefereeError) -> bool:
    """Whether the call that met this problem certainly changed nothing."""
    return isinstance(problem, Problem) and (problem.status == 429 or problem.code in DID_NOTHING)


def backoff(number: int) -> float:
    """Return a pause that doubles with each attempt, with jitter, so that many clients do not return at once."""
    return random.uniform(0.5, 1) * min(PAUSE_S_MAX, PAUSE_S_FIRST * 2.0 ** min(number, 10))


def retry_after(answer: httpx.Response) -> float:
    """Return the seconds that the service asks to wait."""
    text = answer.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0.0


def failed(failure: httpx.TransportError) -> str:
    """Return a sentence about a connection that failed."""
    request = failure._request
    where = "" if request is None else f" {request.url.scheme}://{request.url.netloc.decode()}"
    return f"The service at{where} cannot be reached: {failure or type(failure).__name__}."
