"""Which games wait for what, and in which order: players have their turns, and a game waits once for one kind of work.

A queue of RQ's holds one job at a time. All other games wait beside it: a worker that takes the job packs the next.
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
"""A packed job that is not in its queue after this time was taken, or is lost."""

BEHIND_GAMES = 500
"""A queue with this many games waiting is behind."""

_HERE = Path(__file__)


class Nudger:
    """Asks workers for work on games. What is lost is made up for by the sweep."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._queues = {kind: queue(redis, kind) for kind in GAMES_MAX}
        self._pack = redis.register_script(_HERE.with_name("pack.lua").read_bytes())
        self._take = redis.register_script(_HERE.with_name("take.lua").read_bytes())

    def nudge(self, game: Game) -> bool:
        """Ask for what the referee owes in a game; gives whether nobody had asked already."""
        return self._ask(NUDGES, game)

    def call_bots(self, game: Game, thinking: bool) -> bool:
        """Ask for the moves of a game's bots; gives whether nobody had asked already."""
        return self._ask(BOTS if thinking else QUICK_BOTS, game)

    def call_audit(self, game: Game) -> bool:
        """Ask for the audit of a game; gives whether nobody had asked already."""
        return self._ask(AUDITS, game)

    def taken(self, job: GamesJob) -> None:
        """A worker has taken a job: its games may wait again, and the next job is packed."""
        self._take(keys=[_packed(job.kind)], args=[job.id, *job.games])
        self._packed_job(job.kind)

    def tend(self) -> None:
        """Pack a job for every queue that has none, should a worker have died before it did so."""
        for kind in GAMES_MAX:
            self._packed_job(kind)

    def waiting(self, kind: str) -> int:
        """How many games wait, those in a packed job aside."""
        count: int = self._redis.zcard(_waiting(kind))
        return count

    def is_behind(self, kind: str) -> bool:
        """Whether so many games wait that nothing should be added but what somebody asks for."""
        return self.waiting(kind) >= BEHIND_GAMES

    def _ask(self, kind: str, game: Game) -> bool:
        try:
            return self._packed_job(kind, (game.created_by, game.id)) > 0
        except RedisError as error:
            logging.getLogger(__name__).warning("%s lost: game=%s %s", kind, game.id, error)
            return True

    def _packed_job(self, kind: str, player_and_game: Sequence[str] = ()) -> int:
        """Let a game wait, and queue the next job if there is none; gives how many games did not wait before."""
        keys = [_waiting(kind), f"{_waiting(kind)}:turns", _packed(kind), self._queues[kind].key]
        id = secrets.token_hex(16)
        try:
            new, *games = self._pack(keys=keys, args=[id, GAMES_MAX[kind], QUEUEING_MS, *player_and_game])
        except ResponseError as error:
            if "WRONGTYPE" in str(error):
                # Nobody of ours wrote that, and it would keep all games from their turns for good.
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
