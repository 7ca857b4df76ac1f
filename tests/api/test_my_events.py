"""The stream of a player, which reports everything that awaits an answer."""

import time
from typing import Any

from redis import Redis

from tests.live.tables import auction
from tests.schemas.document import validate_message
from tests.service import Client, Service, Stream
from tests.waiting import eventually


def messages(stream: Stream) -> list[tuple[str, str, int, int | None]]:
    return [(m["event"], m["data"]["game"], m["data"]["version"], m["data"].get("seat")) for m in stream.messages]


def move(client: Client, id: str, seat: int) -> None:
    assert client.move(id, client.legal(id, seat)["moves"][0], seat).status_code == 201


def test_the_first_decision_reports_a_new_game(ada: Client, bob: Client) -> None:
    stream = bob.stream("/me/events")
    id = ada.started("me", bob, options={"first_seat": 1})["id"]
    stream.await_messages(1)
    assert messages(stream) == [("awaited", id, 1, 1)]
    stream.close()


def test_a_seat_taken_after_connecting_is_reported(ada: Client, bob: Client) -> None:
    id = bob.create("me", "open", "open", options={"first_seat": 2})["id"]
    stream = bob.stream("/me/events")
    assert bob.post(f"/games/{id}/seats", {"seat": 2}).status_code == 201
    assert ada.post(f"/games/{id}/seats", {}).status_code == 201
    stream.await_messages(1)
    assert messages(stream) == [("awaited", id, 1, 2)]
    move(bob, id, 2)
    stream.await_messages(2)
    assert messages(stream)[1] == ("awaited", id, 2, 0)
    move(bob, id, 0)
    move(ada, id, 1)
    stream.await_messages(3)
    assert messages(stream)[2] == ("awaited", id, 4, 2)
    stream.close()


def test_a_move_that_a_seat_may_but_need_not_make_is_reported(ada: Client, bob: Client) -> None:
    stream = bob.stream("/me/events")
    id = ada.create("me", "me", bob, ruleset="fangfrisch", position=auction(3, 30))["id"]
    (message,) = stream.await_messages(1)
    assert (message["data"]["game"], message["data"]["seat"], message["data"]["obliged"]) == (id, 2, False)
    stream.close()


def await_removal(client: Client, id: str) -> None:
    """Wait until a worker has removed the game from the lists of open games."""
    ended = "/games?status=finished&limit=100"
    eventually(lambda: id in [game["id"] for game in client.get(ended).json()["games"]])


def test_a_new_connection_gets_what_awaits_the_player_and_what_ended_meanwhile(ada: Client, bob: Client) -> None:
    guest = bob
    before = ada.started("me", guest, options={"first_seat": 1}, on_resignation="end")["id"]
    assert ada.post(f"/games/{before}/resignation").status_code == 201
    await_removal(bob, before)
    first = ada.started("me", guest, options={"first_seat": 1}, on_resignation="end")["id"]
    second = ada.started("me", guest, options={"first_seat": 1})["id"]
    stream = bob.stream("/me/events")
    last = stream.await_messages(2)[-1]["id"]
    stream.close()
    assert ada.post(f"/games/{first}/resignation").status_code == 201
    await_removal(bob, first)
    again, fresh = bob.stream("/me/events", **{"Last-Event-ID": last}), bob.stream("/me/events")
    again.await_messages(2)
    fresh.await_messages(1)
    assert sorted(messages(again)) == sorted([("finished", first, 2, None), ("awaited", second, 1, 1)])
    assert messages(fresh) == [("awaited", second, 1, 1)]
    for each in (again, fresh):
        each.close()


def test_a_new_connection_repeats_open_decisions_but_not_ends(ada: Client, bob: Client) -> None:
    guest = bob
    first = ada.started("me", guest, options={"first_seat": 1}, on_resignation="end")["id"]
    stream = bob.stream("/me/events")
    awaited = stream.await_messages(1)[0]["id"]
    again = bob.stream("/me/events", **{"Last-Event-ID": awaited})
    again.await_messages(1)
    assert messages(again) == [("awaited", first, 1, 1)]
    assert ada.post(f"/games/{first}/resignation").status_code == 201
    finished = stream.await_messages(2)[1]["id"]
    assert finished == f"{first}:2"
    await_removal(bob, first)
    later = bob.stream("/me/events", **{"Last-Event-ID": finished})
    second = ada.started("me", guest, options={"first_seat": 1})["id"]
    later.await_messages(1)
    assert messages(later) == [("awaited", second, 1, 1)]
    for each in (stream, again, later):
        each.close()


def test_a_malformed_last_event_id_is_refused(bob: Client) -> None:
    for id in ("7", "g_:1", "x" * 300):
        refused = bob.get("/me/events", headers={"Last-Event-ID": id})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid-header")
    unknown = bob.stream("/me/events", **{"Last-Event-ID": f"g_{'0' * 24}:1"})
    unknown.close()


