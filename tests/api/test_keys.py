"""Keys are hashed, scoped, revocable and can expire; they are never in logs or in Redis."""

import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from redis import Redis

from referee.ops.embedded import socket_path
from referee.service import players
from referee.service.players import Keyring
from referee.service.problems import Problem
from tests.api.world import World
from tests.redis_server import growing_file
from tests.service import Client, Service
from tests.waiting import eventually


def with_key(client: Client, **fields: object) -> Client:
    answer = client.post("/keys", fields)
    assert answer.status_code == 201, answer.text
    return Client(client.url, answer.json()["key"], client.player)


def test_a_new_player_gets_a_key(ada: Client) -> None:
    me = ada.get("/me").json()
    assert me["player"] == ada.player
    assert me["key"]["scopes"] == ["play", "watch"]


def test_an_unknown_or_malformed_key_is_refused(service: Service, ada: Client) -> None:
    assert ada.key is not None
    wrong = ada.key[:-1] + ("0" if ada.key[-1] != "0" else "1")
    for token in (wrong, "rk_nonsense", "nonsense", "rk_k_" + "0" * 40 + "_00", "rk_self_00"):
        answer = Client(service.url, token, {}).get("/me")
        assert (answer.status_code, answer.json()["code"]) == (401, "key-unknown")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    answer = service.nobody().get("/me", headers={"Authorization": "Basic YTpi"})
    assert (answer.status_code, answer.json()["code"]) == (401, "key-malformed")
    assert service.nobody().get("/me").json()["code"] == "key-required"


def test_the_scopes_of_a_key_limit_what_it_can_do(ada: Client) -> None:
    watcher = with_key(ada, scopes=["watch"], label="tablet")
    game = ada.started("me", "me", options={"first_seat": 0})
    assert watcher.game(game["id"])["seat"] == 0
    assert watcher.legal(game["id"], 0)["moves"]
    refused = watcher.move(game["id"], {"type": "decline"}, 0)
    assert (refused.status_code, refused.json()["code"], refused.json()["scope"]) == (403, "scope-missing", "play")
    assert watcher.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"]}).status_code == 403
    assert watcher.post("/keys", {"scopes": ["play"]}).status_code == 403


def test_an_auditor_sees_private_games(ada: Client, bob: Client, admin: Client) -> None:
    game = ada.started("me", "me", visibility="private")
    text = admin.post("/players", {"name": "grace", "scopes": ["audit"]}).json()["key"]
    auditor = Client(bob.url, text, {})
    assert auditor.get(f"/games/{game['id']}/audit").json()["verdict"] == "running"
    assert bob.get(f"/games/{game['id']}/audit").status_code == 404
    assert auditor.game(game["id"])["seat"] is None


def test_a_key_expires(ada: Client) -> None:
    at = datetime.now(UTC) + timedelta(seconds=3)
    short = with_key(ada, expires_at=at.isoformat())
    assert short.get("/me").status_code == 200
    eventually(lambda: short.get("/me").status_code == 401)
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
    eventually(lambda: time.monotonic() > revoked + 1)
    for _ in range(20):
        assert Client(other.url, other.key, {}).get("/me").status_code == 401
    assert id not in ada.get("/keys").text


def test_an_event_stream_ends_when_its_key_is_revoked(ada: Client) -> None:
    game = ada.started("me", "me", visibility="private", options={"first_seat": 0})
    lost = with_key(ada, label="stolen")
    short = with_key(ada, expires_at=(datetime.now(UTC) + timedelta(seconds=4)).isoformat())
    streams = [client.stream(f"/games/{game['id']}/events") for client in (lost, short)]
    for stream in streams:
        stream.await_messages(1)
    (id,) = [key["id"] for key in ada.get("/keys").json()["keys"] if key["label"] == "stolen"]
    assert ada.delete(f"/keys/{id}").status_code == 204
    for stream in streams:
        eventually(lambda stream=stream: not stream.is_open())


