"""Clocks that run out, in a service that was started as with `make run`."""

from collections.abc import Iterator
from typing import Any

import pytest

from referee.table.times import milliseconds
from tests.service import Client, Service
from tests.waiting import eventually

FAST = {"decision_s": 1, "missed_deadlines_max": 2}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = Service(tmp_path_factory.mktemp("clocks")).start()
    yield running
    running.stop()


@pytest.fixture
def ada(service: Service) -> Client:
    return service.player("ada")


@pytest.fixture
def bob(service: Service) -> Client:
    return service.player("bob")


def commits(client: Client, id: str) -> list[dict[str, Any]]:
    return client.get(f"/games/{id}/events?limit=1000").json()["commits"]


def is_proved(client: Client, id: str) -> bool:
    audit = client.audit(id)
    assert audit["verdict"] == "proved", audit
    return True


def test_an_abandoned_game_is_adjudicated_and_proved(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 0}, clock=FAST)["id"]
    eventually(lambda: ada.game(id)["status"] == "finished")
    log = commits(ada, id)
    missed = [commit for commit in log if commit["cause"] and "deadline" in commit["cause"]]
    assert [(commit["actor"], commit["cause"]["missed_deadlines"]) for commit in missed[:2]] == [(0, 1), (1, 1)]
    for commit in missed:
        assert commit["at"] > commit["cause"]["deadline"]
    before = {commit["version"]: commit for commit in log}
    first = missed[0]
    assert {"seat": 0, "at": first["cause"]["deadline"]} in before[first["version"] - 1]["deadlines"]
    taken = [event for commit in log for event in commit["events"] if event["type"] == "seat_taken_over"]
    assert [event["bot"] for event in taken] == ["greedy", "greedy"]
    (end,) = log[-1]["events"]
    assert (log[-1]["actor"], end["type"], end["absent"]) == ("referee", "game_adjudicated", [0, 1])
    assert [place["rank"] for place in ada.game(id)["ranking"]] == sorted(end["ranks"])
    assert is_proved(ada, id)


def test_an_abandoned_game_is_annulled_if_that_was_agreed(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, clock={**FAST, "missed_deadlines_max": 1, "on_abandonment": "annul"})["id"]
    eventually(lambda: ada.game(id)["status"] == "annulled")
    assert is_proved(ada, id)


def test_the_absent_seat_is_last_if_absence_ends_the_game(ada: Client, bob: Client) -> None:
    clock = {**FAST, "missed_deadlines_max": 1}
    game = ada.started("me", bob, bots="forbidden", options={"first_seat": 1}, clock=clock)
    assert (game["terms"]["clock"]["on_absence"], game["terms"]["on_resignation"]) == ("end", "end")
    eventually(lambda: ada.game(game["id"])["status"] == "finished")
    assert [(place["seat"], place["rank"]) for place in ada.game(game["id"])["ranking"]] == [(0, 1), (1, 2)]
    assert is_proved(ada, game["id"])


def test_a_player_who_returns_plays_again(ada: Client, bob: Client) -> None:
    id = ada.started("me", bob, options={"first_seat": 0}, clock={"decision_s": 3, "missed_deadlines_max": 1})["id"]
    refused = ada.post(f"/games/{id}/seats/0/return")
    assert (refused.status_code, refused.json()["code"]) == (409, "not-taken-over")
    eventually(lambda: ada.game(id)["seats"][0]["bot"] == "greedy")
    late = ada.move(id, {"type": "decline"})
    assert (late.status_code, late.json()["code"]) == (409, "bot-plays")
    answer = ada.post(f"/games/{id}/seats/0/return")
    assert answer.status_code == 201, answer.text
    assert answer.json()["events"] == [{"type": "player_returned", "seat": 0}]
    assert (ada.game(id)["seats"][0]["bot"], ada.game(id)["seats"][0]["missed_deadlines"]) == (None, 0)
    assert ada.post(f"/games/{id}/resignation").status_code == 201
    eventually(lambda: ada.game(id)["status"] == "finished")
    assert is_proved(ada, id)


