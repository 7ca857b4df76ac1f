"""Audits over HTTP, and records that are fetched and proved elsewhere."""

from typing import Any

import pytest

from referee.audit.record import Record, read_record
from referee.audit.verify import audit
from referee.kernel.ruleset import Ruleset
from referee.rulesets import TITLES
from tests.service import Client
from tests.waiting import eventually


def over(client: Client, id: str) -> dict[str, Any]:
    """The game as soon as it is over."""
    return eventually(lambda: (game := client.game(id))["status"] in ("finished", "annulled") and game, 60, 0.05)


def fetched(client: Client, id: str) -> Record:
    answer = client.get(f"/games/{id}/record")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("application/jsonl")
    return read_record(answer.content.splitlines(keepends=True))


def proved(client: Client, game: dict[str, Any]) -> Record:
    """The record of a game that is over: proved by the server, and elsewhere."""
    report = client.audit(game["id"])
    assert (report["verdict"], report["first_bad_version"]) == ("proved", None), report
    record = fetched(client, game["id"])
    assert audit(record).verdict == "proved"
    assert record.header.commitment == game["commitment"]
    return record


@pytest.mark.parametrize("ruleset", TITLES, ids=lambda ruleset: ruleset.slug)
def test_a_game_of_bots_is_proved_from_its_record(ada: Client, ruleset: Ruleset) -> None:
    seats = [{"bot": "random"}] * ruleset.seats[0]
    game = ada.create(*seats, ruleset=ruleset.slug)
    over(ada, game["id"])
    record = proved(ada, game)
    assert len(record.entries) == ada.game(game["id"])["version"]


def test_a_bot_that_thinks_is_made_to_think_the_same_again(ada: Client) -> None:
    game = ada.create({"bot": "search"}, {"bot": "random"})
    over(ada, game["id"])
    made_again = audit(proved(ada, game), with_bots=True)
    assert made_again.verdict == "proved"
    assert made_again.checks[-1].name == "bots"


def test_how_long_a_bot_thought_is_told_to_nobody_before_all_is_told(ada: Client) -> None:
    game = ada.create({"bot": "random"}, {"bot": "random"})
    over(ada, game["id"])

    def causes(query: str) -> list[dict[str, Any]]:
        commits = ada.get(f"/games/{game['id']}/events{query}").json()["commits"]
        return [commit["cause"] for commit in commits if commit["cause"] is not None]

    assert {tuple(cause) for cause in causes("")} == {("bot", "luck", "version")}
    assert {tuple(cause) for cause in causes("?seat=all")} == {("bot", "iterations", "luck", "version")}


def test_a_nonce_is_in_the_record_and_a_conceded_game_is_proved(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open", nonce="ada's luck", on_resignation="end")
    assert bob.post(f"/games/{game['id']}/seats", {"nonce": "bob's luck"}).status_code == 201
    eventually(lambda: ada.game(game["id"])["version"] > 0)
    assert ada.post(f"/games/{game['id']}/resignation").status_code == 201
    over(ada, game["id"])
    assert proved(ada, game).header.nonces == ("ada's luck", "bob's luck")


def test_a_game_that_was_paused_conceded_to_a_bot_and_annulled_is_proved(ada: Client, admin: Client) -> None:
    game = ada.started("me", "me", {"bot": "random"}, options={"first_seat": 0})
    rulings = f"/games/{game['id']}/rulings"
    assert admin.post(rulings, {"action": "pause", "reason": "tea"}).status_code == 201
    assert ada.post(f"/games/{game['id']}/resignation").status_code == 201
    assert admin.post(rulings, {"action": "resume", "reason": "tea is over"}).status_code == 201
    eventually(lambda: [each["seat"] for each in ada.game(game["id"])["awaited"]] == [1])
    assert admin.post(rulings, {"action": "annul", "reason": "fire"}).status_code == 201
    over(ada, game["id"])
    proved(ada, game)


def test_a_casual_game_is_proved_from_where_it_began(ada: Client) -> None:
    start = ada.post("/rulesets/catham-city/positions", {"options": {}, "seats": 2, "seed": "casual"}).json()[
        "position"
    ]
    game = ada.create({"bot": "random"}, {"bot": "random"}, position=start)
    over(ada, game["id"])
    assert proved(ada, game).header.position == start


def test_while_a_game_runs_its_chain_is_proved_and_its_record_is_kept_back(ada: Client) -> None:
    game = ada.started("me", "me")
    report = ada.get(f"/games/{game['id']}/audit").json()
    assert (report["verdict"], report["first_bad_version"]) == ("running", None)
    passed = {check["name"]: check["passed"] for check in report["checks"]}
    assert {name for name, each in passed.items() if each} == {"header", "chain"}
    assert {each for name, each in passed.items() if name not in ("header", "chain")} == {None}
    assert ada.get(f"/games/{game['id']}/record").status_code == 409
