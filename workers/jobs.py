"""What each kind of job does with a game."""

import logging
from collections.abc import Callable
from functools import cache

from prometheus_client import Counter
from redis.exceptions import RedisError
from rq.timeouts import JobTimeoutException, TimerDeathPenalty

from referee.service import nudges
from referee.service.audits import make_audit
from referee.service.packing import pack_if_due
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.settings import read_settings
from referee.wiring import connect, make_repository
from workers.nudger import Nudger
from workers.queues import AUDITS, BOTS, NUDGES, QUICK_BOTS, GamesJob

GAME_SECONDS_MAX = 600
"""The time limit for the work on one game."""

ELSEWHERE_MS = 100
"""A game whose rules this worker does not have is queued again after this time, for another worker."""

UNAVAILABLE = Counter("referee_audits_unavailable_total", "Games whose audit could not be made.")

_log = logging.getLogger(__name__)


@cache
def nudger() -> Nudger:
    """The nudger of this process, which queues further work."""
    return Nudger(connect(read_settings().queue_url))


@cache
def repository() -> Repository:
    """The repository of this process."""
    settings = read_settings()
    return make_repository(settings, connect(settings.redis_url), nudger().nudge)


def nudge(game: str) -> None:
    """Do what the referee owes in a game, then call its bots. An early or repeated call does no harm."""
    nudges.run(repository(), game, nudger())


def play_quick_bots(game: str) -> None:
    """Continue a game with bots that do not think, for a while; if it does not come to rest, it is queued again."""
    nudges.run(repository(), game, nudger(), nudges.QUICK_BOTS_AT_ONCE_S, may_think=False)


def play_bots(game: str) -> None:
    """Continue a game with all its bots, for a while; if it does not come to rest, it is queued again."""
    nudges.run(repository(), game, nudger(), nudges.BOTS_AT_ONCE_S)


def audit(game: str) -> None:
    """Audit a game that is over, unless that has been done, and pack it when it is time."""
    found = repository().game(game)
    outcome = make_audit(repository(), found)
    if outcome == "given up":
        UNAVAILABLE.inc()
    if outcome == "nothing to do" and repository().log.audit(game) is not None:
        pack_if_due(repository(), found)


KINDS: dict[str, Callable[[str], None]] = {
    NUDGES: nudge,
    QUICK_BOTS: play_quick_bots,
    BOTS: play_bots,
    AUDITS: audit,
}


def carry_out(job: GamesJob) -> None:
    """Do the work of a job, game by game; a failure in one game does not affect the others."""
    try:
        nudger().taken(job)
        for game in job.games:
            _try(job.kind, game)
    except RedisError as error:
        _log.warning("%s lost: %s", job.kind, error)


def _try(kind: str, game: str) -> None:
    try:
        with TimerDeathPenalty(GAME_SECONDS_MAX, JobTimeoutException):
            KINDS[kind](game)
    except RedisError:
        raise
    except Problem as problem:
        if problem.code == "rules-elsewhere":
            repository().log.wake(game, now_ms() + ELSEWHERE_MS)
        _log.warning("%s failed: game=%s %s", kind, game, problem.detail)
    except Exception:
        _log.exception("%s failed: game=%s", kind, game)
