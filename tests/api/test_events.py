"""The log over HTTP: pages, long polls, JSON Lines, server-sent events."""

import json
import threading
import time

import requests

from tests.api.test_views import finished
from tests.service import Client
from tests.waiting import eventually


def play(client: Client, id: str, count: int) -> None:
    for _ in range(count):
        seat = client.game(id)["awaited"][0]["seat"]
        move = next(
            move for move in client.legal(id, seat)["moves"] if move["type"] in ("take_cards", "discard_excess")
        )
        assert client.move(id, move, seat).status_code == 201


def test_commits_come_in_pages(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    play(ada, id, 6)
    versions: list[int] = []
    url = f"/games/{id}/events?limit=3"
    while url:
        answer = ada.get(url.removeprefix("/v1"))
        versions += [commit["version"] for commit in answer.json()["commits"]]
        url = answer.links.get("next", {}).get("url", "")
    assert versions == [1, 2, 3, 4, 5, 6, 7]
    members = {"version", "at", "actor", "cause", "move", "events", "hash", "deadlines"}
    assert set(answer.json()["commits"][0]) == members


def test_json_lines_have_the_same_commits_as_pages(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    play(ada, id, 3)
    page = ada.get(f"/games/{id}/events").json()["commits"]
    for media in ("application/jsonl", "application/x-ndjson"):
        answer = ada.get(f"/games/{id}/events", headers={"Accept": media})
        assert answer.headers["Content-Type"] == "application/jsonl"
        assert [json.loads(line) for line in answer.text.splitlines()] == page


def test_a_long_poll_is_answered_as_soon_as_there_is_a_commit(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    answers: list[requests.Response] = []
    waiting = Client(ada.url, ada.key, {})
    thread = threading.Thread(target=lambda: answers.append(waiting.get(f"/games/{id}/events?after=1&wait=20")))
    began = time.monotonic()
    thread.start()
    play(ada, id, 1)
    thread.join(20)
    assert [commit["version"] for commit in answers[0].json()["commits"]] == [2]
    assert time.monotonic() - began < 15


def test_a_long_poll_without_a_commit_ends_empty(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    assert ada.get(f"/games/{id}/events?after=1&wait=1").json() == {"commits": [], "next": None}


def test_an_event_stream_sends_old_and_new_commits(ada: Client, nobody: Client) -> None:
    id = ada.started("me", "me")["id"]
    stream = nobody.stream(f"/games/{id}/events")
    stream.await_messages(1)
    play(ada, id, 3)
    messages = stream.await_messages(4)
    assert [message["id"] for message in messages] == ["1", "2", "3", "4"]
    assert [message["data"] for message in messages] == nobody.get(f"/games/{id}/events").json()["commits"]
    stream.close()


def test_an_event_stream_resumes_after_the_last_event(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    play(ada, id, 3)
    stream = ada.stream(f"/games/{id}/events", **{"Last-Event-ID": "2"})
    assert [message["id"] for message in stream.await_messages(2)] == ["3", "4"]
    stream.close()
    refused = ada.get(f"/games/{id}/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "x"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid-header")


def test_an_idle_stream_gets_a_heartbeat(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    stream = ada.stream(f"/games/{id}/events")
    eventually(lambda: stream.comments >= 2)
    stream.close()


def test_each_subscriber_gets_its_own_redaction(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob)["id"]
    streams = [client.stream(f"/games/{id}/events") for client in (ada, bob)]
    hands = [stream.await_messages(1)[0]["data"]["events"][0]["hands"] for stream in streams]
    assert [[hand is not None for hand in each] for each in hands] == [[True, False], [False, True]]
    for stream in streams:
        stream.close()


def test_an_unknown_media_type_is_not_acceptable(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    answer = ada.get(f"/games/{id}/events", headers={"Accept": "text/csv"})
    assert (answer.status_code, answer.json()["code"]) == (406, "not-acceptable")


def test_a_stream_reports_everything_that_awaits_a_player(ada: Client, bob: Client) -> None:
    first = ada.started("me", bob, options={"first_seat": 1})["id"]
    stream = bob.stream("/me/events")
    (message,) = stream.await_messages(1)
    assert (message["event"], message["data"]["game"], message["data"]["seat"]) == ("awaited", first, 1)
    second = ada.started("me", bob, options={"first_seat": 0})["id"]
    assert ada.move(second, ada.legal(second)["moves"][0]).status_code == 201
    messages = stream.await_messages(2)
    assert (messages[1]["data"]["game"], messages[1]["data"]["version"]) == (second, 2)
    decision = bob.game(second)["awaited"][0]
    assert messages[1]["data"] == {"game": second, "ruleset": "catham-city", "version": 2, **decision, "deadline": None}
    stream.close()


def test_the_stream_of_a_player_needs_a_key(nobody: Client) -> None:
    assert nobody.get("/me/events").status_code == 401


def test_a_finished_game_has_an_audit_and_a_record(ada: Client, nobody: Client) -> None:
    running = ada.started("me", "me")["id"]
    assert ada.get(f"/games/{running}/audit").json()["verdict"] == "running"
    early = ada.get(f"/games/{running}/record")
    assert (early.status_code, early.json()["code"]) == (409, "game-running")
    id = finished(ada)
    report = nobody.audit(id)
    assert (report["verdict"], report["first_bad_version"]) == ("proved", None)
    lines = [json.loads(line) for line in nobody.get(f"/games/{id}/record").text.splitlines()]
    assert set(lines[0]) == {"header"}
    assert set(lines[-1]) == {"secret"}
    assert lines[0]["header"]["commitment"] == nobody.game(id)["commitment"]


def test_a_page_with_views_has_the_view_of_each_version_and_of_the_same_reader(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, options={"first_seat": 0})
    assert ada.move(game["id"], ada.legal(game["id"])["moves"][0]).status_code == 201
    for reader in (ada, bob):
        page = reader.get(f"/games/{game['id']}/events", params={"with": "view"}).json()
        assert [commit["version"] for commit in page["commits"]] == list(range(1, len(page["commits"]) + 1))
        for commit in page["commits"]:
            assert commit["view"] == reader.game(game["id"], at=commit["version"])["view"]
        later = reader.get(f"/games/{game['id']}/events", params={"with": "view", "after": 1, "limit": 1}).json()
        assert later["commits"] == page["commits"][1:2]
    assert "view" not in ada.get(f"/games/{game['id']}/events").json()["commits"][0]


def test_with_says_precisely_what_it_takes(ada: Client) -> None:
    id = ada.started("me", "me")["id"]
    for added in ("all", "", "view,", "view,view", "text,View", " view", "view;text"):
        answer = ada.get(f"/games/{id}/events", params={"with": added})
        assert answer.status_code == 422, added
        assert answer.json()["errors"]["with"] == [
            "Expected one or more of view, legal, text, comma-separated, each once."
        ]
        assert ada.get(f"/games/{id}/legal-moves", params={"with": added}).status_code == 422


def test_the_stream_of_a_game_ends_with_the_game_and_then_there_is_nothing_more(ada: Client, nobody: Client) -> None:
    id = ada.started("me", "me", on_resignation="end")["id"]
    live = nobody.stream(f"/games/{id}/events")
    live.await_messages(1)
    assert ada.post(f"/games/{id}/resignation", {}, params={"seat": 0}).status_code == 201
    version = eventually(lambda: (game := ada.game(id))["status"] == "finished" and game["version"])
    last = live.await_messages(version + 1)[-1]
    assert (last["event"], last["data"]) == ("end", {"version": version})
    eventually(lambda: not live.is_open())
    late = nobody.stream(f"/games/{id}/events", **{"Last-Event-ID": "1"})
    assert [message["event"] for message in late.await_messages(version)] == ["commit"] * (version - 1) + ["end"]
    eventually(lambda: not late.is_open())
    after = nobody.stream(f"/games/{id}/events?after={version}")
    assert [message["event"] for message in after.await_messages(1)] == ["end"]
    for last_id in (version, version + 7):
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last_id)}
        again = nobody.get(f"/games/{id}/events", headers=headers)
        assert (again.status_code, again.content) == (204, b"")
