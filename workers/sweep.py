"""The sweep: nudges every game on which something is due by the clock or was left undone."""

import logging
import os
import select
import signal

from redis.exceptions import RedisError

from referee.logs import set_up_logs
from referee.service.desk import Desk, now_ms
from referee.service.problems import Problem
from referee.settings import read_settings
from referee.wiring import connect, make_desk
from workers.packing import Nudger
from workers.queues import NUDGES

GAMES_AT_ONCE = 1000
RETRY_MS = 1000
"""A game that was nudged is left alone for so long."""


def sweep(desk: Desk, period_ms: int) -> int:
    """Nudge every game whose time has come; gives the milliseconds until the next look."""
    now = now_ms()
    following = now + period_ms
    for game, at in desk.log.wakeful(following, GAMES_AT_ONCE):
        if at > now:
            following = min(following, at)
        else:
            desk.log.wake(game, now + RETRY_MS)
            _nudge(desk, game)
    return max(1, following - now_ms())


def _nudge(desk: Desk, game: str) -> None:
    try:
        desk.nudge(game)
    except Problem:
        desk.log.wake(game, None)


def look(desk: Desk, nudger: Nudger, period_ms: int) -> int:
    """Sweep, unless those that are to be nudged wait already; gives the milliseconds until the next look."""
    nudger.tend()
    return period_ms if nudger.is_behind(NUDGES) else sweep(desk, period_ms)


def main() -> None:
    """Sweep until a signal comes."""
    settings = read_settings()
    set_up_logs(settings.log_level)
    nudger = Nudger(connect(settings.queue_url))
    desk = make_desk(settings, connect(settings.redis_url), nudger.nudge)
    stopped, wake = os.pipe()  # an Event has a lock, which a second signal would wait for within the first
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: None)
    period_ms = round(settings.sweep_seconds * 1000)
    pause_ms = 0
    while not select.select([stopped], [], [], pause_ms / 1000)[0]:
        try:
            pause_ms = look(desk, nudger, period_ms)
        except RedisError as error:
            logging.getLogger(__name__).warning("the sweep lost Redis: %s", error)
            pause_ms = period_ms


if __name__ == "__main__":
    main()
