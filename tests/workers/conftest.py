"""Parts of the service, without a supervisor that would start the dead again."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from referee.embedded import start_redis
from referee.run import await_redis
from referee.service.desk import Desk
from referee.service.games import Wish, create
from referee.service.players import Caller, add_player
from referee.settings import Settings
from referee.wiring import connect, make_desk
from tests.service import ROOT
from tests.waiting import eventually
from workers.queues import Nudger


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    process, url = start_redis(tmp_path / "redis", "always")
    await_redis(url)
    yield url
    process.terminate()
    process.wait()


@pytest.fixture
def desk(redis_url: str) -> Desk:
    """A desk whose nudges are queued for workers."""
    return make_desk(Settings(redis_url=redis_url), connect(redis_url), Nudger(connect(redis_url)).nudge)


@pytest.fixture
def quiet_desk(redis_url: str) -> Desk:
    """A desk whose nudges are all lost."""
    return make_desk(Settings(redis_url=redis_url), connect(redis_url), nudge=lambda game: None)


@pytest.fixture
def start(redis_url: str) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start `workers.worker` or `workers.sweep` as a process."""
    with contextlib.ExitStack() as stack:

        def start_module(module: str, *arguments: str, ready: bool = True) -> subprocess.Popen[bytes]:
            redis = Redis.from_url(redis_url)
            before = redis.scard("rq:workers")
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments], cwd=ROOT, env={**os.environ, "REDIS_URL": redis_url}
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            if module == "workers.worker" and ready:
                eventually(lambda: redis.scard("rq:workers") > before)
            return process

        yield start_module


def caller(desk: Desk) -> Caller:
    player = add_player(desk, "ada")
    return Caller(player.id, player.name, None, ("play", "watch"))


def bots_only(desk: Desk, seats: int = 3, ruleset: str = "catham-city") -> str:
    """A new game of random bots."""
    return create(desk, caller(desk), Wish(ruleset=ruleset, seats=tuple({"bot": "random"} for _ in range(seats)))).id
