"""What another request does between a change of a game and its listing: an erased player never comes back."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from werkzeug.test import TestResponse

from referee.service import nudges
from referee.table.record import seal_of
from tests.api.house import House
from tests.redis_server import RedisServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    started = RedisServer(tmp_path_factory.mktemp("redis")).start()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def house(server: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(server, Path(tmp_path_factory.mktemp("log")))


def before_listing(house: House, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Let another request act before the next listing."""
    directory = house.repository.directory
    sound: Callable[..., None] = directory.list_game

    def act_first(*listed: Any) -> None:
        monkeypatch.setattr(directory, "list_game", sound)
        with ThreadPoolExecutor(1) as other:
            other.submit(act).result()
        sound(*listed)

    monkeypatch.setattr(directory, "list_game", act_first)


class Zoe:
    """A player who is erased as soon as somebody has read the game and goes on to list it."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self.house, self._monkeypatch = house, monkeypatch
        self.key = house.player("zoe")
        self.id = str(house.call("GET", "/v1/me", self.key).get_json()["player"]["id"])

    def erase_before_listing(self) -> None:
        def erase() -> None:
            assert self.house.call("DELETE", f"/v1/players/{self.id}", self.key).status_code == 202

        before_listing(self.house, self._monkeypatch, erase)

    def traces(self, redis: Redis) -> list[bytes]:
        """The keys of the store, apart from counters that expire, that name the player."""
        return [key for key in redis.scan_iter(count=1000) if self.id.encode() in key and redis.ttl(key) == -1]


@pytest.fixture
def zoe(house: House, monkeypatch: pytest.MonkeyPatch) -> Zoe:
    return Zoe(house, monkeypatch)


def test_a_worker_that_lists_a_game_which_has_just_ended(house: House, zoe: Zoe, server: RedisServer) -> None:
    id = house.game(seats=["me", {"player": zoe.id}], on_resignation="end")
    assert house.call("POST", f"/v1/games/{id}/seats", zoe.key, json={}).status_code == 201
    nudges.run(house.repository, id)
    assert house.call("POST", f"/v1/games/{id}/resignation", house.ada).status_code == 201
    assert zoe.traces(server.client())
    zoe.erase_before_listing()
    nudges.run(house.repository, id)
    nudges.run(house.repository, id)
    assert zoe.traces(server.client()) == []
    mine = house.call("GET", "/v1/games?mine=true&status=finished", house.ada).get_json()["games"]
    assert id in [game["id"] for game in mine]
    assert house.repository.game(id).status == "finished"


def test_a_player_who_sits_down_beside_one_that_is_erased(house: House, zoe: Zoe, server: RedisServer) -> None:
    id = house.game(seats=["me", "open", "open"])
    assert house.call("POST", f"/v1/games/{id}/seats", zoe.key, json={}).status_code == 201
    zoe.erase_before_listing()
    assert house.call("POST", f"/v1/games/{id}/seats", house.bob, json={}).status_code == 201
    assert zoe.traces(server.client()) == []


def test_a_game_that_ended_long_ago_does_not_end_again(house: House, zoe: Zoe, server: RedisServer) -> None:
    id = house.game(seats=["me", {"player": zoe.id}], on_resignation="end")
    assert house.call("POST", f"/v1/games/{id}/seats", zoe.key, json={}).status_code == 201
    nudges.run(house.repository, id)
    assert house.call("POST", f"/v1/games/{id}/resignation", house.ada).status_code == 201
    nudges.run(house.repository, id)
    ada = house.call("GET", "/v1/me", house.ada).get_json()["player"]["id"]
    redis = server.client()
    before = redis.zscore(f"games:ended:{ada}", id)
    assert before is not None
    assert house.call("DELETE", f"/v1/players/{zoe.id}", zoe.key).status_code == 202
    assert redis.zscore(f"games:ended:{ada}", id) == before
    assert zoe.traces(redis) == []


def test_a_seat_that_reveals_while_the_last_one_does_gets_an_answer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on to its first commit, whose header has a nonce that this request does not know."""
    id, links = house.game(seats=["open", "open"]), ("7" * 64, "8" * 64)
    for key, link in ((house.ada, links[0]), (house.bob, links[1])):
        sealed = house.call("POST", f"/v1/games/{id}/seats", key, json={"seal": seal_of(id, link)})
        assert sealed.status_code == 201

    def reveal(seat: int, key: str) -> TestResponse:
        return house.call("POST", f"/v1/games/{id}/seats/{seat}/reveal", key, json={"link": links[seat]})

    def reveal_last() -> None:
        assert reveal(1, house.bob).get_json()["status"] == "running"
        nudges.run(house.repository, id)

    before_listing(house, monkeypatch, reveal_last)
    first = reveal(0, house.ada)
    assert (first.status_code, first.get_json()["version"]) == (200, 0)
    assert house.call("GET", f"/v1/games/{id}", house.ada).get_json()["version"] > 0
