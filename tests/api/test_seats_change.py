"""Seats, keys and roles change while streams and long polls are open: readers see only what they may see now."""

import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import requests

from referee.store.channels import game_channel
from referee.wiring import connect
from tests.service import Client, Service, Stream
from tests.waiting import eventually

HAND = 6


def sit(client: Client, id: str, seat: int, **fields: Any) -> None:
    answer = client.post(f"/games/{id}/seats", {"seat": seat, **fields})
    assert answer.status_code == 201, answer.text


def get_up(client: Client, id: str, seat: int) -> None:
    assert client.delete(f"/games/{id}/seats/{seat}").status_code == 204


def in_background(ask: Callable[[], requests.Response]) -> tuple[threading.Thread, list[requests.Response]]:
    answers: list[requests.Response] = []
    thread = threading.Thread(target=lambda: answers.append(ask()))
    thread.start()
    return thread, answers


def set_up(client: Client, id: str) -> dict[str, Any]:
    return eventually(lambda: (game := client.game(id))["version"] > 0 and game)


def page(client: Client, id: str) -> list[dict[str, Any]]:
    return client.get(f"/games/{id}/events").json()["commits"]


def is_followed(service: Service, id: str) -> bool:
    """Whether a web process listens to a game for a reader."""
    ((_, listeners),) = connect(service.redis_url).pubsub_numsub(game_channel(id))
    return listeners > 0


def swapped(ada: Client, bob: Client, eve: Client, query: str) -> tuple[str, Stream]:
    """Eve opens a stream in seat 0, leaves the seat to ada, and takes seat 1."""
    id = bob.create("open", "open", "me")["id"]
    sit(eve, id, 0)
    stream = eve.stream(f"/games/{id}/events{query}")
    get_up(eve, id, 0)
    sit(ada, id, 0)
    sit(eve, id, 1)
    set_up(eve, id)
    return id, stream


def test_a_stream_shows_the_current_seat_of_its_reader(ada: Client, bob: Client, service: Service) -> None:
    eve = service.player("eve")
    id, stream = swapped(ada, bob, eve, "")
    (message,) = stream.await_messages(1)
    assert message["data"] == page(eve, id)[0]
    hands = message["data"]["events"][0]["hands"]
    assert [hand is None for hand in hands] == [True, False, True]
    stream.close()


def test_a_stream_of_a_seat_ends_when_another_player_takes_the_seat(ada: Client, bob: Client, service: Service) -> None:
    _, stream = swapped(ada, bob, service.player("eve"), "?seat=0")
    eventually(lambda: not stream.is_open())
    assert stream.messages == []


def test_the_stream_of_a_player_who_left_becomes_that_of_a_spectator(ada: Client, bob: Client) -> None:
    id = ada.create("me", "open", "open")["id"]
    sit(bob, id, 1)
    stream = bob.stream(f"/games/{id}/events")
    get_up(bob, id, 1)
    sit(ada, id, 1)
    sit(ada, id, 2)
    (message,) = stream.await_messages(1)
    assert message["data"]["events"][0]["hands"] == [None, None, None]
    stream.close()


def test_a_long_poll_shows_the_current_seat_of_its_reader(ada: Client, bob: Client, service: Service) -> None:
    eve = service.player("eve")
    id = bob.create("open", "open", "me")["id"]
    sit(eve, id, 0)
    polls = [
        in_background(lambda query=query: Client(eve.url, eve.key, {}).get(f"/games/{id}/events?wait=30{query}"))
        for query in ("", "&seat=0")
    ]
    eventually(lambda: is_followed(service, id))
    get_up(eve, id, 0)
    sit(ada, id, 0)
    sit(eve, id, 1)
    for thread, _ in polls:
        thread.join(30)
    (_, (plain,)), (_, (as_seat,)) = polls
    assert plain.json()["commits"] == page(eve, id)
    assert plain.json()["commits"][0]["events"][0]["hands"][0] is None
    assert (as_seat.status_code, as_seat.json()["code"]) == (403, "not-your-seat")


def test_a_player_who_left_a_private_game_cannot_read_it(ada: Client, bob: Client, service: Service) -> None:
    id = ada.create("me", "open", "open", visibility="private", join_code="open sesame")["id"]
    sit(bob, id, 1, join_code="open sesame")
    stream = bob.stream(f"/games/{id}/events")
    thread, answers = in_background(lambda: Client(bob.url, bob.key, {}).get(f"/games/{id}/events?wait=30"))
    eventually(lambda: is_followed(service, id))
    get_up(bob, id, 1)
    sit(ada, id, 1)
    sit(ada, id, 2)
    thread.join(30)
    assert answers[0].status_code == 404
    eventually(lambda: not stream.is_open())
    assert stream.messages == []


