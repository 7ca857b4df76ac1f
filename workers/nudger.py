"""Which games wait for which kind of work, in which order: players are served in turn, and no game waits twice.

An RQ queue holds one job at a time. The other games wait in Redis, and a worker that takes the job packs the next.
"""

import logging
import secrets
from collections.abc import Sequence
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError, ResponseError

from referee.service.game import Game
from workers.queues import AUDITS, BOTS, GAME_ID, GAMES_MAX, NUDGES, QUICK_BOTS, GamesJob, queue

QUEUEING_MS = 1000
"""A packed job that is not in its queue after this time has been taken, or was lost."""

BEHIND_GAMES = 500
"""A queue is behind when this number of games waits for it."""

_HERE = Path(__file__)


class Nudger:
    """Queues work on games for the workers. If a job is lost, the sweep queues its games again."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queues = {kind: queue(redis, kind) for kind in GAMES_MAX}
        self._pack = redis.register_script(_HERE.with_name("pack.lua").read_bytes())
        self._take = redis.register_script(_HERE.with_name("take.lua").read_bytes())

    def nudge(self, game: Game) -> bool:
        """Queue what the referee owes in a game; returns whether it was not queued before."""
        return self._queue_game(NUDGES, game)

    def call_bots(self, game: Game, thinking: bool) -> bool:
        """Queue the moves of a game's bots; returns whether they were not queued before."""
        return self._queue_game(BOTS if thinking else QUICK_BOTS, game)

    def call_audit(self, game: Game) -> bool:
        """Queue the audit of a game; returns whether it was not queued before."""
        return self._queue_game(AUDITS, game)

    def taken(self, job: GamesJob) -> None:
        """Record that a worker has taken a job: its games may wait again, and the next job is packed."""
        self._take(keys=[_packed(job.kind)], args=[job.id, *job.games])
        self._pack_job(job.kind)

    def tend(self) -> None:
        """Pack a job for every queue that has none, in case a worker died before it did so."""
        for kind in GAMES_MAX:
            self._pack_job(kind)

    def waiting(self, kind: str) -> int:
        """The number of games that wait, not counting those in a packed job."""
        count: int = self._redis.zcard(_waiting(kind))
        return count

    def is_behind(self, kind: str) -> bool:
        """Whether enough games wait already, so that the sweep should add no more."""
        return self.waiting(kind) >= BEHIND_GAMES

    def _queue_game(self, kind: str, game: Game) -> bool:
        try:
            return self._pack_job(kind, (game.created_by, game.id)) > 0
        except RedisError as error:
            logging.getLogger(__name__).warning("%s lost: game=%s %s", kind, game.id, error)
            return True

    def _pack_job(self, kind: str, player_and_game: Sequence[str] = ()) -> int:
        """Let a game wait, and queue a job if there is none; returns the number of games that did not wait before."""
        keys = [_waiting(kind), f"{_waiting(kind)}:turns", _packed(kind), self._queues[kind].key]
        id = secrets.token_hex(16)
        try:
            new, *games = self._pack(keys=keys, args=[id, GAMES_MAX[kind], QUEUEING_MS, *player_and_game])
        except ResponseError as error:
            if "WRONGTYPE" in str(error):
                # Another program wrote these keys; while they are there, no game gets its turn.
                self._redis.delete(*keys)
            raise
        named = [game.decode() for game in games if GAME_ID.fullmatch(game)]
        if named:
            self._queues[kind].enqueue_call(kind, (named,), job_id=id, description=kind)
        return int(new)


def _waiting(kind: str) -> str:
    return f"waiting:{kind}"


def _packed(kind: str) -> str:
    return f"packed:{kind}"
