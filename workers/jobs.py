"""The jobs: a few lines each."""

from functools import cache

from referee.service import nudges
from referee.service.desk import Desk
from referee.settings import read_settings
from referee.wiring import connect, make_desk
from workers.queues import Nudger


@cache
def nudger() -> Nudger:
    """How this process asks for further work."""
    return Nudger(connect(read_settings().queue_url))


@cache
def desk() -> Desk:
    """The desk of this process."""
    settings = read_settings()
    return make_desk(settings, connect(settings.redis_url), nudger().nudge)


def nudge(game: str) -> int:
    """Do what the referee owes in a game, then call its bots; harmless if it is done already, or early, or twice."""
    return nudges.run(desk(), game, nudger().call_bots)


def play_bots(game: str) -> int:
    """Carry a game on, its bots included, for a while; what is left then stands at the end of the queue."""
    nudger().taken_up(game)
    return nudges.run(desk(), game, nudger().call_bots, bots_for_s=nudges.BOTS_AT_ONCE_S)
