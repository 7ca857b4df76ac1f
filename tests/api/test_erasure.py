"""Erasing a player: no answer and no key of the store shows a name or an id any more, and every proof stays."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from redis import Redis

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee.service.sentences import ERASED_NAME
from referee.service.views import ERASED_ID, ERASED_TEXT
from tests.service import Client, Service
from tests.waiting import eventually

TOLD = ("/events?with=view,legal,text", "/events?with=text&limit=1")
"""The log in words."""


def stored(service: Service) -> Iterator[bytes]:
    """Every key of both Redis servers that does not expire by itself, and every value."""
    for url in (service.redis_url, service.queue_url):
        redis: Any = Redis.from_url(url)
        for key in redis.scan_iter(count=1000):
            if redis.ttl(key) == -1:
                yield key
                yield from _parts(redis, key)


def _parts(redis: Any, key: bytes) -> Iterator[bytes]:
    match redis.type(key):
        case b"string":
            yield redis.get(key) or b""
        case b"hash":
            yield from (part for pair in redis.hgetall(key).items() for part in pair)
        case b"zset":
            yield from redis.zrange(key, 0, -1)
        case b"stream":
            yield from (part for _, fields in redis.xrange(key) for part in fields.values())
        case b"list":
            yield from redis.lrange(key, 0, -1)
        case b"set":
            yield from redis.smembers(key)


@pytest.fixture
def name() -> str:
    """A name that occurs nowhere else."""
    return f"Zephyrine-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def zoe(service: Service, name: str) -> Client:
    return service.player(name)


def over(client: Client, id: str) -> str:
    eventually(lambda: client.game(id)["status"] in ("finished", "annulled"))
    client.audit(id)
    return id


def answers_about(clients: tuple[Client, ...], games: list[str]) -> Iterator[str]:
    """Everything that others can read about these games."""
    for client in clients:
        for id in games:
            for path in ("", "?at=0", "/audit", "/record", "/luck", "/legal-moves?with=text", "/events", *TOLD):
                yield client.get(f"/games/{id}{path}").text
        for query in ("", "?mine=true", "?status=finished", "?status=annulled", "?status=running"):
            yield client.get(f"/games{query}&limit=100" if "?" in query else "/games?limit=100").text


def test_nothing_of_an_erased_player_is_left_and_every_audit_stays(
    service: Service, zoe: Client, name: str, ada: Client, bob: Client, admin: Client
) -> None:
    id = zoe.player["id"]
    ended = ada.started(ada, zoe, on_resignation="end", options={"first_seat": 1})["id"]
    move = zoe.legal(ended)["moves"][0]
    assert zoe.move(ended, move, headers={"Idempotency-Key": f"{name}-1"}).status_code == 201
    reason = {"action": "pause", "reason": f"{name} asked for tea."}
    assert admin.post(f"/games/{ended}/administration", reason).status_code == 201
    assert zoe.post(f"/games/{ended}/resignation", headers={"Idempotency-Key": f"{name}-2"}).status_code == 201
    private = zoe.started("me", ada, visibility="public", on_resignation="bot")["id"]
    running = bob.started(bob, zoe, zoe, on_resignation="end")["id"]
    waiting = ada.create("me", "open", zoe)["id"]
    own = zoe.create("me", "open")["id"]
    invited = bob.create("me", {"player": id})["id"]
    inviting = zoe.create("me", {"player": ada.player["id"]})["id"]
    withdrawn = zoe.create("me", "open")["id"]
    assert (
        admin.post(f"/games/{withdrawn}/administration", {"action": "annul", "reason": f"{name}!"}).status_code == 204
    )
    games = [ended, private, running, waiting, own, invited, inviting, withdrawn]
    over(ada, ended)
    before = {ended: ada.get(f"/games/{ended}/audit").content}
    record = read_record(_lines(ada, ended))
    assert any(held.player == id for _, held in record.beside.holders)

    done = zoe.delete(f"/players/{id}")
    assert (done.status_code, done.json()) == (202, {"games": 8, "resigned": 2})

    eventually(lambda: zoe.get("/me").status_code == 401)
    assert admin.delete(f"/players/{id}").json()["code"] == "unknown-player"
    over(ada, running)
    readers = (ada, bob, admin, service.nobody())
    # Each web process trusts a name for half a second.
    eventually(lambda: not any(name in seen or id in seen for seen in answers_about(readers, games)))
    seen = "".join(answers_about(readers, games))
    assert name not in seen
    assert id not in seen
    assert ERASED_NAME in str(ada.get(f"/games/{ended}/events?with=text").json()["commits"][-1]["text"])
    left = [part for part in stored(service) if name.encode() in part or id.removeprefix("p_").encode() in part]
    assert left == []
    assert {game: ada.get(f"/games/{game}/audit").content for game in before} == before
    erased = read_record(_lines(ada, ended))
    assert audit(erased) == audit(record)
    assert (erased.header, erased.entries, erased.secret) == (record.header, record.entries, record.secret)
    assert [held.player for _, held in erased.beside.holders] == [ada.player["id"]]
    assert erased.beside.texts == ()
    seats = ada.game(ended)["seats"]
    assert seats[1]["player"] == {"bot": False, "id": ERASED_ID, "name": ERASED_NAME}
    reasons = [commit["move"] for commit in ada.get(f"/games/{ended}/events").json()["commits"]]
    assert {"type": "pause_game", "reason": ERASED_TEXT} in reasons
    assert ada.game(waiting)["seats"][2]["player"] is None
    assert ada.game(own)["status"] == ada.game(inviting)["status"] == "annulled"
    assert audit(read_record(_lines(bob, running))).verdict == "proved"
    others = ada.get("/games?mine=true&limit=100").json()["games"]
    assert {ended, private} <= {game["id"] for game in others}


def _lines(client: Client, id: str) -> Iterator[bytes]:
    text = client.get(f"/games/{id}/record").content
    return iter(text.splitlines(keepends=True))


def test_only_the_first_key_and_admins_erase(zoe: Client, ada: Client, admin: Client, service: Service) -> None:
    id = zoe.player["id"]
    assert ada.delete(f"/players/{id}").json()["code"] == "scope-missing"
    assert service.nobody().delete(f"/players/{id}").json()["code"] == "key-required"
    second = zoe.post("/keys", {"scopes": ["play"]}).json()["key"]
    other = Client(service.url, second, zoe.player)
    assert other.delete(f"/players/{id}").json()["code"] == "first-key-required"
    for unknown in ("p_" + "0" * 24, "p_x", "x", "p_" + "f" * 24, f"{id} "):
        assert admin.delete(f"/players/{unknown}").json()["code"] in ("unknown-player", "not-found")
    assert zoe.get("/me").status_code == 200
    assert admin.delete(f"/players/{id}").status_code == 202
    eventually(lambda: other.get("/me").status_code == 401)


def test_streams_of_an_erased_player_end(zoe: Client) -> None:
    stream = zoe.stream("/me/events")
    assert zoe.delete(f"/players/{zoe.player['id']}").status_code == 202
    eventually(lambda: not stream.is_open())


def test_the_seat_of_an_erased_player_is_played_on_and_the_game_is_proved(zoe: Client, ada: Client) -> None:
    game = ada.started("me", zoe, on_resignation="bot")["id"]
    assert zoe.delete(f"/players/{zoe.player['id']}").json() == {"games": 1, "resigned": 1}
    assert ada.game(game)["seats"][1]["resigned"] is True
    assert ada.post(f"/games/{game}/resignation").status_code == 201
    eventually(lambda: ada.game(game)["status"] == "finished", 60)
    assert ada.audit(game)["verdict"] == "proved"


def test_two_erasures_at_once_do_no_harm(zoe: Client, ada: Client, admin: Client) -> None:
    games = [ada.create("me", zoe, on_resignation="end")["id"] for _ in range(3)]
    for game in games:
        eventually(lambda game=game: ada.game(game)["version"] > 0)
    answers: list[requests.Response] = [client.delete(f"/players/{zoe.player['id']}") for client in (zoe, admin)]
    assert [answer.status_code for answer in answers] == [202, 404]