def test_each_key_of_a_player_has_a_stream_of_its_own(ada: Client, bob: Client) -> None:
    key = bob.post("/keys", {}).json()
    streams = [bob.stream("/me/events"), Client(bob.url, key["key"], {}).stream("/me/events")]
    first = ada.started("me", bob, options={"first_seat": 1})["id"]
    for stream in streams:
        stream.await_messages(1)
    assert bob.delete(f"/keys/{key['id']}").status_code == 204
    eventually(lambda: not streams[1].is_open())
    second = ada.started("me", bob, options={"first_seat": 1})["id"]
    streams[0].await_messages(2)
    assert messages(streams[0]) == [("awaited", first, 1, 1), ("awaited", second, 1, 1)]
    assert messages(streams[1]) == [("awaited", first, 1, 1)]
    streams[0].close()


def test_a_stream_survives_a_broken_connection_to_redis(service: Service, ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 0})["id"]
    mine, commits = bob.stream("/me/events"), bob.stream(f"/games/{id}/events")
    commits.await_messages(1)
    redis = Redis.from_url(service.redis_url)
    for _ in range(3):
        redis.client_kill_filter(_type="pubsub")
        move(ada, id, 0)
        move(bob, id, 1)
    commits.await_messages(7)
    eventually(lambda: ("awaited", id, 6, 1) in messages(mine) or bob.game(id)["awaited"][0]["seat"] == 0)
    move(ada, id, 0)
    eventually(lambda: messages(mine)[-1:] == [("awaited", id, 8, 1)])
    assert [message["id"] for message in commits.await_messages(8)] == [str(n) for n in range(1, 9)]
    for stream in (mine, commits):
        stream.close()


def test_heartbeats_go_on_when_the_connection_to_redis_breaks_again_and_again(service: Service, ada: Client) -> None:
    id = ada.started("me", "me", options={"first_seat": 0})["id"]
    redis = Redis.from_url(service.redis_url)
    for _ in range(8):
        for _ in range(4):
            Client(service.url, ada.key, {}).stream(f"/games/{id}/events").close()
        beats = time.monotonic() + 1
        eventually(lambda beats=beats: redis.client_kill_filter(_type="pubsub") and time.monotonic() > beats)
    eventually(lambda: service.open_streams() == 0)
    streams = [Client(service.url, ada.key, {}).stream(f"/games/{id}/events?after=1") for _ in range(6)]
    for seat in (0, 1):
        move(ada, id, seat)
    for stream in streams:
        stream.await_messages(2)
        eventually(lambda stream=stream: stream.comments)
        stream.close()
    eventually(lambda: service.open_streams() == 0)


def test_the_end_of_a_pause_repeats_the_decision(ada: Client, bob: Client, admin: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 1})["id"]
    stream = bob.stream("/me/events")
    stream.await_messages(1)
    for action in ("pause", "resume"):
        assert admin.post(f"/games/{id}/administration", {"action": action, "reason": "x"}).status_code == 201
    stream.await_messages(2)
    assert messages(stream)[1] == ("awaited", id, 3, 1)
    stream.close()


def test_the_annulment_of_a_waiting_game_is_reported(ada: Client, bob: Client, admin: Client) -> None:
    id = ada.create("me", bob, "open")["id"]
    stream = bob.stream("/me/events")
    assert admin.post(f"/games/{id}/administration", {"action": "annul", "reason": "x"}).status_code == 204
    stream.await_messages(1)
    assert messages(stream) == [("annulled", id, 0, None)]
    stream.close()


def asked(game: str, version: int, seat: int, consent: str, *agreed: int) -> dict[str, Any]:
    base = {"game": game, "ruleset": "catham-city", "version": version}
    return {**base, "seat": seat, "consent": consent, "agreed": list(agreed)}


def of(event: str, stream: Stream) -> list[dict[str, Any]]:
    """The data of the messages of one event, which keep to the document."""
    found = [message for message in stream.messages if message["event"] == event]
    for message in found:
        validate_message("My", message)
    return [message["data"] for message in found]


def agree(client: Client, id: str, to: str, seat: int, agreed: bool = True) -> None:
    assert client.post(f"/games/{id}/{to}?seat={seat}", {"agreed": agreed}).status_code == 201


def test_a_player_who_has_not_agreed_to_a_pause_or_its_end_is_asked(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 1})["id"]
    stream = bob.stream("/me/events")
    stream.await_messages(1)
    agree(ada, id, "pause", 0)
    stream.await_messages(3)
    assert messages(stream)[1:] == [("awaited", id, 2, 1), ("asked", id, 2, 1)]
    agree(bob, id, "pause", 1)
    agree(ada, id, "resumption", 0)
    stream.await_messages(4)
    assert bob.legal(id, 1)["moves"] == []
    agree(bob, id, "resumption", 1)
    stream.await_messages(5)
    assert messages(stream)[3:] == [("asked", id, 4, 1), ("awaited", id, 5, 1)]
    assert of("asked", stream) == [asked(id, 2, 1, "pause", 0), asked(id, 4, 1, "resumption", 0)]
    stream.close()


