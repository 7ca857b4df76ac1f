"""The queues: what the referee owes, and what its bots owe, so that a thinking bot keeps no clock waiting."""

import logging

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue

from referee.service.commits import PATIENCE_MS
from referee.service.nudges import CALLED_MS

NUDGES = "nudges"
BOTS = "bots"
QUEUES = (NUDGES, BOTS)
"""In the order in which a worker that listens to both looks at them."""

JOB_SECONDS_MAX = 600
QUEUED_SECONDS_MAX = 60
"""A job that nobody took up so long is forgotten; the sweep makes up for it."""

ASKED_MS = CALLED_MS - PATIENCE_MS
"""So long a call that nobody took up keeps others away: it is over when the bots are to be called again."""


def queue(redis: Redis, name: str = NUDGES) -> Queue:
    """A queue that workers listen to."""
    return Queue(name, connection=redis, default_timeout=JOB_SECONDS_MAX)


class Nudger:
    """Puts jobs on the queues. One that is lost is made up for by the sweep."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queues = {name: queue(redis, name) for name in QUEUES}

    def nudge(self, game: str) -> None:
        """Ask a worker to do what is due in a game."""
        self._enqueue(NUDGES, "workers.jobs.nudge", game)

    def call_bots(self, game: str) -> None:
        """Ask a worker to let the bots of a game move, unless that was asked a moment ago."""
        try:
            if self._redis.set(_asked(game), 1, nx=True, px=ASKED_MS):
                self._enqueue(BOTS, "workers.jobs.play_bots", game)
        except RedisError as error:
            _log_lost(game, error)

    def taken_up(self, game: str) -> None:
        """From now on the bots of a game may be called again."""
        self._redis.delete(_asked(game))

    def _enqueue(self, name: str, job: str, game: str) -> None:
        try:
            self._queues[name].enqueue_call(job, (game,), result_ttl=0, ttl=QUEUED_SECONDS_MAX, failure_ttl=3600)
        except RedisError as error:
            _log_lost(game, error)


def _asked(game: str) -> str:
    return f"bots-asked:{game}"


def _log_lost(game: str, error: RedisError) -> None:
    logging.getLogger(__name__).warning("nudge lost: game=%s %s", game, error)