def test_a_move_in_time_is_accepted_and_gains_the_increment(ada: Client) -> None:
    clock = {"decision_s": 60, "bank_s": 600, "increment_s": 5}
    game = ada.started("me", "me", options={"first_seat": 0}, clock=clock)
    (deadline,) = game["deadlines"]
    created = milliseconds(commits(ada, game["id"])[0]["at"])
    assert (deadline["seat"], milliseconds(deadline["at"]) - created) == (0, 660_000)
    answer = ada.move(game["id"], ada.legal(game["id"], 0)["moves"][0], 0)
    assert answer.status_code == 201
    assert [each["seat"] for each in answer.json()["deadlines"]] == [
        each["seat"] for each in answer.json()["awaited"] if each["obliged"]
    ]
    assert ada.game(game["id"])["seats"][0]["bank_ms"] == 605_000


def test_every_stream_reports_deadlines(ada: Client, bob: Client) -> None:
    mine = bob.stream("/me/events")
    id = ada.started("me", bob, options={"first_seat": 1}, clock={"days": 3})["id"]
    (awaited,) = mine.await_messages(1)
    (deadline,) = ada.game(id)["deadlines"]
    assert awaited["data"]["deadline"] == deadline["at"]
    stream = ada.stream(f"/games/{id}/events")
    (message,) = stream.await_messages(1)
    assert message["data"]["deadlines"] == [deadline]
    mine.close()
    stream.close()


def test_a_pause_by_consent_stops_the_clocks(ada: Client, bob: Client) -> None:
    clock = {"decision_s": 4, "missed_deadlines_max": 1}
    id = ada.started("me", bob, options={"first_seat": 0}, clock=clock)["id"]
    assert ada.post(f"/games/{id}/pause", {"agreed": True}).status_code == 201
    assert ada.game(id)["seats"][0]["agreed"]
    paused = bob.post(f"/games/{id}/pause", {"agreed": True})
    assert [event["type"] for event in paused.json()["events"]] == ["pause_agreed", "game_paused"]
    assert (ada.game(id)["status"], ada.game(id)["deadlines"]) == ("paused", [])
    refused = ada.move(id, {"type": "decline"})
    assert (refused.status_code, refused.json()["code"]) == (409, "game-paused")
    other = ada.started("me", "me", options={"first_seat": 0}, clock=clock)["id"]
    eventually(lambda: len(commits(ada, other)) > 1)  # by now the first game's clock would have run out
    assert commits(ada, id)[-1]["version"] == paused.json()["version"]
    assert bob.post(f"/games/{id}/resumption", {"agreed": True}).json()["events"][-1]["type"] == "resume_agreed"
    resumed = ada.post(f"/games/{id}/resumption", {"agreed": True}).json()
    assert [event["type"] for event in resumed["events"]] == ["resume_agreed", "game_resumed"]
    spent = milliseconds(paused.json()["at"]) - milliseconds(commits(ada, id)[0]["at"])
    assert milliseconds(resumed["deadlines"][0]["at"]) == milliseconds(resumed["at"]) + 4000 - spent
    eventually(lambda: ada.game(id)["status"] == "finished")
    assert is_proved(ada, id)


