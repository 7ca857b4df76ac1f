"""Editions by name: what players can choose, and games that are played with it from the first commit to the audit."""

import hashlib
import json
from typing import Any

import pytest

from referee.rulesets import LATEST
from referee.rulesets.editions import editions_of, offered_editions
from tests.service import Client
from tests.waiting import eventually

SLUG = "hund-und-katz"
MORE = editions_of(LATEST[SLUG])["more-squares"]
UNLISTED = editions_of(LATEST[SLUG])["light_meals"]


@pytest.mark.parametrize("slug", LATEST)
def test_a_ruleset_lists_its_editions_with_their_hashes_and_numbers(nobody: Client, slug: str) -> None:
    described = nobody.get(f"/rulesets/{slug}").json()
    offered = {name: rules.edition_hash for name, rules in offered_editions(LATEST[slug]).items()}
    assert {each["name"]: each["hash"] for each in described["editions"]} == offered
    assert described["editions"][0]["name"] == "box"
    (listed,) = (title for title in nobody.get("/rulesets").json()["rulesets"] if title["slug"] == slug)
    assert listed["editions"] == described["editions"]
    for each in described["editions"]:
        read = nobody.call("GET", each["url"])
        assert read.headers["Cache-Control"] == nobody.get("/rulesets").headers["Cache-Control"]
        edition = read.json()
        assert (edition["ruleset"], edition["name"], edition["hash"]) == (slug, each["name"], each["hash"])
        plain = json.dumps(edition["numbers"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(plain.encode()).hexdigest() == each["hash"], "anyone can compute the hash again"
    assert nobody.call("GET", described["editions"][0]["url"]).json()["numbers"] == described["edition_data"]


def test_the_numbers_of_an_edition_that_players_cannot_choose_can_be_read(nobody: Client) -> None:
    found = nobody.get(f"/rulesets/{SLUG}/editions/{UNLISTED.edition_hash}").json()
    assert (found["name"], found["numbers"]["sated_at"]) == ("light_meals", UNLISTED.edition.sated_at)
    for hash in ("0" * 64, "box", "x" * 2000):
        missing = nobody.get(f"/rulesets/{SLUG}/editions/{hash}")
        assert (missing.status_code, missing.json()["code"]) == (404, "unknown-edition")


WRONG_NAMES = ("short", "light_meals", "unlisted/light_meals", "../edition", "more_squares", "Box", MORE.edition_hash)


@pytest.mark.parametrize("name", WRONG_NAMES)
def test_an_unknown_name_is_refused_with_the_names_there_are(ada: Client, name: str) -> None:
    refused = ada.post("/games", {"ruleset": SLUG, "seats": ["me", "open"], "edition": name[:60]})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid-request")
    detail = f"Wie Hund und Katz! has no edition `{name[:60]}`. Choose one of: box, more-squares."
    assert refused.json()["detail"] == detail
    assert refused.json()["errors"] == {"edition": [detail]}


@pytest.mark.parametrize("name", [None, 7, "", "x" * 61, ["box"], {"name": "box"}])
def test_what_is_no_name_is_refused(ada: Client, name: Any) -> None:
    for path, body in (
        ("/games", {"ruleset": SLUG, "seats": ["me", "open"]}),
        (f"/rulesets/{SLUG}/positions", {"seats": 2}),
        (f"/rulesets/{SLUG}/judge", {"position": {}, "actor": 0, "move": {}}),
    ):
        refused = ada.post(path, {**body, "edition": name})
        assert refused.status_code == 422, refused.text
        assert "edition" in refused.json()["errors"]


def test_a_game_shows_its_edition_by_name_and_hash(ada: Client) -> None:
    usual = ada.create("me", "open", ruleset=SLUG)
    assert (usual["edition"], usual["edition_hash"]) == ("box", LATEST[SLUG].edition_hash)
    chosen = ada.create("me", "open", ruleset=SLUG, edition="more-squares")
    assert (chosen["edition"], chosen["edition_hash"]) == ("more-squares", MORE.edition_hash)
    assert ada.game(chosen["id"])["edition"] == "more-squares"
    listed = {game["id"]: game for game in ada.get("/games", params={"mine": "true"}).json()["games"]}
    assert [listed[game["id"]]["edition"] for game in (usual, chosen)] == ["box", "more-squares"]
    assert listed[chosen["id"]]["edition_hash"] == MORE.edition_hash


def crowded(nobody: Client) -> dict[str, Any]:
    """A position in which every square of an animal but one is taken; in the box it would have no free square."""
    wish = {"seats": 2, "seed": "crowd", "edition": "more-squares"}
    found = nobody.post(f"/rulesets/{SLUG}/positions", wish).json()["position"]
    box, more = LATEST[SLUG].edition.squares, MORE.edition.squares
    animal = next(each for each in found["animals"] if box[each["id"]] < more[each["id"]])
    animal["pawns"] = [0] * (more[animal["id"]] - 1)
    found["seats"][0]["stock"] -= len(animal["pawns"])
    return {**found, "active_seat": 0}


def test_judge_and_positions_take_an_edition(nobody: Client) -> None:
    position = crowded(nobody)
    animal = next(each["id"] for each in position["animals"] if each["pawns"])
    question = {"position": position, "actor": 0, "move": {"type": "place_pawn", "animal": animal}}
    assert (
        nobody.post(f"/rulesets/{SLUG}/judge", {**question, "edition": "more-squares"}).json()["verdict"] == "accepted"
    )
    in_the_box = nobody.post(f"/rulesets/{SLUG}/judge", question).json()
    assert (in_the_box["verdict"], in_the_box["clause"]) == ("rejected", "HK-13")
    overfull = nobody.post(f"/rulesets/{SLUG}/judge", {**question, "edition": "no-squares"})
    assert (overfull.status_code, overfull.json()["code"]) == (422, "invalid-request")


def test_legal_moves_moves_and_undo_follow_the_edition_of_the_game(ada: Client, nobody: Client) -> None:
    position = crowded(nobody)
    animal = next(each["id"] for each in position["animals"] if each["pawns"])
    full = ada.create("me", "me", ruleset=SLUG, position=position)
    placing = {"type": "place_pawn", "animal": animal}
    refused = ada.move(full["id"], placing, seat=0)
    assert (refused.status_code, refused.json()["clause"]) == (422, "HK-13")
    game = ada.create("me", "me", ruleset=SLUG, position=position, edition="more-squares", undo="free")
    assert placing in ada.legal(game["id"], 0)["moves"]
    assert ada.move(game["id"], placing, seat=0).status_code == 201
    undone = ada.post(f"/games/{game['id']}/undo", {}, params={"seat": 0})
    assert undone.status_code == 201, undone.text
    assert placing in ada.legal(game["id"], 0)["moves"]


def test_bots_play_another_edition_to_its_end_and_the_audit_proves_it(ada: Client) -> None:
    bots = [{"bot": name} for name in ("greedy", "random", "search")]
    id = ada.create(*bots, ruleset=SLUG, edition="more-squares")["id"]
    game = eventually(lambda: (read := ada.game(id))["status"] == "finished" and read, seconds=60)
    assert game["edition"] == "more-squares"
    crowds = [len(animal["pawns"]) > LATEST[SLUG].edition.squares[animal["id"]] for animal in game["view"]["animals"]]
    assert any(crowds), "an animal carries more pawns than the box would let it"
    header = json.loads(ada.get(f"/games/{id}/record").text.splitlines()[0])["header"]
    assert header["edition"] == MORE.edition_hash
    assert ada.audit(id)["verdict"] == "proved"
