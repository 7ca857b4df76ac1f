"""Sealed nonces over HTTP: seal, wait for all seals, reveal, start; and everything that can go wrong."""

import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from redis import Redis

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee.service.sealing import UNREVEALED
from referee.table.record import nonce_of, seal_of
from tests.service import Client, Service
from tests.waiting import eventually


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def sit(client: Client, game: str, link: str, **fields: Any) -> Any:
    return client.post(f"/games/{game}/seats", {"seal": seal_of(game, link), **fields})


def reveal(client: Client, game: str, seat: int, link: Any) -> Any:
    return client.post(f"/games/{game}/seats/{seat}/reveal", {"link": link})


def a_link() -> str:
    return secrets.token_hex(32)


class Table:
    """A game in which Ada and Bob have sealed their nonces."""

    def __init__(self, ada: Client, bob: Client, **fields: Any) -> None:
        self.ada, self.bob = ada, bob
        self.id = ada.create("open", "open", on_resignation="end", **fields)["id"]
        self.links = a_link(), a_link()
        assert sit(ada, self.id, self.links[0]).json()["status"] == "waiting"
        self.full = sit(bob, self.id, self.links[1]).json()

    def reveal(self, seat: int, link: Any = None) -> Any:
        client = (self.ada, self.bob)[seat]
        return reveal(client, self.id, seat, self.links[seat] if link is None else link)


def record_of(client: Client, game: str) -> Any:
    return read_record(client.get(f"/games/{game}/record").content.splitlines(keepends=True))


def test_a_game_with_seals_starts_when_all_are_open_and_is_proved(ada: Client, bob: Client, nobody: Client) -> None:
    table = Table(ada, bob)
    assert (table.full["status"], table.full["version"], table.full["unrevealed"]) == ("revealing", 0, [0, 1])
    assert table.full["reveal_until"] is not None
    assert [seat["seal"] for seat in table.full["seats"]] == [seal_of(table.id, link) for link in table.links]
    first = table.reveal(0)
    assert (first.status_code, first.json()["status"], first.json()["unrevealed"]) == (200, "revealing", [1])
    for client in (ada, bob, nobody):
        assert table.links[0] not in client.get(f"/games/{table.id}").text
        assert table.links[0] not in client.get("/games?limit=100").text
    assert table.reveal(0).status_code == 200
    last = table.reveal(1).json()
    assert (last["status"], last["reveal_until"], last["unrevealed"]) == ("running", None, [])
    assert [seat["nonce"] for seat in last["seats"]] == list(table.links)
    eventually(lambda: ada.game(table.id)["version"] > 0)
    assert table.reveal(1).status_code == 200
    assert ada.post(f"/games/{table.id}/resignation").status_code == 201
    eventually(lambda: ada.game(table.id)["status"] == "finished")
    report = audit(record_of(ada, table.id))
    assert report.verdict == "proved"
    (seals,) = [check.detail for check in report.checks if check.name == "seals"]
    assert seals == "2 of 2 sealed nonces were revealed and open their seals."


def test_seats_with_and_without_seals_sit_at_one_table(ada: Client, bob: Client) -> None:
    id = ada.create("me", "open", {"bot": "random"}, nonce="plain")["id"]
    link = a_link()
    full = sit(bob, id, link).json()
    assert (full["status"], full["unrevealed"]) == ("revealing", [1])
    assert full["seats"][0]["nonce"] == nonce_of("plain")
    assert refusal(reveal(ada, id, 0, a_link())) == (409, "nothing-sealed")
    assert reveal(bob, id, 1, link).json()["status"] == "running"


SEALS = {
    "upper case": ("A" * 64, {}),
    "63 digits": ("a" * 63, {}),
    "65 digits": ("a" * 65, {}),
    "a line feed": ("a" * 64 + "\n", {}),
    "no hexadecimal": ("g" * 64, {}),
    "full-width digits": ("\uff10" * 64, {}),
    "empty": ("", {}),
    "beside a nonce": ("a" * 64, {"nonce": "mine"}),
}


