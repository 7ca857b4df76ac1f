"""A seat for a named player is an invitation, which has no effect on the player until they accept it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from referee.table.record import nonce_of
from tests.service import Client, Service
from tests.waiting import eventually


def invite(client: Client, *guests: Client, **fields: Any) -> str:
    seats = ["me", *({"player": guest.player["id"]} for guest in guests)]
    answer = client.post("/games", {"ruleset": "catham-city", "seats": seats, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def listed(client: Client, **query: Any) -> list[str]:
    return [game["id"] for game in client.get("/games", params={"limit": 100, **query}).json()["games"]]


def test_an_invited_player_holds_no_seat_until_they_accept(ada: Client, bob: Client) -> None:
    id = invite(ada, bob)
    game = bob.game(id)
    assert (game["status"], game["seat"], game["version"]) == ("waiting", None, 0)
    assert (game["seats"][1]["player"]["id"], game["seats"][1]["accepted"]) == (bob.player["id"], False)
    assert (game["seats"][0]["accepted"], listed(bob, invited="true")) == (True, [id])
    assert id not in listed(bob, mine="true") + listed(bob, player=bob.player["id"])
    for path in ("moves", "resignation", "undo", "pause", "resumption", "seats/1/return"):
        answer = bob.post(f"/games/{id}/{path}", {})
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat"), path
    assert bob.get(f"/games/{id}/legal-moves").status_code == 403
    assert bob.get(f"/games/{id}?seat=1").status_code == 403
    accepted = bob.post(f"/games/{id}/seats", {"nonce": "mine"})
    assert (accepted.status_code, accepted.json()["seat"], accepted.json()["status"]) == (201, 1, "running")
    assert (accepted.json()["seats"][1]["nonce"], accepted.json()["seats"][1]["accepted"]) == (nonce_of("mine"), True)
    assert (listed(bob, invited="true"), listed(bob, mine="true")) == ([], [id])
    assert accepted.json()["terms"]["assigned"] == []


def test_nobody_else_can_take_the_seat_of_an_invited_player(ada: Client, bob: Client, service: Service) -> None:
    eve = service.player("eve")
    id = invite(ada, bob)
    for body in ({}, {"seat": 1}):
        taken = eve.post(f"/games/{id}/seats", body)
        assert (taken.status_code, taken.json()["code"]) == (409, "seat-taken")
    for seat in (0, 1):
        assert eve.delete(f"/games/{id}/seats/{seat}").json()["code"] == "not-your-seat"
    assert bob.delete(f"/games/{id}/seats/0").json()["code"] == "not-your-seat"
    assert bob.delete(f"/games/{id}/seats/9").json()["code"] == "not-your-seat"


def test_the_seat_of_a_declined_invitation_is_open(ada: Client, bob: Client, service: Service) -> None:
    id = invite(ada, bob)
    assert bob.delete(f"/games/{id}/seats/1").status_code == 204
    assert (ada.game(id)["seats"][1]["player"], ada.game(id)["seats"][1]["accepted"]) == (None, None)
    assert listed(bob, invited="true") == []
    assert service.player("eve").post(f"/games/{id}/seats", {}).json()["status"] == "running"


def test_an_invited_player_can_see_and_join_a_private_game(ada: Client, bob: Client) -> None:
    id = invite(ada, bob, visibility="private", join_code="open sesame")
    assert bob.game(id)["status"] == "waiting"
    assert bob.delete(f"/games/{id}/seats/1").status_code == 204
    assert bob.get(f"/games/{id}").status_code == 404
    assert bob.post(f"/games/{id}/seats", {}).status_code == 404
    id = invite(ada, bob, visibility="private", join_code="open sesame")
    assert bob.post(f"/games/{id}/seats", {"seat": 1}).json()["seat"] == 1


def test_a_stream_reports_invitations_and_their_withdrawal(ada: Client, bob: Client) -> None:
    before = invite(ada, bob)
    stream = bob.stream("/me/events")
    (first,) = stream.await_messages(1)
    by = {"id": ada.player["id"], "name": "ada", "bot": False}
    data = {"game": before, "ruleset": "catham-city", "version": 0, "seat": 1, "by": by}
    assert (first["event"], first["id"], first["data"]) == ("invited", f"{before}:0", data)
    later = invite(ada, bob)
    assert stream.await_messages(2)[1]["data"]["game"] == later
    assert ada.delete(f"/games/{later}/seats/1").status_code == 204
    withdrawn = stream.await_messages(3)[2]
    assert (withdrawn["event"], withdrawn["data"]["game"]) == ("withdrawn", later)
    assert ada.game(later)["seats"][1]["player"] is None
    bob.post(f"/games/{before}/seats", {})
    ada.post(f"/games/{before}/resignation")
    eventually(lambda: any(message["event"] in ("awaited", "finished") for message in stream.messages))
    stream.close()


def test_invitations_end_with_an_annulled_game(ada: Client, bob: Client, admin: Client) -> None:
    stream = bob.stream("/me/events")
    id = invite(ada, bob)
    stream.await_messages(1)
    assert admin.post(f"/games/{id}/administration", {"action": "annul", "reason": "test"}).status_code == 204
    assert [message["event"] for message in stream.await_messages(2)] == ["invited", "annulled"]
    assert listed(bob, invited="true") == []
    assert bob.post(f"/games/{id}/seats", {}).json()["code"] == "game-annulled"
    stream.close()


def test_a_player_can_send_another_only_a_few_invitations(ada: Client, bob: Client, service: Service) -> None:
    ids = [invite(ada, bob) for _ in range(5)]
    refused = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", {"player": bob.player["id"]}]})
    assert (refused.status_code, refused.json()["code"]) == (409, "too-many-invitations")
    invite(ada, service.player("eve"))
    assert bob.delete(f"/games/{ids[0]}/seats/1").status_code == 204
    ids.append(invite(ada, bob))
    bob.post(f"/games/{ids[1]}/seats", {})
    invite(ada, bob)


def test_invitations_of_strangers_do_not_displace_games_in_a_stream(ada: Client, bob: Client) -> None:
    """The attack: one real game, then many games that invite the victim or that the victim only created."""
    real = ada.started("me", bob, options={"first_seat": 1})["id"]
    for _ in range(5):
        invite(ada, bob)
    for _ in range(20):
        bob.create("open", "open")
    stream = bob.stream("/me/events")
    awaited = eventually(lambda: [message for message in stream.messages if message["event"] == "awaited"])
    assert [message["data"]["game"] for message in awaited] == [real]
    stream.close()


def test_only_an_admin_seats_players_without_their_consent_and_the_log_shows_it(
    admin: Client, ada: Client, bob: Client
) -> None:
    seats = [{"player": ada.player["id"]}, {"player": bob.player["id"]}]
    game = admin.post("/games", {"ruleset": "catham-city", "seats": seats, "on_resignation": "end"}).json()
    assert (game["status"], game["terms"]["assigned"]) == ("running", [0, 1])
    eventually(lambda: ada.game(game["id"])["version"] == 1)
    assert ada.post(f"/games/{game['id']}/resignation").status_code == 201
    record = eventually(lambda: (answer := ada.get(f"/games/{game['id']}/record")).status_code == 200 and answer.text)
    assert '"assigned":[0,1]' in record.splitlines()[0]


def test_naming_oneself_takes_the_seat(ada: Client) -> None:
    seats = [{"player": ada.player["id"]}, "me"]
    game = ada.post("/games", {"ruleset": "catham-city", "seats": seats, "nonce": "n"}).json()
    assert (game["status"], [seat["nonce"] for seat in game["seats"]]) == ("running", [nonce_of("n")] * 2)
    assert game["terms"]["assigned"] == []


def test_simultaneous_invitations_are_counted_exactly(ada: Client, bob: Client) -> None:
    body = {"ruleset": "catham-city", "seats": ["me", {"player": bob.player["id"]}]}

    def sent(_: int) -> int:
        return Client(ada.url, ada.key, ada.player).post("/games", body).status_code

    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(sent, range(20)))
    assert (statuses.count(201), statuses.count(409)) == (5, 15)
    assert len(listed(bob, invited="true")) == 5
    assert ada.get("/me").json()["quotas"]["open_games"]["used"] == 5
