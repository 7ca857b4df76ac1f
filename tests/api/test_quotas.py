"""The quotas of a player are counted exactly, in any order and with simultaneous calls."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from referee.service.finding import bot_games_of, created_by
from referee.service.limits import TIDY_EVERY_MS
from referee.service.repository import now_ms
from referee.settings import Settings
from referee.table.times import timestamp
from referee.wiring import connect, make_repository
from tests.schemas.document import validator
from tests.service import Client, Service
from tests.waiting import eventually

OPEN, WITH_BOTS, KEYS = 6, 3, 4

BOT = {"bot": "random"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with small quotas."""
    path: Path = tmp_path_factory.mktemp("quotas")
    settings = {"OPEN_GAMES": str(OPEN), "BOT_GAMES": str(WITH_BOTS), "PLAYER_KEYS": str(KEYS)}
    running = Service(path, **settings, INVITATIONS="0").start()
    yield running
    assert running.stop() == 0


def create(client: Client, *seats: Any, **fields: Any) -> requests.Response:
    return client.post("/games", {"ruleset": "catham-city", "seats": list(seats), **fields})


def used(client: Client, name: str = "open_games") -> int:
    return client.get("/me").json()["quotas"][name]["used"]


def refused(answer: requests.Response) -> bool:
    if answer.status_code == 201:
        return False
    assert (answer.status_code, answer.json()["code"]) == (409, "quota-reached"), answer.text
    return True


def test_the_quotas_and_their_use_are_shown(ada: Client, admin: Client) -> None:
    validator("Me").validate(ada.get("/me").json())
    assert ada.get("/me").json()["quotas"] == {
        "open_games": {"used": 0, "most": OPEN},
        "bot_games": {"used": 0, "most": WITH_BOTS},
        "keys": {"used": 1, "most": KEYS},
    }
    ada.create("me", "open")
    ada.create("me", BOT)
    assert (used(ada), used(ada, "bot_games")) == (2, 1)
    assert {use["most"] for use in admin.get("/me").json()["quotas"].values()} == {None}


def test_the_default_quotas_are_as_documented() -> None:
    assert (Settings().open_games, Settings().bot_games, Settings().player_keys) == (50, 20, 20)


@pytest.mark.parametrize("seats", [("me", "open"), ("open", "open"), ("me", "me"), ("open", "me", "open")])
def test_the_quota_limits_open_games_for_every_kind_of_seat(ada: Client, seats: tuple[Any, ...]) -> None:
    for _ in range(OPEN):
        assert not refused(create(ada, *seats))
    for other in (("me", "open"), ("me", "me"), ("open", "open"), ("me", BOT)):
        answer = create(ada, *other)
        assert refused(answer)
        assert f"{OPEN} open games," in answer.json()["detail"]
    assert used(ada) == OPEN
    listed = ada.get("/games", params={"mine": "true", "limit": 100}).json()["games"]
    assert len(listed) == OPEN, "what is refused leaves no game behind"


@pytest.mark.parametrize("seats", [("me", BOT), ("open", BOT), ("me", "open", {"bot": "search"})])
def test_the_quota_limits_games_with_bots_even_while_they_wait(ada: Client, seats: tuple[Any, ...]) -> None:
    """Otherwise a player could create many games, and a friend could start them all at once."""
    for _ in range(WITH_BOTS):
        assert not refused(create(ada, *seats))
    answer = create(ada, "me", BOT)
    assert refused(answer)
    assert f"{WITH_BOTS} open games with built-in bots," in answer.json()["detail"]
    assert not refused(create(ada, "me", "open")), "games without bots are still welcome"


def test_simultaneous_calls_create_exactly_the_quota(ada: Client) -> None:
    assert ada.key is not None

    def attempt(number: int) -> bool:
        return refused(create(Client(ada.url, ada.key, ada.player), "me", BOT if number % 2 else "open"))

    with ThreadPoolExecutor(8) as racers:
        outcomes = list(racers.map(attempt, range(40)))
    assert outcomes.count(False) == OPEN
    assert used(ada) == OPEN
    assert used(ada, "bot_games") <= WITH_BOTS


def test_all_keys_of_a_player_share_the_quota_and_other_players_have_their_own(ada: Client, bob: Client) -> None:
    second = Client(ada.url, ada.post("/keys", {}).json()["key"], ada.player)
    for number in range(OPEN):
        assert not refused(create((ada, second)[number % 2], "me", "open"))
    assert refused(create(ada, "me", "open"))
    assert refused(create(second, "me", "open"))
    assert not refused(create(bob, "me", "open"))


