"""A log whose memory is full refuses every write and reports why; reads still work, and nothing is evicted."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from redis import Redis
from redis.exceptions import OutOfMemoryError

from referee.ops.embedded import socket_path
from tests.campaigns.faults import UNLIMITED
from tests.service import Service
from tests.waiting import eventually

MEMORY_MB = 4
BALLAST_BYTES = 1 << 10


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path, REDIS_MEMORY_MB=str(MEMORY_MB), **UNLIMITED).start()
    yield running
    running.kill()


def fill(redis: Redis) -> None:
    """Write until the memory is full."""
    with pytest.raises(OutOfMemoryError):
        while True:
            redis.append("ballast", bytes(BALLAST_BYTES))


def redis_of(service: Service, part: str) -> Redis:
    return Redis.from_url(f"unix://{socket_path(service.directory / 'var' / part)}")


def test_the_settings_reach_the_servers(service: Service) -> None:
    for part, memory_mb in (("redis", MEMORY_MB), ("queue", 256)):
        redis = redis_of(service, part)
        assert redis.config_get("maxmemory*")["maxmemory"] == str(memory_mb << 20)
        assert redis.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_a_full_memory_refuses_only_writes(service: Service) -> None:
    ada = service.player("ada")
    game = ada.started("me", "me", options={"first_seat": 0})["id"]
    move = ada.legal(game, 0)["moves"][0]
    assert ada.get("/games").status_code == 200, "the first list creates the secret of the cursors"
    redis = redis_of(service, "redis")
    # Connections that close free their buffers.
    eventually(lambda: fill(redis) or is_unready(service))
    kept = redis.dbsize()
    writes = {
        "a game": lambda: ada.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"]}),
        "a move": lambda: ada.move(game, move, 0),
        "a resignation": lambda: ada.post(f"/games/{game}/resignation", params={"seat": 0}),
        "a player": lambda: ada.post("/players", {"name": "bob"}),
        "a key": lambda: ada.post("/keys", {"scopes": ["watch"]}),
    }
    for name, write in writes.items():
        answer = write()
        assert answer.status_code == 503, (name, answer.text)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert int(answer.headers["Retry-After"]) > 0
        assert answer.json()["code"] == "unavailable"
        assert answer.json()["detail"].startswith("The memory of the log is full"), name
    for path in (
        *("/me", "/keys", "/games", "/games?mine=true", f"/games/{game}", f"/games/{game}?at=1"),
        *(f"/games/{game}/events", f"/games/{game}/legal-moves?seat=0", f"/games/{game}/audit"),
    ):
        assert ada.get(path).status_code == 200, path
    assert ada.move(game, move, 0, params={"dry_run": "true"}).status_code == 200
    assert requests.get(f"{service.url}/healthz", timeout=20).status_code == 200
    assert redis.dbsize() >= kept
    service.stop()
    service.settings["REDIS_MEMORY_MB"] = "64"
    service.start()
    assert ada.move(game, move, 0).status_code == 201


def is_unready(service: Service) -> bool:
    answer = requests.get(f"{service.url}/readyz", timeout=20)
    return answer.status_code == 503 and "The memory of the log is full" in answer.json()["detail"]