@pytest.mark.parametrize("name", SEALS)
def test_an_invalid_seal_is_refused_and_takes_no_seat(name: str, ada: Client) -> None:
    id = ada.create("open", "open")["id"]
    seal, fields = SEALS[name]
    answer = ada.post(f"/games/{id}/seats", {"seal": seal, **fields})
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid-seal" or "seal" in answer.json()["errors"]
    assert [seat["player"] for seat in ada.game(id)["seats"]] == [None, None]


def test_a_seal_of_another_type_and_a_seal_at_creation_are_refused(ada: Client) -> None:
    id = ada.create("open", "open")["id"]
    for seal in (7, True, ["a" * 64], {"seal": "a" * 64}):
        assert refusal(ada.post(f"/games/{id}/seats", {"seal": seal})) == (422, "invalid-request")
    body = {"ruleset": "catham-city", "seats": ["me", "open"], "seal": "a" * 64}
    assert refusal(ada.post("/games", body)) == (422, "invalid-request")


def test_the_seal_of_another_seat_is_refused(ada: Client, bob: Client) -> None:
    id, link = ada.create("open", "open")["id"], a_link()
    assert sit(ada, id, link).status_code == 201
    assert refusal(sit(bob, id, link)) == (409, "seal-taken")
    assert refusal(sit(ada, id, link)) == (409, "seal-taken")


def test_a_reveal_that_is_wrong_early_another_players_or_not_a_link_is_refused(ada: Client, bob: Client) -> None:
    id, links = ada.create("open", "open")["id"], (a_link(), a_link())
    assert sit(ada, id, links[0]).status_code == 201
    assert refusal(reveal(ada, id, 0, links[0])) == (409, "reveal-early")
    assert refusal(reveal(bob, id, 0, links[0])) == (403, "not-your-seat")
    assert sit(bob, id, links[1]).status_code == 201
    for link in (a_link(), links[1], links[0].upper() + "x", "", "x"):
        assert refusal(reveal(ada, id, 0, link)) in ((422, "link-wrong"), (422, "invalid-request"))
    for link in (None, 7, [links[0]], {}):
        assert refusal(reveal(ada, id, 0, link)) == (422, "invalid-request")
    assert refusal(ada.post(f"/games/{id}/seats/0/reveal", {})) == (422, "invalid-request")
    for seat in (1, 2, 99):
        assert refusal(reveal(ada, id, seat, links[0])) == (403, "not-your-seat")
    assert ada.game(id)["unrevealed"] == [0, 1]
    assert reveal(ada, id, 0, links[0]).status_code == 200
    assert refusal(reveal(ada, id, 0, a_link())) == (422, "link-wrong")


def test_nobody_sits_leaves_moves_or_withdraws_while_seats_reveal(ada: Client, bob: Client) -> None:
    table = Table(ada, bob)
    eve_like = bob
    assert refusal(eve_like.post(f"/games/{table.id}/seats", {})) == (409, "game-revealing")
    assert refusal(bob.delete(f"/games/{table.id}/seats/1")) == (409, "game-revealing")
    assert refusal(ada.delete(f"/games/{table.id}")) == (409, "game-revealing")
    assert refusal(ada.post(f"/games/{table.id}/resignation")) == (409, "game-revealing")
    assert refusal(ada.move(table.id, {"type": "take_cards"})) == (409, "game-revealing")
    assert ada.legal(table.id)["moves"] == []
    assert ada.game(table.id)["status"] == "revealing"


def test_a_seat_that_does_not_reveal_in_time_annuls_the_game(ada: Client, bob: Client) -> None:
    table = Table(ada, bob, reveal_s=1)
    assert table.reveal(0).status_code == 200
    game = eventually(lambda: (game := ada.game(table.id))["status"] == "annulled" and game)
    assert (game["reason"], game["unrevealed"], game["version"]) == (UNREVEALED, [1], 0)
    assert refusal(table.reveal(1)) == (409, "reveal-late")
    assert refusal(table.reveal(0)) == (409, "reveal-late")
    assert table.links[0] not in bob.get(f"/games/{table.id}").text
    assert [reveals_of(bob, each) for each in (ada, bob)] == [(1, 0), (1, 1)]


def reveals_of(reader: Client, client: Client) -> tuple[int, int]:
    """How often a player sealed a nonce, and how often the service says that it was not revealed."""
    found = reader.get(f"/players/{client.player['id']}").json()
    assert found["id"] == client.player["id"]
    return found["reveals"]["sealed"], found["reveals"]["missed"]


