"""The sweep: nudges every game in which something is due or was left undone. Several sweeps share the games."""

import logging
import os
import select
import signal

from redis.exceptions import RedisError

from referee.ops.logs import set_up_logs
from referee.service.metrics import QUEUE_GAMES
from referee.service.problems import Problem
from referee.service.repository import Repository, now_ms
from referee.settings import read_settings
from referee.wiring import connect, make_repository, make_share
from workers.nudger import Nudger
from workers.queues import GAMES_MAX, NUDGES

GAMES_AT_ONCE = 1000
RETRY_MS = 1000
"""The time until a game that was nudged may be nudged again."""


def sweep(repository: Repository, period_ms: int, tags: tuple[str, ...] | None = None) -> int:
    """Nudge every game with these tags whose time has come; returns the milliseconds until the next sweep."""
    now = now_ms()
    following = now + period_ms
    for game, at in repository.log.due_games(following, GAMES_AT_ONCE, tags):
        if at > now:
            following = min(following, at)
        else:
            repository.log.wake(game, now + RETRY_MS)
            _nudge(repository, game)
    return max(1, following - now_ms())


def _nudge(repository: Repository, game: str) -> None:
    try:
        repository.nudge(game)
    except Problem:
        repository.log.wake(game, None)


def look(repository: Repository, nudger: Nudger, period_ms: int, tags: tuple[str, ...] | None = None) -> int:
    """Sweep, unless the queue of nudges is behind; returns the milliseconds until the next call."""
    nudger.tend()
    for kind in GAMES_MAX:
        QUEUE_GAMES.labels(kind).set(nudger.waiting(kind))
    return period_ms if nudger.is_behind(NUDGES) else sweep(repository, period_ms, tags)


def main() -> None:
    """Sweep until a signal comes."""
    settings = read_settings()
    set_up_logs(settings.log_level, settings.log_format)
    queues = connect(settings.queue_url)
    nudger, mine = Nudger(queues), make_share(queues)
    repository = make_repository(settings, connect(settings.redis_url), nudger.nudge)
    stopped, wake = os.pipe()  # not an Event: a second signal would wait for its lock while the first one holds it
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: None)
    period_ms = round(settings.sweep_seconds * 1000)
    pause_ms = 0
    log = logging.getLogger(__name__)
    while not select.select([stopped], [], [], pause_ms / 1000)[0]:
        try:
            pause_ms = look(repository, nudger, period_ms, mine.tags())
        except RedisError as error:
            log.warning("the sweep lost Redis: %s", error)
            pause_ms = period_ms
    try:
        mine.leave()
    except RedisError as error:
        log.warning("the sweep lost Redis: %s", error)


if __name__ == "__main__":
    main()
