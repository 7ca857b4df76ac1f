"""The Python client while answers get lost, the service dies, and calls are limited."""

import threading
from collections.abc import Iterator

import pytest

from referee_client import Client, Problem, Unreachable
from tests.client.lossy_proxy import LossyProxy
from tests.client.test_client import SLUG
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
            client.create(SLUG, ("me", "open"))
        assert len(list(client.games(mine=True))) == 1


@pytest.fixture(scope="module")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that may be killed, and that allows few calls."""
    running = Service(tmp_path_factory.mktemp("fragile"), HEARTBEAT_SECONDS="0.5", RATE_PLAYER="240").start()
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


def test_a_client_that_has_called_too_often_waits_as_it_is_told(fragile: Service) -> None:
    key = fragile.player("bob").key
    with Client(fragile.url, key, patience_s=0.1) as hasty, pytest.raises(Problem) as problem:
        for _ in range(2000):
            hasty.me()
    assert (problem.value.status, problem.value.code) == (429, "rate-limited")
    with Client(fragile.url, key) as patient:
        assert patient.me()["player"]["name"] == "bob"
