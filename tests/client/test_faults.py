"""The Python client while answers get lost, the service dies, and calls are limited."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from referee_client import Client, Problem, Unreachable, calls
from referee_client.patience import Attempts
from tests.client.lossy_proxy import LossyProxy
from tests.client.runs import Run, write_config
from tests.client.test_client import SLUG
from tests.client.test_runner import commits_of
from tests.service import Service


@pytest.fixture
def proxy(service: Service) -> Iterator[LossyProxy]:
    between = LossyProxy(service.port)
    yield between
    between.close()


def test_a_move_whose_answer_is_lost_is_sent_again_and_counts_once(service: Service, proxy: LossyProxy) -> None:
    with Client(proxy.url, service.player("ada").key) as client:
        game = client.create(SLUG, ("me", "me"))
        next(game.follow())
        game.seat = game.read()["awaited"][0]["seat"]
        move = game.legal_moves()["moves"][0]
        proxy.to_lose = 2
        answer = game.move(move)
        assert (answer["version"], game.read()["version"], proxy.to_lose) == (2, 2, 0)
        assert all(b"201 CREATED" in lost for lost in proxy.lost)


def test_a_call_that_cannot_be_repeated_says_that_its_effect_is_unknown(service: Service, proxy: LossyProxy) -> None:
    with Client(proxy.url, service.player("ada").key) as client:
        proxy.to_lose = 1
        with pytest.raises(Unreachable, match="unknown whether POST /v1/games took effect"):
            client.create(SLUG, ("me", "open"), visibility="private")
        assert len(list(client.games(mine=True))) == 1


REWOUND_IN_A_STREAM = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    b'event: rewound\ndata: {"version": 9}\n\nevent: rewound\ndata: {"version": 2}\n\n'
)
REWOUND_AT_ONCE = (
    b"HTTP/1.1 409 CONFLICT\r\nContent-Type: application/problem+json\r\nConnection: close\r\n\r\n"
    b'{"code": "rewound", "detail": "The game is at version 3.", "version": 3}'
)


def test_after_commits_were_lost_following_goes_on_from_the_newest_that_is_left(
    service: Service, proxy: LossyProxy
) -> None:
    with Client(proxy.url, service.player("ada").key) as client:
        game = client.create(SLUG, ("me", "me"))
        next(game.follow())
        for _ in range(3):
            game.seat = None
            game.seat = game.read()["awaited"][0]["seat"]
            game.move(game.legal_moves()["moves"][0])
        for recorded, versions in ((REWOUND_IN_A_STREAM, [2, 3, 4]), (REWOUND_AT_ONCE, [3, 4])):
            proxy.recorded = [recorded]
            with closing(game.follow(after=4)) as commits:
                assert [next(commits)["version"] for _ in versions] == versions
        proxy.recorded = [REWOUND_AT_ONCE]
        with pytest.raises(Problem, match="rewound"):
            next(game.follow(after=3))


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that may be killed, and that allows few calls."""
    running = Service(
        tmp_path_factory.mktemp("fragile"), HEARTBEAT_SECONDS="0.5", RATE_PLAYER="240", STREAMS_PLAYER="2"
    ).start()
    yield running
    running.stop()


def test_following_goes_on_after_the_service_died(fragile: Service) -> None:
    with Client(fragile.url, fragile.player("ada").key) as client:
        game = client.create(SLUG, ("me", "me"))
        versions, restart = [], threading.Thread(target=fragile.start)
        for commit in game.follow():
            versions.append(commit["version"])
            if len(versions) == 8:
                break
            if len(versions) == 3:
                fragile.kill()
                restart.start()
            game.seat = None
            game.seat = game.read()["awaited"][0]["seat"]
            game.move(game.legal_moves()["moves"][0])
        restart.join()
        assert versions == list(range(1, 9))


def test_a_client_that_has_called_too_often_is_told_so_when_its_patience_ends(fragile: Service) -> None:
    with Client(fragile.url, fragile.player("bob").key, patience_s=0.1) as hasty, pytest.raises(Problem) as problem:
        for _ in range(2000):
            hasty.me()
    assert (problem.value.status, problem.value.code) == (429, "rate-limited")


def test_a_call_is_repeated_when_the_service_says_so() -> None:
    def refused(**headers: str) -> httpx.Response:
        return httpx.Response(429, json={"code": "rate-limited"}, headers=headers)

    attempts = Attempts(calls.create(SLUG, ["me"], {}), patience_s=60)
    assert attempts.pause_after_answer(refused(**{"Retry-After": "7"})) == 7
    pause = attempts.pause_after_answer(refused(**{"Retry-After": "nonsense"}))
    assert pause is not None
    assert 0 < pause < 1
    with pytest.raises(Problem):
        attempts.pause_after_answer(refused(**{"Retry-After": "86400"}))


@pytest.mark.parametrize("code", ["rules-elsewhere", "packed-elsewhere", "archive-unavailable", "unconfirmed"])
def test_after_a_503_only_what_may_count_twice_is_not_repeated(code: str) -> None:
    answer = httpx.Response(503, json={"code": code}, headers={"Retry-After": "1"})
    move = calls.move("g_1", {"type": "ring"}, None, None, None)
    assert "Idempotency-Key" in move.headers
    assert Attempts(move, patience_s=60).pause_after_answer(answer) == 1
    create = Attempts(calls.create(SLUG, ["me"], {}), patience_s=60)
    if code == "unconfirmed":
        with pytest.raises(Problem, match="unconfirmed"):
            create.pause_after_answer(answer)
    else:
        assert create.pause_after_answer(answer) == 1


def test_a_stream_too_many_waits_until_another_is_closed(fragile: Service) -> None:
    with Client(fragile.url, fragile.player("eve").key) as client:
        client.create(SLUG, ("me", "me"))
        first, second = client.inbox(), client.inbox()
        assert [next(inbox)["event"] for inbox in (first, second)] == ["awaited"] * 2
        threading.Timer(0.5, first.close).start()
        assert next(client.inbox())["event"] == "awaited"


SLOW = """
import os
import random
import time


def choose(view, moves):
    if not os.path.exists("killed"):
        time.sleep(0.2)
    return random.choice(moves)
"""
"""A bot whose game is not over before the service is killed."""


def test_a_bot_plays_on_when_the_service_comes_back(fragile: Service, tmp_path: Path) -> None:
    owner = fragile.player("deep paw", bot=True)
    (tmp_path / "my_bot.py").write_text(SLOW)
    write_config(tmp_path, owner, "stop_after = 1", f"memory_mb = {1 << 60}")
    id = owner.create("me", {"bot": "random"}, ruleset=SLUG)["id"]
    with Run(owner, tmp_path, "bot.toml") as run:
        run.says(": made ")
        fragile.kill()
        (tmp_path / "killed").touch()
        fragile.start()
        assert run.ends() == 0, run.log
    assert "gave no answer" not in run.log
    assert owner.game(id)["status"] == "finished"
    assert all(commit["cause"] is None for commit in commits_of(owner, id) if commit["actor"] == 0)
