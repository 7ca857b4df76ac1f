"""The jobs: a few lines each."""

from functools import cache

from referee.service import nudges
from referee.service.desk import Desk
from referee.settings import read_settings
from referee.wiring import connect, make_desk
from workers.queues import Nudger


@cache
def desk() -> Desk:
    """The desk of this process."""
    settings = read_settings()
    return make_desk(settings, connect(settings.redis_url), Nudger(connect(settings.queue_url)).nudge)


def nudge(game: str) -> int:
    """Do what is due in a game; harmless if it is done already, or early, or twice."""
    return nudges.run(desk(), game)
