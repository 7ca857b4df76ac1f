"""Admins: how they give keys, and that none of their ways to a player's cards is hidden from the player."""

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.service import keys
from referee.service.players import Keyring
from referee.service.problems import Problem
from tests.api.test_key_trees import Branch, Tree, branch, first_key
from tests.api.world import World
from tests.schemas.document import validator
from tests.service import Client, Service
from tests.waiting import eventually


@pytest.fixture
def root(admin: Client) -> Branch:
    return branch(admin.url, str(admin.key), {})


def recovered(by: Client, player: dict[str, Any]) -> Branch:
    """The new first key of a player."""
    answer = by.post(f"/players/{player['id']}/recovery")
    assert answer.status_code == 201, answer.text
    assert answer.json()["player"] == player
    return branch(by.url, answer.json()["key"], player)


def test_an_admin_gets_no_key_of_an_existing_player_unnoticed(service: Service, root: Branch) -> None:
    """Every call that gives a key, tried by an admin against a player with cards in hand."""
    ada = first_key(service)
    game = ada.started("me", "me", options={"first_seat": 0})["id"]
    id = ada.player["id"]
    for body in ({"player": id}, {"player": id, "scopes": ["watch"]}, {"player": id, "scopes": ["admin"]}):
        assert root.post("/keys", body).status_code == 422
    for body in ({"name": "ada", "id": id}, {"name": "ada", "player": id}):
        assert root.post("/players", body).status_code == 422
    for client in (root, root.child(scopes=["admin"]), root.child(scopes=["watch"]), root.child(scopes=["audit"])):
        assert client.get(f"/games/{game}", params={"seat": 0}).status_code == 403
        assert client.get(f"/games/{game}/legal-moves").status_code == 403
        assert client.game(game)["view"]["seats"][0]["hand"] is None
    assert len(ada.get("/keys").json()["keys"]) == 1
    assert ada.get("/me").json()["recovered_at"] is None


def test_recovery_revokes_all_keys_and_tells_the_player_when(service: Service, root: Branch) -> None:
    tree = Tree(service)
    game = tree.first.started("me", "me", options={"first_seat": 0})["id"]
    streams = [tree.first.stream("/me/events"), tree.screen.stream(f"/games/{game}/events")]
    for stream in streams:
        stream.await_messages(1)
    began = datetime.now(UTC)
    new = recovered(root, tree.first.player)
    eventually(lambda: tree.good() == set())
    eventually(lambda: not any(stream.is_open() for stream in streams))
    me = new.get("/me").json()
    assert (me["key"]["parent"], me["key"]["scopes"]) == (None, ["play", "watch"])
    assert [key["id"] for key in new.get("/keys").json()["keys"]] == [new.id]
    assert abs((datetime.fromisoformat(me["recovered_at"]) - began).total_seconds()) < 60
    assert new.game(game)["seat"] == 0


def test_the_inbox_reports_a_recovery_and_the_readers_place_stays(service: Service, root: Branch) -> None:
    ada = first_key(service)
    ada.started("me", "me", options={"first_seat": 0})
    new = recovered(root, ada.player)
    for _ in range(2):
        stream = new.stream("/me/events")
        first, second = stream.await_messages(2)[:2]
        assert first == {
            "id": None,
            "event": "recovered",
            "data": {"recovered_at": new.get("/me").json()["recovered_at"]},
        }
        validator("Awaiting").validate(first["data"])
        assert second["event"] == "awaited"
        stream.close()


def test_nothing_that_an_admin_does_afterwards_hides_a_recovery(service: Service, root: Branch) -> None:
    ada = first_key(service)
    taken = recovered(root, ada.player)
    when = taken.get("/me").json()["recovered_at"]
    replaced = recovered(taken, ada.player)
    assert replaced.get("/me").json()["recovered_at"] == when
    replaced.child()
    assert recovered(replaced, ada.player).get("/me").json()["recovered_at"] == when
    assert recovered(root, ada.player).get("/me").json()["recovered_at"] > when


def test_players_replace_their_keys_with_their_first_key_only(service: Service) -> None:
    tree = Tree(service)
    path = f"/players/{tree.first.player['id']}/recovery"
    for name in ("phone", "watch", "screen", "bot"):
        answer = tree[name].post(path)
        assert (answer.status_code, answer.json()["code"]) == (403, "first-key-required")
    assert first_key(service, "eve").post(path).json()["code"] == "scope-missing"
    assert service.nobody().post(path).status_code == 401
    assert len(tree.good()) == 5
    new = recovered(tree.first, tree.first.player)
    eventually(lambda: tree.good() == set())
    assert new.get("/me").json()["recovered_at"] is None


def test_only_an_admins_first_key_gives_what_players_do_not_have(service: Service, root: Branch) -> None:
    """A key that was made with another would otherwise outlive it under a new name."""
    made = root.post("/players", {"name": "grace", "scopes": ["play", "watch", "audit"]}).json()
    helper = root.child(scopes=["admin"])
    for client in (helper, helper.child(scopes=["admin"])):
        for scope in ("audit", "admin"):
            answer = client.post("/players", {"name": "eve", "scopes": [scope]})
            assert (answer.status_code, answer.json()["code"]) == (403, "first-key-required")
        for path in (
            f"/players/{made['player']['id']}/recovery",
            f"/players/{root.get('/me').json()['player']['id']}/recovery",
        ):
            assert client.post(path).json()["code"] == "first-key-required"
        assert client.post("/players", {"name": "eve"}).status_code == 201
    for client in (first_key(service), service.nobody()):
        assert client.post("/players", {"name": "eve", "scopes": ["admin"]}).status_code in (401, 403)
    new = recovered(root, made["player"])
    assert new.get("/me").json()["key"]["scopes"] == ["play", "watch", "audit"]
    assert recovered(helper, first_key(service).player).get("/me").json()["recovered_at"]


@pytest.mark.parametrize("id", ["p_" + "0" * 24, "self", "x"])
def test_nobody_is_recovered_who_is_not_there(root: Branch, id: str) -> None:
    answer = root.post(f"/players/{id}/recovery")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-player")


def test_a_key_that_is_revoked_but_remembered_takes_nothing_back(world: World) -> None:
    """Whoever has stolen a first key cannot use the moment in which a process still trusts it."""
    stolen = Keyring(world.desk, 60).caller(world.player("ada"))
    admin = Keyring(world.desk, 60).caller(world.admin)
    keys.replace_keys(world.desk, admin, str(stolen.player))
    for attempt in (
        lambda: keys.replace_keys(world.desk, stolen, str(stolen.player)),
        lambda: keys.make_key(world.desk, stolen, ("play",), None, ""),
    ):
        with pytest.raises(Problem, match="key-unknown"):
            attempt()
    assert len(world.desk.directory.keys_of(str(stolen.player))) == 1


def test_two_recoveries_at_once_leave_one_key(world: World) -> None:
    first = Keyring(world.desk, 0.5).caller(world.player("ada"))
    admin = Keyring(world.desk, 0.5).caller(world.admin)
    workers = [
        threading.Thread(target=keys.replace_keys, args=(world.desk, admin, str(first.player))) for _ in range(5)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(20)
    assert len(world.desk.directory.keys_of(str(first.player))) == 1
