"""Parts of the service, without the supervisor, which would restart dead processes."""

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

from referee.ops.embedded import start_redis
from referee.ops.run import await_redis
from referee.service.game import Game
from referee.service.lobby import NewGame, create
from referee.service.players import Caller, add_player
from referee.service.repository import Repository
from referee.settings import Settings
from referee.wiring import connect, make_repository
from tests.service import ROOT
from tests.waiting import eventually
from workers.nudger import Nudger
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
    """The URL of the queues' Redis, which can be emptied without loss of games."""
    return f"{redis_url}?db=1"


@pytest.fixture
def queues(queue_url: str) -> Redis:
    """A client of the queues' Redis."""
    return Redis.from_url(queue_url)


@pytest.fixture
def nudger(queue_url: str) -> Nudger:
    return Nudger(connect(queue_url))


@pytest.fixture
def repository(redis_url: str, nudger: Nudger) -> Repository:
    """A repository whose nudges are queued for workers."""
    return make_repository(Settings(redis_url=redis_url, pack_minutes=0), connect(redis_url), nudger.nudge)


@pytest.fixture
def quiet_repository(redis_url: str) -> Repository:
    """A repository whose nudges are all lost."""
    return make_repository(Settings(redis_url=redis_url, pack_minutes=0), connect(redis_url), nudge=lambda game: None)


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


def caller(repository: Repository) -> Caller:
    player = add_player(repository, "ada")
    return Caller(player.id, player.name, None, ("play", "watch"))


def bots_only(repository: Repository, seats: int = 3, ruleset: str = "catham-city", bot: str = "random") -> str:
    """A new game between bots, created by a new player."""
    return create(
        repository, caller(repository), NewGame(ruleset=ruleset, seats=tuple({"bot": bot} for _ in range(seats)))
    ).id


def put_job(queues: Redis, kind: str, games: list[str]) -> None:
    """Queue a job, however many are queued already."""
    queue(queues, kind).enqueue_call(kind, (games,), job_id=secrets.token_hex(16))


class Called:
    """Records the calls of a nudge; `is_new` is what each call returns."""

    def __init__(self, is_new: bool = True) -> None:
        self.is_new = is_new
        self.bots: list[tuple[str, bool]] = []
        self.audits: list[str] = []

    def call_bots(self, game: Game, thinking: bool) -> bool:
        self.bots.append((game.id, thinking))
        return self.is_new

    def call_audit(self, game: Game) -> bool:
        self.audits.append(game.id)
        return self.is_new
