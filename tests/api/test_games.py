"""Games over HTTP: create, find, take a seat, leave, resign, administer."""

import base64
from urllib.parse import parse_qs, urlsplit

import pytest

from referee.api.routing import next_page
from referee.service.finding import HOUR_MS, LASTS_HOURS, Cursors
from referee.service.problems import Problem
from referee.service.repository import now_ms
from referee.table.record import nonce_of
from tests.api.world import World
from tests.clauses import clause
from tests.service import Client, Service
from tests.waiting import eventually


def test_a_game_starts_when_every_seat_is_held(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open", nonce="mine")
    assert (game["status"], game["seat"], game["version"]) == ("waiting", 0, 0)
    joined = bob.post(f"/games/{game['id']}/seats", {"nonce": "yours"})
    assert (joined.status_code, joined.json()["seat"], joined.json()["status"]) == (201, 1, "running")
    assert [seat["nonce"] for seat in joined.json()["seats"]] == [nonce_of("mine"), nonce_of("yours")]
    eventually(lambda: bob.game(game["id"])["version"] == 1)
    full = ada.post(f"/games/{game['id']}/seats", {})
    assert (full.status_code, full.json()["code"]) == (409, "game-started")


def test_seats_can_be_taken_and_left_before_the_start(ada: Client, bob: Client) -> None:
    game = ada.create("open", "open", "open")
    assert bob.post(f"/games/{game['id']}/seats", {"seat": 2}).json()["seat"] == 2
    taken = ada.post(f"/games/{game['id']}/seats", {"seat": 2})
    assert (taken.status_code, taken.json()["code"]) == (409, "seat-taken")
    assert ada.post(f"/games/{game['id']}/seats", {"seat": 9}).status_code == 422
    assert ada.delete(f"/games/{game['id']}/seats/2").status_code == 403
    assert bob.delete(f"/games/{game['id']}/seats/2").status_code == 204
    assert bob.game(game["id"])["seat"] is None


def test_players_can_be_invited_by_id(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob)
    assert bob.game(game["id"])["seat"] == 1
    unknown = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", {"player": "p_nobody"}]})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "invalid-request")


@clause("CC-S1", "CC-S2", "CC-S3")
def test_refused_options_name_the_clause(ada: Client) -> None:
    def refusal(seats: int, **options: object) -> str:
        answer = ada.post("/games", {"ruleset": "catham-city", "seats": ["me"] * seats, "options": options})
        assert (answer.status_code, answer.json()["code"]) == (422, "options-refused"), answer.text
        return answer.json()["clause"]

    assert refusal(2, factions=["mafia"]) == "CC-S1"
    assert refusal(7) == "CC-S2"
    assert refusal(2, first_seat=2) == "CC-S3"
    unreadable = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"], "options": {"expert": "yes"}})
    assert (unreadable.status_code, unreadable.json()["code"]) == (422, "invalid-options")


def test_unknown_rulesets_and_bots_are_named(ada: Client) -> None:
    assert ada.post("/games", {"ruleset": "chess", "seats": ["me"]}).json()["code"] == "unknown-ruleset"
    answer = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", {"bot": "deep-thought"}]})
    assert (answer.status_code, "deep-thought" in answer.json()["detail"]) == (422, True)


def test_a_private_game_is_unknown_to_others(ada: Client, bob: Client, admin: Client, nobody: Client) -> None:
    game = ada.create("me", "open", visibility="private", join_code="open sesame")
    for stranger in (bob, nobody):
        answer = stranger.get(f"/games/{game['id']}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-game")
    assert bob.post(f"/games/{game['id']}/seats", {"join_code": "wrong"}).status_code == 404
    assert admin.get(f"/games/{game['id']}").status_code == 200
    assert game["id"] not in bob.get("/games?limit=100").text
    assert bob.post(f"/games/{game['id']}/seats", {"join_code": "open sesame"}).status_code == 201
    assert bob.get(f"/games/{game['id']}").status_code == 200
    assert nobody.get(f"/games/{game['id']}/events").status_code == 404


def test_a_public_game_can_need_a_join_code(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open", join_code="open sesame")
    refused = bob.post(f"/games/{game['id']}/seats", {"join_code": "simsalabim"})
    assert (refused.status_code, refused.json()["code"]) == (403, "join-code-wrong")


def test_games_are_listed_newest_first_in_pages(service: Service) -> None:
    eve = service.player("eve")
    created = [eve.create("me", "open")["id"] for _ in range(5)]
    found: list[str] = []
    url = "/games?mine=true&limit=2"
    while url:
        answer = eve.get(url.removeprefix("/v1"))
        assert answer.status_code == 200, answer.text
        found += [game["id"] for game in answer.json()["games"]]
        url = answer.links.get("next", {}).get("url", "")
    assert found == created[::-1]


def test_lists_are_filtered(service: Service) -> None:
    eve, finn = service.player("eve"), service.player("finn")
    waiting = eve.create("me", "open")["id"]
    running = eve.started("me", finn, options={"first_seat": 0})["id"]

    def ids(client: Client, **query: object) -> list[str]:
        return [game["id"] for game in client.get("/games", params=query).json()["games"]]

    assert ids(eve, mine=True, status="waiting") == [waiting]
    assert ids(eve, mine=True, status="running") == [running]
    assert ids(finn, player=finn.player["id"]) == [running]
    assert ids(eve, awaiting=True) == [running]
    assert ids(finn, awaiting=True) == []
    assert ids(finn, player=eve.player["id"], ruleset="no-such") == []
    assert waiting in ids(eve, ruleset="catham-city", limit=100)
    assert service.nobody().get("/games?mine=true").status_code == 401
    assert service.nobody().get("/games?cursor=nonsense").status_code == 422


def test_a_game_with_a_start_position_is_casual(ada: Client) -> None:
    fresh = ada.post("/rulesets/catham-city/positions", {"seats": 2, "seed": "s"}).json()["position"]
    game = ada.create("me", "me", position=fresh)
    assert game["casual"] is True
    seat = fresh["active_seat"]
    assert game["awaited"][0]["seat"] == seat
    assert ada.move(game["id"], ada.legal(game["id"], seat)["moves"][0], seat).status_code == 201
    fresh["market"]["mafia"] += 1
    broken = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", "me"], "position": fresh})
    assert (broken.status_code, broken.json()["code"]) == (422, "invalid-position")


def test_a_bot_takes_over_from_a_player_who_resigns(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, {"bot": "random"})
    answer = ada.post(f"/games/{game['id']}/resignation")
    assert answer.status_code == 201, answer.text
    assert [event["type"] for event in answer.json()["events"]] == ["seat_resigned", "seat_taken_over"]
    assert ada.post(f"/games/{game['id']}/resignation").json()["code"] == "resigned-already"
    seats = ada.game(game["id"])["seats"]
    assert (seats[0]["bot"], seats[0]["resigned"]) == ("greedy", True)
    eventually(lambda: [each["seat"] for each in ada.game(game["id"])["awaited"]] == [1])


def test_a_player_who_resigned_cannot_move_and_is_not_awaited(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, options={"first_seat": 1})["id"]
    assert ada.post(f"/games/{game}/resignation").status_code == 201
    late = ada.move(game, {"type": "decline"})
    assert (late.status_code, late.json()["code"]) == (409, "resigned-already")
    stream = ada.stream("/me/events")
    assert bob.move(game, bob.legal(game)["moves"][0]).status_code == 201
    eventually(lambda: [each["seat"] for each in bob.game(game)["awaited"]] == [1])
    assert ada.legal(game)["moves"] == []
    other = ada.started("me", "me", options={"first_seat": 0})["id"]
    assert [message["data"]["game"] for message in stream.await_messages(1)] == [other]
    stream.close()


def test_a_resignation_ends_the_game_if_the_terms_say_so(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, on_resignation="end")
    answer = ada.post(f"/games/{game['id']}/resignation")
    assert answer.json()["events"][-1] == {
        "type": "game_resigned",
        "seat": 0,
        "scores": [0, 0],
        "ranks": [2, 1],
    }
    eventually(lambda: ada.game(game["id"])["status"] == "finished")
    late = bob.move(game["id"], {"type": "decline"})
    assert (late.status_code, late.json()["code"]) == (409, "game-finished")
    assert ada.get(f"/games/{game['id']}/record").status_code == 200


def test_an_admin_pauses_resumes_and_annuls_a_game_with_a_reason(ada: Client, admin: Client) -> None:
    game = ada.started("me", "me", options={"first_seat": 0})
    path = f"/games/{game['id']}/administration"
    assert ada.post(path, {"action": "pause", "reason": "tea"}).status_code == 403
    paused = admin.post(path, {"action": "pause", "reason": "tea"})
    assert (paused.status_code, paused.json()["actor"]) == (201, "admin")
    assert paused.json()["events"] == [{"type": "game_paused", "reason": "tea"}]
    move = {"type": "take_cards", "faction": "mafia", "count": 1}
    assert ada.move(game["id"], move, 0).json()["code"] == "game-paused"
    assert ada.game(game["id"])["status"] == "paused"
    assert ada.game(game["id"])["awaited"] == []
    assert admin.post(path, {"action": "pause", "reason": "tea"}).status_code == 409
    assert admin.post(path, {"action": "resume", "reason": "tea is over"}).status_code == 201
    legal = ada.legal(game["id"], 0)["moves"][0]
    assert ada.move(game["id"], legal, 0).status_code == 201
    assert admin.post(path, {"action": "annul", "reason": "cats"}).status_code == 201
    assert ada.game(game["id"])["status"] == "annulled"
    assert ada.move(game["id"], move, 1).json()["code"] == "game-annulled"
    eventually(lambda: game["id"] in ada.get("/games?status=annulled&limit=100").text)
    assert game["id"] not in ada.get("/games?status=running&limit=100").text


def test_a_waiting_game_can_be_annulled(ada: Client, admin: Client) -> None:
    game = ada.create("me", "open")
    assert admin.post(f"/games/{game['id']}/administration", {"action": "annul", "reason": "empty"}).status_code == 204
    assert ada.game(game["id"])["status"] == "annulled"
    assert ada.post(f"/games/{game['id']}/seats", {}).status_code == 409


def test_a_cursor_reveals_no_game_and_is_valid_for_its_list_only(service: Service, ada: Client, bob: Client) -> None:
    ids = [ada.create("me", "open", visibility="private", join_code="open sesame")["id"] for _ in range(3)]
    query = {"mine": "true", "limit": 1}
    page = ada.get("/games", params=query)
    cursor, link = page.json()["next"], page.links["next"]["url"]
    shown = base64.urlsafe_b64decode(cursor)
    assert not any(id.removeprefix("g_") in cursor + shown.hex() for id in ids)
    assert Client(ada.url, ada.key, {}).call("GET", link).json()["games"][0]["id"] == ids[1]
    assert ada.get("/games", params={**query, "cursor": cursor}).json()["games"][0]["id"] == ids[1]
    elsewhere = [
        bob.get("/games", params={**query, "cursor": cursor}),
        service.nobody().get("/games", params={"player": ada.player["id"], "cursor": cursor}),
        ada.get("/games", params={"cursor": cursor}),
        ada.get("/games", params={"awaiting": "true", "cursor": cursor}),
    ]
    damaged = [cursor[:-4], cursor + "AAAA", "A" + cursor[1:], cursor[:-1] + "A", f"1762000000000-{ids[0]}", "é", "="]
    elsewhere += [ada.get("/games", params={**query, "cursor": each}) for each in damaged if each != cursor]
    for answer in elsewhere:
        assert (answer.status_code, answer.json()["errors"].keys()) == (422, {"cursor"}), answer.text


def test_an_old_cursor_is_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    cursors = Cursors(world.repository, "all", None)
    place = 1_762_000_000_000, world.waiting
    sealed = cursors.seal(place)
    assert cursors.seal(place) == sealed
    assert Cursors(world.repository, "all", None).open(sealed) == place
    hours = now_ms() + (LASTS_HOURS + 1) * HOUR_MS
    monkeypatch.setattr("referee.service.finding.now_ms", lambda: hours)
    with pytest.raises(Problem, match="more than a day old"):
        cursors.open(sealed)


@pytest.mark.parametrize("text", ["a b", "<x>; rel=evil", "a\r\nSet-Cookie: x", "é\u2028", '">', "%0d%0a", "a&b=c"])
def test_arguments_are_encoded_in_the_link(text: str) -> None:
    header = next_page("/v1/games", {"player": text, "cursor": "x"})
    assert header.isascii() and header.isprintable() and header.count(">") == header.count("<") == 1
    assert parse_qs(urlsplit(header[1 : header.index(">")]).query)["player"] == [text]


def test_the_link_to_the_next_page_repeats_the_arguments(ada: Client) -> None:
    for _ in range(2):
        ada.create("me", "open")
    page = ada.get("/games", params={"limit": 1, "mine": "true", "ruleset": "catham-city"})
    assert set(parse_qs(urlsplit(page.links["next"]["url"]).query)) == {"limit", "mine", "ruleset", "cursor"}


def test_only_its_creator_can_withdraw_a_waiting_game(ada: Client, bob: Client) -> None:
    id = ada.create("me", "open", "open")["id"]
    assert bob.post(f"/games/{id}/seats", {}).status_code == 201
    stream = bob.stream("/me/events")
    refused = bob.delete(f"/games/{id}")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-game")
    before = ada.get("/me").json()["quotas"]["open_games"]["used"]
    assert ada.delete(f"/games/{id}").status_code == 204
    assert ada.delete(f"/games/{id}").status_code == 204
    assert (bob.game(id)["status"], stream.await_messages(1)[0]["event"]) == ("annulled", "annulled")
    assert ada.get("/me").json()["quotas"]["open_games"]["used"] == before - 1
    stream.close()
    started = ada.started("me", "me")["id"]
    late = ada.delete(f"/games/{started}")
    assert (late.status_code, late.json()["code"]) == (409, "game-started")
