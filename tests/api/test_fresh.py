"""Fresh luck over HTTP: each move carries the next link of its seat, and everything that can go wrong with links."""

import random
import secrets
from typing import Any

import pytest

from referee.audit.record import read_record
from referee.audit.verify import audit
from referee.table.record import seal_of
from tests.chains import links_of
from tests.service import Client
from tests.waiting import eventually


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


class FreshTable:
    """A running game with fresh luck in which Ada and Bob have chains of links."""

    def __init__(self, ada: Client, bob: Client, **fields: Any) -> None:
        self.clients = ada, bob
        fields = {"ruleset": "explorers-and-pirates", "luck": "fresh", "on_resignation": "end", **fields}
        self.id = ada.create("open", "open", **fields)["id"]
        self.chains = [links_of(self.id, secrets.token_hex(32)) for _ in self.clients]
        for client, links in zip(self.clients, self.chains, strict=True):
            assert self.sit(client, links).status_code == 201
        for seat, links in enumerate(self.chains):
            assert self.reveal(seat, links[0]).status_code == 200
        self.ada = eventually(lambda: (game := ada.game(self.id))["version"] > 0 and game)

    def sit(self, client: Client, links: list[str]) -> Any:
        return client.post(f"/games/{self.id}/seats", {"seal": seal_of(self.id, links[0])})

    def reveal(self, seat: int, link: str) -> Any:
        return self.clients[seat].post(f"/games/{self.id}/seats/{seat}/reveal", {"link": link})

    def chain(self, seat: int) -> dict[str, Any]:
        """How far the chain of a seat is used up."""
        found: dict[str, Any] = self.clients[seat].game(self.id)["chain"]
        return found

    def link(self, seat: int) -> str | None:
        """The link that the next move of a seat carries."""
        chain = self.chain(seat)
        return self.chains[seat][chain["index"]] if chain["counts"] else None

    def move(self, seat: int, move: Any, link: Any = "next", **query: Any) -> Any:
        sent = self.link(seat) if link == "next" else link
        body = move if sent is None else {"link": sent, "move": move}
        return self.clients[seat].move(self.id, body, params=query)

    def awaited(self) -> tuple[int, list[dict[str, Any]]]:
        """A seat that may move, and its legal moves."""
        for seat, client in enumerate(self.clients):
            if moves := client.legal(self.id)["moves"]:
                return seat, moves
        raise AssertionError("nobody may move")

    def play_until_roll(self) -> int:
        """Play at random until a seat may roll the dice; returns the seat."""
        luck = random.Random(1)
        while True:
            seat, moves = self.awaited()
            if {"type": "roll_dice"} in moves:
                return seat
            assert self.move(seat, luck.choice(moves)).status_code == 201

    def report(self) -> Any:
        """End the game by a resignation, and audit its record."""
        assert self.clients[0].post(f"/games/{self.id}/resignation").status_code == 201
        eventually(lambda: self.clients[0].game(self.id)["status"] == "finished")
        return audit(read_record(self.clients[0].get(f"/games/{self.id}/record").content.splitlines(keepends=True)))


@pytest.fixture
def table(ada: Client, bob: Client) -> FreshTable:
    return FreshTable(ada, bob)


def test_a_roll_uses_up_a_link_and_other_moves_do_not(table: FreshTable, nobody: Client) -> None:
    assert table.ada["terms"]["luck"] == "fresh"
    seat = table.play_until_roll()
    before = table.chain(seat)
    assert (before["index"], before["before"], before["counts"]) == (1, table.chains[seat][0], True)
    assert table.move(seat, {"type": "roll_dice"}).status_code == 201
    after = table.chain(seat)
    assert (after["index"], after["before"]) == (2, table.chains[seat][1])
    assert table.chain(1 - seat)["index"] == 1
    assert nobody.game(table.id)["chain"] is None
    for client in (table.clients[1 - seat], nobody):
        for path in ("", "/events"):
            assert table.chains[seat][1] not in client.get(f"/games/{table.id}{path}").text
    report = table.report()
    assert report.verdict == "proved"
    (outcomes,) = [check.detail for check in report.checks if check.name == "outcomes"]
    assert "1 of " in outcomes and "had a fresh link" in outcomes and "Without one drew: the referee" in outcomes


def test_links_that_are_missing_skipped_repeated_or_foreign_are_refused_and_change_nothing(table: FreshTable) -> None:
    seat = table.play_until_roll()
    links, others, roll = table.chains[seat], table.chains[1 - seat], {"type": "roll_dice"}
    version = table.clients[seat].game(table.id)["version"]
    missing = table.move(seat, roll, None)
    assert refusal(missing) == (422, "link-missing")
    assert (missing.json()["link_index"], missing.json()["link_before"]) == (1, links[0])
    wrong = {
        links[2]: f"link 2 of the chain of seat {seat}. Send link 1.",
        links[9]: f"link 9 of the chain of seat {seat}. Send link 1.",
        links[0]: "was used before",
        seal_of(table.id, links[0]): "is not in the chain",
        others[1]: "of another seat",
        secrets.token_hex(32): "is not in the chain",
        links[1].upper(): "64 hexadecimal digits",
        links[1][:63]: "64 hexadecimal digits",
        links[1] + "\n": "64 hexadecimal digits",
        "": "64 hexadecimal digits",
        "x" * 10_000: "64 hexadecimal digits",
    }
    for link, reason in wrong.items():
        answer = table.clients[seat].move(table.id, {"link": link, "move": roll})
        assert refusal(answer) == (422, "link-wrong")
        assert reason in answer.json()["detail"] and answer.json()["link_index"] == 1
    for link in (7, True, [links[1]], {"link": links[1]}):
        assert refusal(table.clients[seat].move(table.id, {"link": link, "move": roll})) == (422, "link-wrong")
    assert refusal(table.clients[seat].move(table.id, {"link": None, "move": roll})) == (422, "link-missing")
    for body in ({"link": links[1]}, {"link": links[1], "move": roll, "seat": 0}, {"link": links[1], "move": []}):
        assert table.clients[seat].move(table.id, body).status_code == 422
    assert table.clients[seat].game(table.id)["version"] == version
    assert table.move(seat, roll).status_code == 201


