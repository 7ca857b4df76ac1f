"""The queue of nudges."""

import logging

from redis import Redis
from redis.exceptions import RedisError
from rq import Queue

NUDGES = "nudges"
JOB_SECONDS_MAX = 600


def nudges(redis: Redis) -> Queue:
    """The queue that workers listen to."""
    return Queue(NUDGES, connection=redis, default_timeout=JOB_SECONDS_MAX)


class Nudger:
    """Puts nudges on the queue. A nudge that is lost is made up for by the sweep."""

    def __init__(self, redis: Redis) -> None:
        self._queue = nudges(redis)

    def nudge(self, game: str) -> None:
        """Ask a worker to do what is due in a game."""
        try:
            self._queue.enqueue_call("workers.jobs.nudge", (game,), result_ttl=0, ttl=60, failure_ttl=3600)
        except RedisError as error:
            logging.getLogger(__name__).warning("nudge lost: game=%s %s", game, error)
