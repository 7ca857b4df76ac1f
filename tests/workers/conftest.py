"""Parts of the service, without a supervisor that would start the dead again."""

import contextlib
import os
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from referee.embedded import start_redis
from referee.run import await_redis
from referee.service.desk import Desk
from referee.service.game import Game
from referee.service.games import Wish, create
from referee.service.players import Caller, add_player
from referee.settings import Settings
from referee.wiring import connect, make_desk
from tests.service import ROOT
from tests.waiting import eventually
from workers.packing import Nudger
from workers.queues import queue


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    process, url = start_redis(tmp_path / "redis", "always")
    await_redis(url)
    yield url
    process.terminate()
    process.wait()


@pytest.fixture
def queue_url(redis_url: str) -> str:
    """The Redis of the queues: it can be emptied without loss of games."""
    return f"{redis_url}?db=1"


@pytest.fixture
def queues(queue_url: str) -> Redis:
    """What lies in the queues."""
    return Redis.from_url(queue_url)


@pytest.fixture
def nudger(queue_url: str) -> Nudger:
    return Nudger(connect(queue_url))


@pytest.fixture
def desk(redis_url: str, nudger: Nudger) -> Desk:
    """A desk whose nudges are queued for workers."""
    return make_desk(Settings(redis_url=redis_url), connect(redis_url), nudger.nudge)


@pytest.fixture
def quiet_desk(redis_url: str) -> Desk:
    """A desk whose nudges are all lost."""
    return make_desk(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)


@pytest.fixture
def start(redis_url: str, queue_url: str, queues: Redis) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start `workers.worker` or `workers.sweep` as a process."""
    with contextlib.ExitStack() as stack:

        def start_module(
            module: str, *arguments: str, ready: bool = True, options: dict[str, Any] | None = None, **settings: str
        ) -> subprocess.Popen[bytes]:
            before = queues.scard("rq:workers")
            environment = {**os.environ, "REDIS_URL": redis_url, "QUEUE_REDIS_URL": queue_url, **settings}
            command = [sys.executable, "-m", module, *arguments]
            process = subprocess.Popen(command, cwd=ROOT, env=environment, **(options or {}))
            stack.callback(process.wait)
            stack.callback(process.kill)
            if module == "workers.worker" and ready:
                eventually(lambda: queues.scard("rq:workers") > before)
            return process

        yield start_module


def caller(desk: Desk) -> Caller:
    player = add_player(desk, "ada")
    return Caller(player.id, player.name, None, ("play", "watch"))


def bots_only(desk: Desk, seats: int = 3, ruleset: str = "catham-city", bot: str = "random") -> str:
    """A new game of bots, by a new player."""
    return create(desk, caller(desk), Wish(ruleset=ruleset, seats=tuple({"bot": bot} for _ in range(seats)))).id


def put_job(queues: Redis, kind: str, games: list[str]) -> None:
    """Put a job where a worker will find it, however many are there."""
    queue(queues, kind).enqueue_call(kind, (games,), job_id=secrets.token_hex(16))


class Called:
    """Notes what a nudge asks for, and answers as it is told to."""

    def __init__(self, anew: bool = True) -> None:
        self.anew = anew
        self.bots: list[tuple[str, bool]] = []
        self.audits: list[str] = []

    def call_bots(self, game: Game, thinking: bool) -> bool:
        self.bots.append((game.id, thinking))
        return self.anew

    def call_audit(self, game: Game) -> bool:
        self.audits.append(game.id)
        return self.anew