def test_a_game_counts_for_its_creator_only(ada: Client, bob: Client) -> None:
    for _ in range(OPEN):
        id = ada.create("me", "open")["id"]
        assert bob.post(f"/games/{id}/seats", {}).status_code == 201
    assert (used(ada), used(bob)) == (OPEN, 0)
    assert not refused(create(bob, "me", "open"))


def test_a_game_that_ends_in_any_way_frees_its_slot(ada: Client, admin: Client) -> None:
    for _ in range(3):
        id = ada.create(BOT, BOT)["id"]
        eventually(lambda id=id: ada.game(id)["status"] == "finished", 60)
    eventually(lambda: used(ada) == 0)
    resigned = ada.started("me", "me", on_resignation="end")["id"]
    assert ada.post(f"/games/{resigned}/resignation", params={"seat": 0}).status_code == 201
    eventually(lambda: used(ada) == 0)
    running, waiting = ada.started("me", BOT)["id"], ada.create("me", "open", BOT)["id"]
    paused = ada.started("me", "me")["id"]
    assert admin.post(f"/games/{paused}/administration", {"action": "pause", "reason": "tea"}).status_code == 201
    assert (used(ada), used(ada, "bot_games")) == (3, 2)
    for id in (running, waiting, paused):
        assert admin.post(f"/games/{id}/administration", {"action": "annul", "reason": "fire"}).status_code in (
            201,
            204,
        )
    eventually(lambda: (used(ada), used(ada, "bot_games")) == (0, 0))


def test_an_admins_key_has_no_quota(admin: Client) -> None:
    for _ in range(OPEN + 2):
        assert not refused(create(admin, BOT, "open"))


def test_games_lost_in_a_crash_stop_counting(service: Service, ada: Client) -> None:
    """Slots of games that were never stored, or whose end did not reach the lists."""
    repository = make_repository(Settings(), connect(service.redis_url), lambda game: None)
    player, long_ago = ada.player["id"], now_ms() - 2 * TIDY_EVERY_MS
    lists = (created_by(player), bot_games_of(player))
    ended = ada.create(BOT, BOT)["id"]
    eventually(lambda: ada.game(ended)["status"] == "finished" and used(ada) == 0, 60)
    for id in (ended, *(f"g_{number:024x}" for number in range(OPEN - 1))):
        repository.directory.list_game(id, long_ago, lists)
    assert used(ada) == OPEN
    assert not refused(create(ada, "me", BOT))
    assert (used(ada), used(ada, "bot_games")) == (1, 1)


def test_a_slot_that_was_just_taken_is_kept(service: Service, ada: Client) -> None:
    """The game may be stored in a moment."""
    repository = make_repository(Settings(), connect(service.redis_url), lambda game: None)
    for number in range(OPEN):
        repository.directory.list_game(f"g_{number:024x}", now_ms(), (created_by(ada.player["id"]),))
    assert refused(create(ada, "me", "open"))


def test_the_quota_limits_keys_and_a_revoked_key_frees_its_slot(ada: Client) -> None:
    created = [ada.post("/keys", {}).json() for _ in range(KEYS - 1)]
    for client in (ada, Client(ada.url, created[0]["key"], ada.player)):
        answer = client.post("/keys", {"scopes": ["watch"]})
        assert refused(answer)
        assert f"{KEYS} keys," in answer.json()["detail"]
    assert (used(ada, "keys"), len(ada.get("/keys").json()["keys"])) == (KEYS, KEYS)
    assert ada.delete(f"/keys/{created[0]['id']}").status_code == 204
    assert not refused(ada.post("/keys", {}))


def test_simultaneous_calls_make_no_more_keys_than_the_quota(ada: Client) -> None:
    def attempt(_: int) -> bool:
        return refused(Client(ada.url, ada.key, ada.player).post("/keys", {}))

    with ThreadPoolExecutor(8) as racers:
        outcomes = list(racers.map(attempt, range(24)))
    assert 1 + outcomes.count(False) == used(ada, "keys") <= KEYS


def test_an_expired_key_frees_its_slot(ada: Client) -> None:
    soon = timestamp(now_ms() + 1500)
    for _ in range(KEYS - 1):
        assert not refused(ada.post("/keys", {"expires_at": soon}))
    assert refused(ada.post("/keys", {}))
    eventually(lambda: not refused(ada.post("/keys", {})))
    assert used(ada, "keys") == 2
    assert len(ada.get("/keys").json()["keys"]) == 2, "expired keys are removed"


def test_an_admins_key_makes_keys_without_limit(admin: Client) -> None:
    for _ in range(KEYS + 1):
        assert not refused(admin.post("/keys", {"scopes": ["audit"]}))