def test_a_player_who_has_voted_is_not_asked_again(ada: Client, bob: Client) -> None:
    guest = bob
    id = ada.started("me", guest, guest, "me", options={"first_seat": 0})["id"]
    hers, his = ada.stream("/me/events"), bob.stream("/me/events")
    hers.await_messages(1)
    agree(ada, id, "pause", 0)
    his.await_messages(2)
    assert of("asked", his) == [asked(id, 2, 1, "pause", 0), asked(id, 2, 2, "pause", 0)]
    no = bob.post(f"/games/{id}/pause?seat=1", {"agreed": False})
    assert (no.status_code, no.json()["code"]) == (409, "nothing-changes")
    move(ada, id, 0)
    agree(bob, id, "pause", 2)
    eventually(lambda: len(of("asked", his)) > 2 and of("asked", hers))
    assert of("asked", his)[2:] == [asked(id, 4, 1, "pause", 0, 2)]
    assert of("asked", hers) == [asked(id, 4, 3, "pause", 0, 2)]
    for each in (hers, his):
        each.close()


def test_a_new_connection_asks_for_consent_while_another_player_agrees(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 0})["id"]
    agree(ada, id, "pause", 0)
    for _ in range(2):
        stream = bob.stream("/me/events")
        stream.await_messages(1)
        assert of("asked", stream) == [asked(id, 2, 1, "pause", 0)]
        stream.close()
    agree(ada, id, "pause", 0, agreed=False)
    stream = bob.stream("/me/events")
    move(ada, id, 0)
    stream.await_messages(1)
    assert messages(stream) == [("awaited", id, 4, 1)]
    stream.close()


def test_a_takeover_is_reported_until_the_player_returns(ada: Client, bob: Client, admin: Client) -> None:
    guest, options = bob, {"first_seat": 1}
    stream = bob.stream("/me/events")
    id = ada.started("me", guest, options=options, clock={"decision_s": 3, "missed_deadlines_max": 1})["id"]
    (first,) = eventually(lambda: of("taken_over", stream))
    assert admin.post(f"/games/{id}/administration", {"action": "pause", "reason": "x"}).status_code == 201
    again = bob.stream("/me/events")
    again.await_messages(1)
    version = bob.game(id)["version"]
    assert first == {"game": id, "ruleset": "catham-city", "version": first["version"], "seat": 1, "bot": "greedy"}
    assert of("taken_over", again) == [{**first, "version": version}]
    assert bob.legal(id, 1)["moves"] == []
    assert bob.post(f"/games/{id}/seats/1/return").status_code == 201
    later = bob.stream("/me/events")
    other = ada.started("me", guest, options=options)["id"]
    later.await_messages(1)
    stream.await_messages(3)
    assert messages(later) == [("awaited", other, 1, 1)]
    assert of("taken_over", stream) == [first]
    for each in (stream, again, later):
        each.close()


def test_a_last_event_id_reveals_nothing_about_a_private_game_of_others(ada: Client, bob: Client) -> None:
    """Neither that the game exists nor when something happened in it."""
    private = ada.started("me", "me", visibility="private")["id"]
    assert bob.get(f"/games/{private}").status_code == 404
    ended = bob.started("me", "me", on_resignation="end")["id"]
    assert bob.post(f"/games/{ended}/resignation").status_code == 201
    await_removal(bob, ended)
    later = ada.started("me", "me", visibility="private")["id"]
    mark = ada.started("me", bob, options={"first_seat": 1})["id"]
    for game in (private, later, f"g_{'0' * 24}"):
        for version in (0, 1, 9):
            stream = bob.stream("/me/events", **{"Last-Event-ID": f"{game}:{version}"})
            stream.await_messages(2)
            assert sorted(messages(stream)) == sorted([("awaited", mark, 1, 1), ("finished", ended, 2, None)])
            stream.close()


def test_a_player_whose_last_message_was_a_withdrawn_invitation_gets_later_ends(ada: Client, bob: Client) -> None:
    ended = ada.started("me", bob, options={"first_seat": 0}, on_resignation="end")["id"]
    seats = ["me", {"player": bob.player["id"]}]
    asked = ada.post("/games", {"ruleset": "catham-city", "seats": seats, "visibility": "private"}).json()["id"]
    stream = bob.stream("/me/events")
    stream.await_messages(1)
    assert ada.delete(f"/games/{asked}/seats/1").status_code == 204
    last = stream.await_messages(2)[-1]
    stream.close()
    assert last["event"] == "withdrawn"
    assert ada.post(f"/games/{ended}/resignation").status_code == 201
    await_removal(bob, ended)
    again = bob.stream("/me/events", **{"Last-Event-ID": last["id"]})
    assert again.await_messages(1)[0]["event"] == "finished"
    again.close()
