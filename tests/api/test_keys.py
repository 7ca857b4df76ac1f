"""Keys: hashed, scoped, expiring, revocable; never in logs or in Redis."""

import time
from datetime import UTC, datetime, timedelta

from tests.service import Client, Service
from tests.waiting import eventually


def with_key(client: Client, **fields: object) -> Client:
    answer = client.post("/keys", fields)
    assert answer.status_code == 201, answer.text
    return Client(client.url, answer.json()["key"], client.player)


def test_a_player_gets_a_key_that_tells_who_they_are(ada: Client) -> None:
    me = ada.get("/me").json()
    assert me["player"] == ada.player
    assert me["key"]["scopes"] == ["play", "watch"]


def test_a_key_that_is_unknown_or_malformed_is_refused(service: Service, ada: Client) -> None:
    assert ada.key is not None
    wrong = ada.key[:-1] + ("0" if ada.key[-1] != "0" else "1")
    for token in (wrong, "rk_nonsense", "nonsense", "rk_k_" + "0" * 24 + "_00"):
        answer = Client(service.url, token, {}).get("/me")
        assert (answer.status_code, answer.json()["code"]) == (401, "key-unknown")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    answer = service.nobody().get("/me", headers={"Authorization": "Basic YTpi"})
    assert (answer.status_code, answer.json()["code"]) == (401, "key-malformed")
    assert service.nobody().get("/me").json()["code"] == "key-required"


def test_a_key_can_do_what_its_scopes_say_and_no_more(ada: Client) -> None:
    watcher = with_key(ada, scopes=["watch"], label="tablet")
    game = ada.started("me", "me", options={"first_seat": 0})
    assert watcher.game(game["id"])["seat"] == 0
    assert watcher.legal(game["id"], 0)["moves"]
    refused = watcher.move(game["id"], {"type": "decline"}, 0)
    assert (refused.status_code, refused.json()["code"], refused.json()["scope"]) == (403, "scope-missing", "play")
    assert watcher.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"]}).status_code == 403
    assert watcher.post("/keys", {"scopes": ["play"]}).status_code == 403


def test_no_key_gives_more_than_it_has(ada: Client, admin: Client) -> None:
    assert ada.post("/keys", {"scopes": ["admin"]}).status_code == 403
    assert ada.post("/keys", {"scopes": ["audit"]}).status_code == 403
    assert ada.post("/keys", {"player": "p_somebody"}).status_code == 403
    given = admin.post("/keys", {"scopes": ["audit"], "player": ada.player["id"]})
    assert (given.status_code, given.json()["player"]) == (201, ada.player["id"])
    assert admin.post("/keys", {"player": "p_nobody"}).json()["code"] == "unknown-player"


def test_an_auditor_sees_private_games(ada: Client, bob: Client, admin: Client) -> None:
    game = ada.started("me", "me", visibility="private")
    text = admin.post("/keys", {"scopes": ["audit"], "player": bob.player["id"]}).json()["key"]
    auditor = Client(bob.url, text, bob.player)
    assert auditor.get(f"/games/{game['id']}/audit").json()["verdict"] == "running"
    assert bob.get(f"/games/{game['id']}/audit").status_code == 404
    assert auditor.game(game["id"])["seat"] is None


def test_a_key_expires(ada: Client) -> None:
    at = datetime.now(UTC) + timedelta(seconds=1.5)
    short = with_key(ada, expires_at=at.isoformat())
    assert short.get("/me").status_code == 200
    eventually(lambda: short.get("/me").status_code == 401, 5)
    assert short.get("/me").json()["code"] == "key-expired"
    assert datetime.now(UTC) >= at
    past = ada.post("/keys", {"expires_at": "2001-01-01T00:00:00Z"})
    assert (past.status_code, past.json()["code"]) == (422, "invalid-request")


def test_a_revoked_key_is_refused_everywhere_within_a_second(ada: Client, bob: Client) -> None:
    other = with_key(ada, label="lost")
    (id,) = [key["id"] for key in ada.get("/keys").json()["keys"] if key["label"] == "lost"]
    # Warm the caches of all web processes before the key is revoked.
    for _ in range(20):
        assert Client(other.url, other.key, {}).get("/me").status_code == 200
    assert bob.delete(f"/keys/{id}").status_code == 404
    assert ada.delete(f"/keys/{id}").status_code == 204
    revoked = time.monotonic()
    eventually(lambda: time.monotonic() > revoked + 1, 5)
    for _ in range(20):
        assert Client(other.url, other.key, {}).get("/me").status_code == 401
    assert id not in ada.get("/keys").text


def test_an_event_stream_ends_with_the_key_it_was_opened_with(ada: Client) -> None:
    game = ada.started("me", "me", visibility="private", options={"first_seat": 0})
    lost = with_key(ada, label="stolen")
    short = with_key(ada, expires_at=(datetime.now(UTC) + timedelta(seconds=2)).isoformat())
    streams = [client.stream(f"/games/{game['id']}/events") for client in (lost, short)]
    for stream in streams:
        stream.await_messages(1)
    (id,) = [key["id"] for key in ada.get("/keys").json()["keys"] if key["label"] == "stolen"]
    assert ada.delete(f"/keys/{id}").status_code == 204
    for stream in streams:
        eventually(lambda stream=stream: not stream.is_open(), 5)


def test_neither_redis_nor_the_logs_know_a_key(service: Service, ada: Client) -> None:
    assert ada.key is not None
    secret = ada.key.rsplit("_", 1)[1]
    ada.get("/me")
    assert secret not in service.log()
    commands = (service.directory / "var" / "redis" / "appendonly.aof").read_bytes()
    assert b"key:k_" in commands
    assert secret.encode() not in commands


def test_registration_can_be_closed(tmp_path) -> None:
    closed = Service(tmp_path, OPEN_REGISTRATION="false").start()
    try:
        refused = closed.nobody().post("/players", {"name": "eve"})
        assert (refused.status_code, refused.json()["code"]) == (403, "registration-closed")
        assert closed.admin().post("/players", {"name": "eve"}).status_code == 201
    finally:
        assert closed.stop() == 0
