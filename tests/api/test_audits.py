"""Audits over HTTP, and records that are fetched and proved offline."""

from typing import Any

import pytest

from referee.audit.record import Record, read_commit, read_record
from referee.audit.verify import audit
from referee.kernel.chance import Source
from referee.kernel.ruleset import Ruleset
from referee.rulesets import TITLES
from referee.table.record import nonce_of
from tests.service import Client
from tests.waiting import eventually


def over(client: Client, id: str) -> dict[str, Any]:
    """Return the game as soon as it is over."""
    return eventually(lambda: (game := client.game(id))["status"] in ("finished", "annulled") and game, 60, 0.05)


def fetched(client: Client, id: str) -> Record:
    answer = client.get(f"/games/{id}/record")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("application/jsonl")
    return read_record(answer.content.splitlines(keepends=True))


def proved(client: Client, game: dict[str, Any]) -> Record:
    """Return the record of a finished game, which the server and the offline audit prove."""
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


def test_the_moves_of_a_search_bot_are_replayed(ada: Client) -> None:
    game = ada.create({"bot": "search"}, {"bot": "random"})
    over(ada, game["id"])
    replayed = audit(proved(ada, game), with_bots=True)
    assert replayed.verdict == "proved"
    assert replayed.checks[-1].name == "bots"


def test_the_iterations_of_a_bot_are_shown_only_with_everything_else(ada: Client) -> None:
    game = ada.create({"bot": "random"}, {"bot": "random"})
    over(ada, game["id"])

    def causes(query: str) -> list[dict[str, Any]]:
        commits = ada.get(f"/games/{game['id']}/events{query}").json()["commits"]
        return [commit["cause"] for commit in commits if commit["cause"] is not None]

    assert {tuple(cause) for cause in causes("")} == {("bot", "luck", "version")}
    assert {tuple(cause) for cause in causes("?seat=all")} == {("bot", "iterations", "luck", "version")}


def test_a_game_with_nonces_that_ends_by_resignation_is_proved(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open", nonce="ada's luck", on_resignation="end")
    assert bob.post(f"/games/{game['id']}/seats", {"nonce": "bob's luck"}).status_code == 201
    eventually(lambda: ada.game(game["id"])["version"] > 0)
    assert ada.post(f"/games/{game['id']}/resignation").status_code == 201
    over(ada, game["id"])
    record = proved(ada, game)
    assert record.header.nonces == (nonce_of("ada's luck"), nonce_of("bob's luck"))
    assert [held.player for _, held in record.beside.holders] == [ada.player["id"], bob.player["id"]]


def test_a_game_with_a_pause_a_takeover_and_an_annulment_is_proved(ada: Client, admin: Client) -> None:
    game = ada.started("me", "me", {"bot": "random"}, options={"first_seat": 0})
    administration = f"/games/{game['id']}/administration"
    assert admin.post(administration, {"action": "pause", "reason": "tea"}).status_code == 201
    assert ada.post(f"/games/{game['id']}/resignation").status_code == 201
    assert admin.post(administration, {"action": "resume", "reason": "tea is over"}).status_code == 201
    eventually(lambda: [each["seat"] for each in ada.game(game["id"])["awaited"]] == [1])
    assert admin.post(administration, {"action": "annul", "reason": "fire"}).status_code == 201
    over(ada, game["id"])
    assert [text.text for text in proved(ada, game).beside.texts] == ["tea", "tea is over", "fire"]
    commits = ada.get(f"/games/{game['id']}/events?limit=1000").json()["commits"]
    shown = [commit["events"][0]["reason"] for commit in commits if commit["actor"] == "admin"]
    assert shown == ["tea", "tea is over", "fire"]


def test_a_casual_game_is_proved_from_its_start_position(ada: Client) -> None:
    start = ada.post("/rulesets/catham-city/positions", {"options": {}, "seats": 2, "seed": "casual"}).json()[
        "position"
    ]
    game = ada.create({"bot": "random"}, {"bot": "random"}, position=start)
    over(ada, game["id"])
    assert proved(ada, game).header.position == start


def test_the_chain_of_a_running_game_is_checked_but_its_record_is_not_available(ada: Client) -> None:
    game = ada.started("me", "me")
    report = ada.get(f"/games/{game['id']}/audit").json()
    assert (report["verdict"], report["first_bad_version"]) == ("running", None)
    passed = {check["name"]: check["passed"] for check in report["checks"]}
    assert {name for name, each in passed.items() if each} == {"header", "chain", "seals"}
    assert {each for name, each in passed.items() if name not in ("header", "chain", "seals")} == {None}
    assert ada.get(f"/games/{game['id']}/record").status_code == 409


def test_the_luck_of_a_game_is_published_after_its_end_with_numbers_that_follow_from_its_secret(ada: Client) -> None:
    running = ada.started("me", "me")["id"]
    early = ada.get(f"/games/{running}/luck")
    assert (early.status_code, early.json()["code"]) == (409, "game-running")
    game = ada.create({"bot": "random"}, {"bot": "random"}, ruleset="explorers-and-pirates")
    over(ada, game["id"])
    answer = eventually(lambda: (found := ada.get(f"/games/{game['id']}/luck")).status_code == 200 and found)
    assert answer.text.startswith('{"drawings":['), "the page knows the file by its first field"
    luck, record = answer.json(), fetched(ada, game["id"])
    assert luck["complete"] is True and record.secret is not None
    key = record.secret.chance_key(record.header.nonces)
    assert len(luck["drawings"]) == sum(read_commit(entry.body).draws for entry in record.entries)
    for number, drawing in enumerate(luck["drawings"]):
        assert drawing["number"] == number
        source = Source(key, drawing["label"])
        assert drawing["numbers"] == [source.below(bound) for bound in drawing["bounds"]]
    assert {"roll_dice", "shuffle_island"} & {drawing["point"] for drawing in luck["drawings"]}


def test_the_luck_of_a_private_game_is_not_for_strangers(ada: Client, bob: Client) -> None:
    game = ada.create({"bot": "random"}, {"bot": "random"}, visibility="private")
    over(ada, game["id"])
    assert bob.get(f"/games/{game['id']}/luck").status_code == 404
    assert bob.get("/games/g_000000000000000000000000/luck").status_code == 404