def test_a_refused_move_and_a_dry_run_use_no_link_up(table: FreshTable) -> None:
    seat = table.play_until_roll()
    assert refusal(table.move(seat, {"type": "end_turn"})) == (422, "move-refused")
    assert table.move(seat, {"type": "roll_dice"}, None, dry_run="true").status_code == 200
    assert table.move(seat, {"type": "roll_dice"}, dry_run="true").status_code == 200
    assert table.chain(seat)["index"] == 1
    again = {"headers": {"Idempotency-Key": "once"}}
    body = {"link": table.chains[seat][1], "move": {"type": "roll_dice"}}
    first = table.clients[seat].move(table.id, body, **again)
    assert first.status_code == 201
    assert table.clients[seat].move(table.id, body, **again).json() == first.json()
    assert table.chain(seat)["index"] == 2


def test_a_link_has_no_place_in_a_game_whose_luck_is_fixed(ada: Client) -> None:
    game = ada.started("me", "me")
    (move, *_) = ada.legal(game["id"], game["awaited"][0]["seat"])["moves"]
    answer = ada.move(game["id"], {"link": "a" * 64, "move": move}, game["awaited"][0]["seat"])
    assert refusal(answer) == (422, "link-unexpected")
    assert game["chain"] is None
    assert refusal(ada.post(f"/games/{game['id']}/seats/0/seal", {"seal": "a" * 64})) == (409, "luck-fixed")


def test_every_player_of_a_table_with_fresh_luck_seals(ada: Client, bob: Client) -> None:
    id = ada.create("open", "open", luck="fresh")["id"]
    for body in ({}, {"nonce": "mine"}, {"nonce": "a" * 64}, {"seal": None}):
        assert refusal(bob.post(f"/games/{id}/seats", body)) == (422, "seal-missing")
    for seats in (["me", "open"], ["open", "me"]):
        body = {"ruleset": "catham-city", "seats": seats, "luck": "fresh"}
        assert refusal(ada.post("/games", body)) == (422, "invalid-request")
    for wrong in ("stale", "", None, 7):
        body = {"ruleset": "catham-city", "seats": ["open", "open"], "luck": wrong}
        assert refusal(ada.post("/games", body)) == (422, "invalid-request")
    assert ada.game(id)["status"] == "waiting"


def test_a_new_chain_is_sealed_while_others_move_and_counts_when_they_have_added_links(table: FreshTable) -> None:
    seat = table.play_until_roll()
    client, new = table.clients[seat], links_of(table.id, secrets.token_hex(32))
    path, seal = f"/games/{table.id}/seats/{seat}/seal", {"seal": seal_of(table.id, new[0])}
    assert refusal(client.post(path, seal)) == (409, "reseal-awaited")
    assert table.move(seat, {"type": "roll_dice"}).status_code == 201
    luck = random.Random(2)
    while (turn := table.awaited())[0] == seat:
        moves = [move for move in turn[1] if move["type"] == "end_turn"] or turn[1]
        assert table.move(seat, luck.choice(moves)).status_code == 201
    for wrong in ("a" * 63, "A" * 64, ""):
        assert refusal(client.post(path, {"seal": wrong})) == (422, "invalid-seal")
    assert refusal(client.post(path, {})) == (422, "invalid-request")
    assert refusal(table.clients[1 - seat].post(path, seal)) == (403, "not-your-seat")
    taken = {"seal": table.chains[1 - seat][0]}
    assert refusal(client.post(path, taken)) == (409, "seal-taken")
    assert client.post(path, seal).status_code == 201
    assert refusal(client.post(path, {"seal": secrets.token_hex(32)})) == (409, "resealed-already")
    assert (table.chain(seat)["counts"], table.chain(seat)["index"]) == (False, 0)
    table.chains[seat] = new
    while not table.chain(seat)["counts"]:
        turn, moves = table.awaited()
        if turn == seat:
            answer = client.move(table.id, {"link": new[0], "move": moves[0]})
            assert refusal(answer) == (422, "link-unexpected")
        rolls = [move for move in moves if move["type"] == "roll_dice"]
        assert table.move(turn, luck.choice(rolls or moves)).status_code == 201
    assert table.report().verdict == "proved"


def test_the_clock_moves_on_without_a_link_and_the_player_goes_on_with_the_next_one(ada: Client, bob: Client) -> None:
    table = FreshTable(ada, bob, clock={"decision_s": 1, "missed_deadlines_max": 100})
    version = table.ada["version"]
    eventually(lambda: ada.game(table.id)["version"] > version)
    assert {table.chain(seat)["index"] for seat in (0, 1)} == {1}
    assert table.report().verdict == "proved"