def test_no_key_is_in_redis_or_in_the_logs(tmp_path: Path) -> None:
    """Even after a key was used in headers, paths, queries, bodies and streams."""
    talkative = Service(tmp_path, LOG_LEVEL="DEBUG").start()
    try:
        ada = talkative.player("ada")
        admin, further = talkative.admin(), with_key(ada, label="phone", scopes=["play", "watch"])
        shown = "".join(use(client) for client in (ada, further, admin))
        secrets = [str(client.key).rsplit("_", 1)[1] for client in (ada, further, admin)]
        redis, queue = (talkative.directory / "var" / name for name in ("redis", "queue"))
        stored = b"".join(everything(Redis.from_url(f"unix://{socket_path(each)}")) for each in (redis, queue))
        commands = growing_file(redis).read_bytes()
        server_logs = (redis / "redis.log").read_bytes() + (queue / "redis.log").read_bytes()
        logs = talkative.log().replace(str(admin.key), "", 1)
        assert "used-everywhere" in logs
        assert b"k_" + str(ada.player["id"])[2:].encode() in commands
        assert b"phone" in stored
        for secret in secrets:
            assert secret not in logs
            assert secret not in shown
            for text in (stored, commands, server_logs):
                assert secret.encode() not in text
    finally:
        assert talkative.stop() == 0


def use(client: Client) -> str:
    """Use a key in right and wrong ways, and return all answers as one text."""
    key = str(client.key)
    game = client.started("me", "me", options={"first_seat": 0})["id"]
    stream = client.stream("/me/events")
    stream.await_messages(1)
    stream.close()
    answers = [
        client.get("/me", headers={"X-Request-Id": "used-everywhere"}),
        client.move(game, client.legal(game)["moves"][0], headers={"Idempotency-Key": "once"}),
        client.move(game, {"type": "nonsense"}),
        client.get("/keys"),
        client.get("/games", params={"key": "of mine"}),
        client.get("/me", headers={"Authorization": f"Basic {key}"}),
        client.get("/me", headers={"Authorization": f"Bearer {key}x"}),
        client.get("/me", headers={"Authorization": key}),
    ]
    careless = Client(client.url, None, {})
    careless.get("/me", params={"key": key})
    careless.get(f"/games/{key}")
    careless.get(f"/games/{game}/{key}")
    careless.move(game, {"type": "nonsense"}, params={"key": key})
    careless.get("/me", headers={"X-Request-Id": key})
    assert {answer.status_code for answer in answers} == {200, 201, 401, 422}
    return "".join(f"{answer.headers}{answer.text}" for answer in answers)


def everything(redis: Redis) -> bytes:
    """Return all keys of a Redis with their values."""
    return b"".join(name + (redis.dump(name) or b"") + written(redis, name) for name in redis.scan_iter(count=1000))


def written(redis: Redis, name: bytes) -> bytes:
    """Return the value of a Redis key without compression, which a dump may have."""
    readers: dict[bytes, Callable[[], object]] = {
        b"string": lambda: redis.get(name),
        b"hash": lambda: redis.hgetall(name),
        b"set": lambda: redis.smembers(name),
        b"zset": lambda: redis.zrange(name, 0, -1),
        b"list": lambda: redis.lrange(name, 0, -1),
        b"stream": lambda: redis.xrange(name),
    }
    kind = redis.type(name)
    return repr(readers[kind]()).encode() if kind != b"none" else b""


def test_the_check_of_a_key_takes_the_same_path_whether_its_id_exists_or_not(world: World) -> None:
    """The calls of the check are recorded; no secret is compared character by character."""
    id = world.get("/v1/me", world.ada).get_json()["key"]["id"]
    wrong = [f"rk_{id}_{secret}" for secret in ("0" * 48, world.ada.rsplit("_", 1)[1][:-1] + "x", "")]
    unknown = [f"rk_k_{'0' * 40}_{secret}" for secret in ("0" * 48, "")]
    ring = Keyring(world.repository, 0.5)
    ways = [calls_of(ring, token) for token in (*wrong, *unknown)]
    assert all(way == ways[0] for way in ways)
    assert ways[0].count("compare_digest") == 1


def calls_of(ring: Keyring, token: str) -> list[str]:
    """Return the functions that a check calls in the modules of players and keys, without those that decode data."""
    called: list[str] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if frame.f_code.co_filename == players.__file__ and event in ("call", "c_call"):
            called.append(frame.f_code.co_name if event == "call" else argument.__name__)

    sys.setprofile(note)
    try:
        with pytest.raises(Problem, match="key-unknown"):
            ring.caller(token)
    finally:
        sys.setprofile(None)
    return called


def test_registration_can_be_closed(tmp_path) -> None:
    closed = Service(tmp_path, OPEN_REGISTRATION="false").start()
    try:
        refused = closed.nobody().post("/players", {"name": "eve"})
        assert (refused.status_code, refused.json()["code"]) == (403, "registration-closed")
        assert closed.admin().post("/players", {"name": "eve"}).status_code == 201
    finally:
        assert closed.stop() == 0