def test_consent_can_be_withdrawn_and_only_an_admin_ends_an_admins_pause(
    service: Service, ada: Client, bob: Client
) -> None:
    id = ada.started("me", bob)["id"]
    assert ada.post(f"/games/{id}/resumption", {"agreed": True}).json()["code"] == "game-running"
    ada.post(f"/games/{id}/pause", {"agreed": True})
    assert ada.post(f"/games/{id}/pause", {"agreed": False}).status_code == 201
    assert bob.post(f"/games/{id}/pause", {"agreed": True}).json()["events"][-1]["type"] == "pause_agreed"
    assert ada.game(id)["status"] == "running"
    paused = service.admin().post(f"/games/{id}/administration", {"action": "pause", "reason": "Fire."})
    assert paused.status_code == 201
    refused = ada.post(f"/games/{id}/resumption", {"agreed": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "paused-by-admin")


def test_a_deadline_survives_the_death_of_every_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    service = Service(tmp_path_factory.mktemp("killed")).start()
    ada = service.player("ada")
    game = ada.started("me", "me", options={"first_seat": 0}, clock={"decision_s": 3, "missed_deadlines_max": 1})
    service.kill()
    service.start()
    eventually(lambda: ada.game(game["id"])["status"] == "finished")
    missed = commits(ada, game["id"])[1]
    assert missed["cause"]["deadline"] == game["deadlines"][0]["at"] < missed["at"]
    assert is_proved(ada, game["id"])
    service.stop()


@pytest.mark.parametrize(
    ("clock", "field"),
    [
        ({}, "clock"),
        ({"decision_s": 0}, "clock"),
        ({"days": 1, "decision_s": 5}, "clock"),
        ({"decision_s": -1}, "clock"),
        ({"decision_s": 1.5}, "clock"),
        ({"decision_s": True}, "clock"),
        ({"decision_s": 10**12}, "clock"),
        ({"decision_s": 5, "missed_deadlines_max": 0}, "clock"),
        ({"decision_s": 5, "on_absence": "cry"}, "clock"),
        ({"hours": 5}, "clock"),
    ],
)
def test_an_impossible_clock_is_refused(ada: Client, clock: dict[str, Any], field: str) -> None:
    answer = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"], "clock": clock})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    assert field in answer.json()["errors"]


def test_no_bot_takes_over_where_bots_are_forbidden(ada: Client) -> None:
    new_game = {"ruleset": "catham-city", "seats": ["me", "me"], "bots": "forbidden"}
    for clock, resignation in (({"decision_s": 5, "on_absence": "bot"}, None), (None, "bot")):
        answer = ada.post("/games", {**new_game, "clock": clock, "on_resignation": resignation})
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid-request")
    unknown = ada.post("/games", {**new_game, "bots": "allowed", "takeover_bot": "deep thought"})
    assert "takeover_bot" in unknown.json()["errors"]


def test_a_move_is_undone_and_the_log_stays(ada: Client) -> None:
    id = ada.started("me", "me", ruleset="hund-und-katz", undo="free")["id"]
    before = ada.game(id)
    seat = before["awaited"][0]["seat"]
    move = ada.legal(id, seat)["moves"][0]
    assert ada.move(id, move, seat).status_code == 201
    answer = ada.post(f"/games/{id}/undo", params={"seat": seat})
    assert answer.status_code == 201, answer.text
    assert answer.json()["events"] == [{"type": "move_undone", "seat": seat, "version": 2}]
    assert ada.game(id)["view"] == before["view"]
    assert [commit["version"] for commit in commits(ada, id)] == [1, 2, 3]
    again = ada.post(f"/games/{id}/undo", params={"seat": seat})
    assert (again.status_code, again.json()["code"]) == (409, "undo-refused")
    other = next(each for each in (0, 1) if each != seat)
    assert ada.post(f"/games/{id}/undo", params={"seat": other}).json()["code"] == "undo-refused"
    assert ada.move(id, move, seat).status_code == 201
    assert ada.post(f"/games/{id}/resignation", params={"seat": 0}).status_code == 201


def test_a_repeated_undo_request_undoes_no_other_move(ada: Client) -> None:
    id = ada.started("me", "me", ruleset="hund-und-katz", undo="free")["id"]
    seat = ada.game(id)["awaited"][0]["seat"]
    assert ada.move(id, ada.legal(id, seat)["moves"][0], seat).status_code == 201
    version = ada.game(id)["version"]
    with_key = {"params": {"seat": seat}, "headers": {"Idempotency-Key": "back"}}
    first = ada.post(f"/games/{id}/undo", **with_key)
    assert (first.status_code, first.json()["events"][0]["version"]) == (201, version), first.text
    again = ada.post(f"/games/{id}/undo", **with_key)
    assert (again.status_code, again.content) == (201, first.content)
    assert ada.game(id)["version"] == version + 1
    reused = ada.post(f"/games/{id}/pause", {"agreed": True}, **with_key)
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency-key-reused")
    stale = ada.post(f"/games/{id}/undo", params={"seat": seat, "version": version})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale-version")
    stale = ada.post(f"/games/{id}/undo", params={"seat": seat}, headers={"If-Match": f'"{version}.s{seat}"'})
    assert (stale.status_code, stale.json()["code"]) == (412, "if-match-failed")


def test_a_table_without_undo_refuses_it(ada: Client) -> None:
    id = ada.started("me", "me", ruleset="hund-und-katz")["id"]
    seat = ada.game(id)["awaited"][0]["seat"]
    assert ada.move(id, ada.legal(id, seat)["moves"][0], seat).status_code == 201
    refused = ada.post(f"/games/{id}/undo", params={"seat": seat})
    assert (refused.status_code, refused.json()["detail"]) == (409, "This table does not allow undo.")