def test_the_service_counts_who_did_not_reveal_and_forgets_it_with_the_player(
    ada: Client, bob: Client, nobody: Client, service: Service
) -> None:
    assert reveals_of(ada, bob) == (0, 0)
    for _ in range(2):
        table = Table(ada, bob)
        assert table.reveal(0).status_code == table.reveal(1).status_code == 200
    last = Table(ada, bob, reveal_s=1, unrevealed="without")
    assert last.reveal(1).status_code == 200
    eventually(lambda: ada.game(last.id)["version"] > 0)
    assert (reveals_of(bob, ada), reveals_of(ada, bob)) == ((3, 1), (3, 0))
    assert reveals_of(nobody, ada) == (3, 1)
    assert refusal(ada.get("/players/p_nobody")) == (404, "unknown-player")
    assert ada.delete(f"/players/{ada.player['id']}").status_code == 202
    assert refusal(bob.get(f"/players/{ada.player['id']}")) == (404, "unknown-player")
    assert Redis.from_url(service.redis_url).exists(f"reveals:{ada.player['id']}") == 0


def test_with_the_terms_without_a_game_starts_although_a_seat_does_not_reveal(ada: Client, bob: Client) -> None:
    table = Table(ada, bob, reveal_s=1, unrevealed="without")
    assert table.reveal(0).status_code == 200
    game = eventually(lambda: (game := ada.game(table.id))["version"] > 0 and game)
    assert [seat["nonce"] for seat in game["seats"]] == [table.links[0], ""]
    assert game["unrevealed"] == [1]
    assert refusal(table.reveal(1)) == (409, "reveal-late")
    assert ada.post(f"/games/{table.id}/resignation").status_code == 201
    eventually(lambda: ada.game(table.id)["status"] == "finished")
    report = audit(record_of(ada, table.id))
    assert report.verdict == "proved"
    assert "The service says that seat 1 did not reveal." in str(report.checks)


def test_an_admin_can_annul_a_game_that_waits_for_reveals(ada: Client, bob: Client, admin: Client) -> None:
    table = Table(ada, bob)
    assert refusal(admin.post(f"/games/{table.id}/administration", {"action": "pause", "reason": "x"}))[0] == 409
    annulled = admin.post(f"/games/{table.id}/administration", {"action": "annul", "reason": "fire"})
    assert annulled.status_code == 204
    assert (ada.game(table.id)["status"], ada.game(table.id)["reason"]) == ("annulled", "fire")


def test_the_stream_of_a_player_asks_for_the_reveal_and_then_for_moves(ada: Client, bob: Client) -> None:
    stream = ada.stream("/me/events")
    table = Table(ada, bob, options={"first_seat": 0})
    (asked,) = eventually(lambda: [message for message in stream.messages if message["event"] == "revealing"])
    assert asked["data"].keys() == {"game", "ruleset", "version", "seat", "until"}
    assert (asked["data"]["game"], asked["data"]["seat"]) == (table.id, 0)
    later = ada.stream("/me/events")
    eventually(lambda: any(message["event"] == "revealing" for message in later.messages))
    assert table.reveal(0).status_code == table.reveal(1).status_code == 200
    for each in (stream, later):
        eventually(lambda each=each: any(message["event"] == "awaited" for message in each.messages))
        each.close()


def test_all_seats_reveal_at_once_and_the_game_starts_once(ada: Client, bob: Client) -> None:
    for _ in range(5):
        table = Table(ada, bob)
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(table.reveal, (0, 1) * 4))
        assert {answer.status_code for answer in answers} == {200}
        assert eventually(lambda table=table: ada.game(table.id)["version"] == 1)


def test_a_table_with_a_clock_in_days_has_a_day_to_reveal(ada: Client) -> None:
    assert ada.create("open", "open")["terms"]["reveal_s"] == 120
    assert ada.create("open", "open", clock={"days": 2})["terms"]["reveal_s"] == 86_400
    for wrong in (0, -1, 604_801, 1.5, "1"):
        body = {"ruleset": "catham-city", "seats": ["open", "open"], "reveal_s": wrong}
        assert refusal(ada.post("/games", body)) == (422, "invalid-request")
