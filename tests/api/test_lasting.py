"""Answers that clients may keep: tags, 304, compressed answers; rulesets of a version, players by their ids."""

import gzip
import json

import pytest
import requests

from referee.rulesets import LATEST
from tests.service import Client, Service
from tests.waiting import eventually

WORKERS_MAX = 4
LASTING = ("/openapi.json", "/docs", "/v1/rulesets", "/v1/rulesets/catham-city", "/v1/bots", "/problems/move-refused")


def raw(service: Service, path: str, **headers: str) -> requests.Response:
    """The answer as it came, without a key."""
    given = {"Accept-Encoding": "identity", **headers}
    return requests.get(service.url + path, headers=given, timeout=10, stream=True)


@pytest.mark.parametrize("path", LASTING)
def test_who_has_a_lasting_answer_already_gets_304(service: Service, path: str) -> None:
    answer = raw(service, path)
    tag = answer.headers["ETag"]
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "public, max-age=60")
    again = raw(service, path, **{"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert raw(service, path, **{"If-None-Match": '"other"'}).status_code == 200


def test_a_long_answer_is_compressed_for_who_accepts_that_and_has_a_tag_of_its_own(service: Service) -> None:
    plain = raw(service, "/v1/rulesets/catham-city")
    packed = raw(service, "/v1/rulesets/catham-city", **{"Accept-Encoding": "gzip"})
    assert "Accept-Encoding" in plain.headers["Vary"] and "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["Content-Encoding"] == "gzip"
    assert plain.headers["ETag"] != packed.headers["ETag"]
    assert gzip.decompress(packed.raw.read()) == plain.content
    assert int(packed.headers["Content-Length"]) < len(plain.content) / 4
    assert "Content-Encoding" not in raw(service, "/v1/rulesets", **{"Accept-Encoding": "gzip"}).headers
    refused = raw(service, "/v1/rulesets/catham-city", **{"Accept-Encoding": "gzip;q=0"})
    assert "Content-Encoding" not in refused.headers


def test_a_record_is_compressed_while_it_is_written_and_changes_only_when_somebody_is_erased(
    service: Service, ada: Client
) -> None:
    guest = service.player("guest")
    game = ada.create("me", "open", {"bot": "random"})["id"]
    guest.post(f"/games/{game}/seats", {}).raise_for_status()
    eventually(lambda: ada.game(game)["version"] > 0)
    for player in (ada, guest):
        player.post(f"/games/{game}/resignation").raise_for_status()
    eventually(lambda: ada.game(game)["status"] == "finished")
    path = f"/v1/games/{game}/record"
    plain, packed = raw(service, path), raw(service, path, **{"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.raw.read()) == plain.content
    tag = plain.headers["ETag"]
    assert raw(service, path, **{"If-None-Match": tag}).status_code == 304
    guest.delete(f"/players/{guest.player['id']}").raise_for_status()
    known = {"If-None-Match": tag}
    eventually(lambda: all(raw(service, path, **known).status_code == 200 for _ in range(WORKERS_MAX)))
    assert raw(service, path).content != plain.content


def test_there_is_no_record_of_a_game_that_never_began_and_the_answer_says_so(ada: Client) -> None:
    game = ada.create("me", "open")["id"]
    for part in ("record", "luck"):
        answer = ada.get(f"/games/{game}/{part}")
        assert (answer.status_code, answer.json()["code"]) == (409, "game-waiting")
        assert "has not started" in answer.json()["detail"]
    ada.delete(f"/games/{game}").raise_for_status()
    for part in ("record", "luck"):
        answer = ada.get(f"/games/{game}/{part}")
        assert (answer.status_code, answer.json()["code"]) == (409, "game-annulled")
        assert "annulled before it started" in answer.json()["detail"]


@pytest.mark.parametrize("slug", LATEST)
def test_a_ruleset_has_the_addresses_of_its_board_and_its_words(service: Service, nobody: Client, slug: str) -> None:
    rules = nobody.get(f"/rulesets/{slug}").json()
    assert (rules["board"] is not None) == (LATEST[slug].directory / "page" / "board.js").is_file()
    if rules["board"]:
        assert "export function draw" in raw(service, rules["board"]).text
    words = json.loads(raw(service, rules["words"]["en"]).content)
    assert {move["type"] for move in rules["moves"]} <= set(words["moves"])


def test_a_ruleset_is_read_in_the_version_that_a_game_is_played_by(nobody: Client, ada: Client) -> None:
    game = ada.create("me", "open")
    newest = nobody.get("/rulesets/catham-city").json()
    assert nobody.get("/rulesets/catham-city", params={"version": game["rules_version"]}).json() == newest
    for version in ("0", "x" * 60):
        missing = nobody.get("/rulesets/catham-city", params={"version": version})
        assert (missing.status_code, missing.json()["code"]) == (404, "unknown-ruleset")
        assert version in missing.json()["detail"]
    assert nobody.get("/rulesets/catham-city", params={"version": "x" * 61}).status_code == 422


def test_a_player_is_read_by_the_id_until_erased(service: Service, nobody: Client) -> None:
    guest = service.player("guest")
    id = guest.player["id"]
    reveals = {"missed": 0, "sealed": 0}
    assert nobody.get(f"/players/{id}").json() == {"bot": False, "id": id, "name": "guest", "reveals": reveals}
    for other in ("p_" + "0" * 24, "p_x", "k_1", id[:-1]):
        answer = nobody.get(f"/players/{other}")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-player")
    guest.delete(f"/players/{id}").raise_for_status()
    assert nobody.get(f"/players/{id}").status_code == 404
