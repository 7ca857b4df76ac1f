"""Admins can replace the keys of a player, and the player always learns of it."""

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.service import players
from referee.service.players import Keyring
from referee.service.problems import Problem
from tests.api.test_key_trees import Branch, Tree, branch, first_key
from tests.api.world import World
from tests.schemas.document import validate_message
from tests.service import Client, Service
from tests.waiting import eventually


@pytest.fixture
def root(admin: Client) -> Branch:
    return branch(admin.url, str(admin.key), {})


def recovered(by: Client, player: dict[str, Any]) -> Branch:
    """Recover a player, and return the new first key."""
    answer = by.post(f"/players/{player['id']}/recovery")
    assert answer.status_code == 201, answer.text
    assert answer.json()["player"] == player
    return branch(by.url, answer.json()["key"], player)


def test_an_admin_cannot_get_the_key_of_a_player_unnoticed(service: Service, root: Branch) -> None:
    """An admin tries every call that returns a key against a player in a game."""
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


def test_a_recovery_revokes_all_keys_and_is_shown_to_the_player(service: Service, root: Branch) -> None:
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


def test_the_stream_of_a_player_reports_a_recovery_without_an_id(service: Service, root: Branch) -> None:
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
        validate_message("My", first)
        assert second["event"] == "awaited"
        stream.close()


def test_an_admin_cannot_hide_a_recovery(service: Service, root: Branch) -> None:
    ada = first_key(service)
    taken = recovered(root, ada.player)
    when = taken.get("/me").json()["recovered_at"]
    replaced = recovered(taken, ada.player)
    assert replaced.get("/me").json()["recovered_at"] == when
    replaced.child()
    assert recovered(replaced, ada.player).get("/me").json()["recovered_at"] == when
    assert recovered(root, ada.player).get("/me").json()["recovered_at"] > when


def test_a_player_can_recover_with_the_first_key_only(service: Service) -> None:
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


def test_only_an_admins_first_key_can_grant_admin_scopes(service: Service, root: Branch) -> None:
    """Otherwise a key that was made with another could outlive it as another player's key."""
    created = root.post("/players", {"name": "grace", "scopes": ["play", "watch", "audit"]}).json()
    helper = root.child(scopes=["admin"])
    for client in (helper, helper.child(scopes=["admin"])):
        for scope in ("audit", "admin"):
            answer = client.post("/players", {"name": "eve", "scopes": [scope]})
            assert (answer.status_code, answer.json()["code"]) == (403, "first-key-required")
        for path in (
            f"/players/{created['player']['id']}/recovery",
            f"/players/{root.get('/me').json()['player']['id']}/recovery",
        ):
            assert client.post(path).json()["code"] == "first-key-required"
        assert client.post("/players", {"name": "eve"}).status_code == 201
    for client in (first_key(service), service.nobody()):
        assert client.post("/players", {"name": "eve", "scopes": ["admin"]}).status_code in (401, 403)
    new = recovered(root, created["player"])
    assert new.get("/me").json()["key"]["scopes"] == ["play", "watch", "audit"]
    assert recovered(helper, first_key(service).player).get("/me").json()["recovered_at"]


@pytest.mark.parametrize("id", ["p_" + "0" * 24, "self", "x"])
def test_an_unknown_player_cannot_be_recovered(root: Branch, id: str) -> None:
    answer = root.post(f"/players/{id}/recovery")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-player")


def test_a_revoked_key_that_a_process_still_trusts_cannot_recover(world: World) -> None:
    """A thief of a first key cannot use the second in which a process still trusts it."""
    stolen = Keyring(world.repository, 60).caller(world.player("ada"))
    admin = Keyring(world.repository, 60).caller(world.admin)
    players.replace_keys(world.repository, admin, str(stolen.player))
    for attempt in (
        lambda: players.replace_keys(world.repository, stolen, str(stolen.player)),
        lambda: players.make_key(world.repository, stolen, ("play",), None, ""),
    ):
        with pytest.raises(Problem, match="key-unknown"):
            attempt()
    assert len(world.repository.directory.keys_of(str(stolen.player))) == 1


def test_two_simultaneous_recoveries_leave_one_key(world: World) -> None:
    first = Keyring(world.repository, 0.5).caller(world.player("ada"))
    admin = Keyring(world.repository, 0.5).caller(world.admin)
    workers = [
        threading.Thread(target=players.replace_keys, args=(world.repository, admin, str(first.player)))
        for _ in range(5)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(20)
    assert len(world.repository.directory.keys_of(str(first.player))) == 1
