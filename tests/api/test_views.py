"""Views, ETags, earlier versions, and other seats after the end."""

import json

from tests.service import Client, Service
from tests.waiting import eventually


def finished(client: Client) -> str:
    """Return a finished game of bots."""
    id = client.create({"bot": "random"}, {"bot": "random"}, {"bot": "random"})["id"]
    eventually(lambda: client.game(id)["status"] == "finished", 60)
    return id


def test_a_seat_sees_its_own_hand_and_the_sizes_of_other_hands(ada: Client, bob: Client, nobody: Client) -> None:
    game = ada.started("me", bob)
    own, other = ada.game(game["id"])["view"]["seats"]
    assert sum(own["hand"].values()) == own["hand_count"] == 6
    assert (other["hand"], other["hand_count"]) == (None, 6)
    assert ada.game(game["id"])["view"]["draw_pile"] is None
    assert [seat["hand"] for seat in nobody.game(game["id"])["view"]["seats"]] == [None, None]


def test_an_etag_changes_with_the_version_and_the_reader(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob, options={"first_seat": 0})
    path = f"/games/{game['id']}"
    first = ada.get(path)
    assert first.headers["ETag"] != bob.get(path).headers["ETag"]
    again = ada.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert ada.move(game["id"], ada.legal(game["id"])["moves"][0]).status_code == 201
    assert ada.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200
    assert "Authorization" in first.headers["Vary"]


def test_a_new_player_changes_the_etag_of_a_waiting_game(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open", "open")
    path = f"/games/{game['id']}"
    first = ada.get(path)
    bob.post(f"{path}/seats", {})
    assert ada.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_every_earlier_version_can_be_read_and_cached_for_ever(ada: Client) -> None:
    game = ada.started("me", "me", options={"first_seat": 0})
    assert ada.move(game["id"], ada.legal(game["id"], 0)["moves"][0], 0).status_code == 201
    blank = ada.get(f"/games/{game['id']}?at=0")
    assert "immutable" in blank.headers["Cache-Control"]
    assert blank.json()["view"]["phase"] == "setup"
    before = ada.game(game["id"], at=1)
    assert (before["version"], before["view"]) == (1, game["view"])
    missing = ada.get(f"/games/{game['id']}?at=99")
    assert (missing.status_code, missing.json()["code"], missing.json()["version"]) == (404, "unknown-version", 2)


def test_other_seats_are_shown_only_after_the_end(service: Service, ada: Client, bob: Client) -> None:
    game = ada.started("me", bob)
    hidden = ada.get(f"/games/{game['id']}?seat=1")
    assert (hidden.status_code, hidden.json()["code"]) == (403, "not-your-seat")
    assert ada.get(f"/games/{game['id']}?seat=all").json()["code"] == "still-hidden"
    assert ada.get(f"/games/{game['id']}?seat=7").status_code == 422
    over = finished(ada)
    everything = ada.game(over, seat="all")
    assert all(seat["hand"] is not None for seat in everything["view"]["seats"])
    shown = ada.game(over, seat=1, at=5)
    assert [seat["hand"] is None for seat in shown["view"]["seats"]] == [True, False, True]
    assert sorted(place["rank"] for place in everything["ranking"])[0] == 1


def test_events_are_redacted_for_each_reader(ada: Client, bob: Client) -> None:
    game = ada.started("me", bob)
    (mine,) = ada.get(f"/games/{game['id']}/events").json()["commits"]
    (theirs,) = bob.get(f"/games/{game['id']}/events").json()["commits"]
    set_up = mine["events"][0]
    assert set_up["type"] == "game_set_up"
    assert "draw_pile" not in set_up
    assert set_up["hands"][1] is None
    assert theirs["events"][0]["hands"][0] is None
    assert mine["hash"] == theirs["hash"]


def test_a_secret_answer_reveals_neither_its_type_nor_its_size(ada: Client, bob: Client) -> None:
    fresh = ada.post("/rulesets/catham-city/positions", {"seats": 3, "seed": "x"}).json()["position"]
    fresh = with_mafia(fresh)
    game = ada.create("me", bob, bob, position=fresh)
    assert ada.move(game["id"], {"type": "play_mafia"}).status_code == 201
    move = bob.legal(game["id"], 1)["moves"][0]
    assert bob.move(game["id"], move, 1).status_code == 201
    seen = ada.get(f"/games/{game['id']}/events?after=1").json()["commits"][0]
    assert (seen["move"], seen["events"]) == (None, [{"type": "answer_locked", "seat": 1}])
    own = bob.get(f"/games/{game['id']}/events?after=1&seat=1").json()["commits"][0]
    assert own["move"] == move
    assert ada.game(game["id"])["view"]["pending"]["answers"][1] is True


def with_mafia(position: dict) -> dict:
    """Return the position with four mafia in the hand of the active seat 0, and the same cards overall."""
    cards = json.loads(json.dumps(position))
    cards["active_seat"] = 0
    hand = cards["seats"][0]["hand"]
    while hand["mafia"] < 4:
        spare = next(faction for faction in hand if faction != "mafia" and hand[faction])
        at = cards["draw_pile"].index("mafia")
        cards["draw_pile"][at] = spare
        hand[spare] -= 1
        hand["mafia"] += 1
    return cards