@pytest.mark.parametrize("seed", range(4))
def test_streams_show_the_same_as_pages_after_any_changes_of_seats(seed: int, service: Service) -> None:
    """Three players change seats and open streams at random, then play; no stream shows more than a page."""
    rng = random.Random(seed)
    host, *people = (service.player(name) for name in ("host", "ada", "bob", "eve"))
    id = host.create("open", "open", "open")["id"]
    held: dict[int, Client] = {}
    streams: list[tuple[Client, Stream]] = []
    for _ in range(12):
        someone = rng.choice(people)
        match rng.choice(("sit", "get up", "stream")):
            case "sit" if len(held) < 2:
                seat = rng.choice([seat for seat in range(3) if seat not in held])
                sit(someone, id, seat)
                held[seat] = someone
            case "get up" if mine := [seat for seat, holder in held.items() if holder is someone]:
                get_up(someone, id, mine[0])
                del held[mine[0]]
            case "stream":
                streams.append((someone, someone.stream(f"/games/{id}/events")))
    for seat in [seat for seat in range(3) if seat not in held]:
        held[seat] = rng.choice(people)
        sit(held[seat], id, seat)
    set_up(host, id)
    for _ in range(3):
        seat = host.game(id)["awaited"][0]["seat"]
        assert held[seat].move(id, held[seat].legal(id, seat)["moves"][0], seat).status_code == 201
    for reader, stream in streams:
        commits = page(reader, id)
        sent = stream.await_messages(len(commits))
        assert [message["data"] for message in sent] == commits
        stream.close()


def casual(client: Client) -> dict[str, Any]:
    """Return a start position in which every seat has a hand of its own."""
    answer = client.post("/rulesets/catham-city/positions", {"seats": 2, "seed": "x"})
    return answer.json()["position"]


def test_a_waiting_casual_game_has_only_the_view_of_a_spectator(ada: Client, bob: Client) -> None:
    id = ada.create("open", "open", position=casual(ada))["id"]
    sit(bob, id, 0)
    game = bob.game(id)
    assert (game["seat"], game["status"]) == (0, "waiting")
    for shown in (game, bob.game(id, seat=0), bob.game(id, at=0), ada.game(id)):
        assert [seat["hand"] for seat in shown["view"]["seats"]] == [None, None]
        assert shown["awaited"] == []
    assert bob.legal(id) == {"version": 0, "seat": 0, "moves": [], "families": [], "default": None}
    assert page(bob, id) == []
    tag = bob.get(f"/games/{id}").headers["ETag"]
    sit(ada, id, 1)
    after = bob.get(f"/games/{id}", headers={"If-None-Match": tag})
    assert after.status_code == 200
    assert sum(after.json()["view"]["seats"][0]["hand"].values()) == HAND


def test_a_new_player_sees_no_hand_before_the_start(ada: Client, bob: Client) -> None:
    first = bob.post("/games", {"ruleset": "catham-city", "seats": ["me", "open"], "position": casual(ada)}).json()
    assert [seat["hand"] for seat in first["view"]["seats"]] == [None, None]
    last = ada.post(f"/games/{first['id']}/seats", {}).json()
    assert [seat["hand"] is None for seat in last["view"]["seats"]] == [True, False]


@pytest.mark.parametrize("path", ["", "&seat=0"])
def test_a_long_poll_whose_key_is_revoked_meanwhile_is_answered_401(ada: Client, service: Service, path: str) -> None:
    id = ada.started("me", "me")["id"]
    created = ada.post("/keys", {"scopes": ["watch"]}).json()
    spare = Client(ada.url, created["key"], ada.player)
    thread, answers = in_background(lambda: spare.get(f"/games/{id}/events?after=1&wait=30{path}"))
    eventually(lambda: is_followed(service, id))
    assert ada.delete(f"/keys/{created['id']}").status_code == 204
    thread.join(10)
    assert (answers[0].status_code, answers[0].json()["code"]) == (401, "key-unknown")


def test_a_long_poll_ends_when_its_key_expires(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    expires = datetime.now(UTC) + timedelta(seconds=1.5)
    created = ada.post("/keys", {"scopes": ["watch"], "expires_at": expires.isoformat()}).json()
    spare = Client(ada.url, created["key"], ada.player)
    answer = spare.get(f"/games/{id}/events?after=1&wait=30")
    assert (answer.status_code, answer.json()["code"]) == (401, "key-expired")
