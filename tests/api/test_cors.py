"""Headers for browsers: security headers, and which pages may read an answer."""

import re
from pathlib import Path

import pytest

from referee.api.cors import ALLOWED, EXPOSED, METHODS
from referee.api.lasting import VARY
from referee.api.routing import ENDPOINTS
from schemas.paths import ANSWER_HEADERS, REQUEST_HEADERS
from tests.api.world import World
from tests.service import Client, Service

ORIGIN = {"Origin": "https://games.example"}
SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Authorization, Accept, Origin",
    "Cache-Control": "no-store",
}
PLACES = {
    "game_id": "g_none",
    "slug": "catham-city",
    "clause": "CC-1",
    "edition_hash": "0" * 64,
    "seat": "0",
    "version": "1",
    "key_id": "k_none",
    "player_id": "p_0",
    "code": "internal",
}
CALLS = [
    pytest.param(call.method, re.sub(r"<(?:\w+:)?(\w+)>", lambda found: PLACES[found[1]], call.rule), id=call.name)
    for call in ENDPOINTS
]
CALLS += [pytest.param("GET", "/nothing", id="nothing"), pytest.param("PUT", "/v1/games", id="no such method")]


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_every_answer_has_the_security_headers(world: World, method: str, path: str) -> None:
    for key in (None, world.ada, "nonsense"):
        answer = world.call(method, path, key, headers=ORIGIN, json={} if method == "POST" else None)
        headers = {name: answer.headers.get(name) for name in SAFE}
        if path == "/docs":
            assert "frame-ancestors 'none'" in (headers["Content-Security-Policy"] or "")
            headers["Content-Security-Policy"] = SAFE["Content-Security-Policy"]
        if (headers["Cache-Control"] or "").startswith("public"):
            assert answer.status_code == 200
            assert not path.startswith(("/v1/games", "/v1/me", "/v1/keys", "/v1/players"))
            headers["Cache-Control"] = "no-store"
        if "Accept-Encoding" in (headers["Vary"] or ""):
            assert headers["Vary"] == VARY
            headers["Vary"] = SAFE["Vary"]
        assert headers == SAFE
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_answers_that_are_the_same_for_everybody_may_be_cached_for_a_minute(world: World) -> None:
    for path in ("/v1/rulesets", "/v1/rulesets/catham-city", "/v1/bots", "/openapi.json", "/docs"):
        assert world.get(path).headers["Cache-Control"] == "public, max-age=60"
    assert world.get("/v1/rulesets/chess").headers["Cache-Control"] == "no-store"


def test_a_view_may_not_be_cached_by_others(world: World) -> None:
    assert world.get(f"/v1/games/{world.running}", world.ada).headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_preflight_allows_the_methods_and_headers_of_the_api(world: World, method: str, path: str) -> None:
    headers = {**ORIGIN, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization"}
    answer = world.call("OPTIONS", path, headers=headers)
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    if method != "PUT":
        assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")


def test_a_page_can_send_and_read_every_header_of_the_api() -> None:
    assert set(REQUEST_HEADERS) | {"Authorization", "Content-Type", "X-Request-Id"} == set(ALLOWED)
    readable_anyway = {"Cache-Control", "Content-Language", "Content-Security-Policy"}
    assert set(ANSWER_HEADERS) - readable_anyway <= set(EXPOSED)
    assert {call.method for call in ENDPOINTS} | {"HEAD"} == set(METHODS)


def test_an_answer_to_a_request_without_an_origin_has_no_cors_headers(world: World) -> None:
    names = [name for name, _ in world.get("/v1/rulesets").headers if name.startswith("Access-Control")]
    assert names == []


def test_moves_and_streams_have_cors_headers(service: Service, ada: Client) -> None:
    game = ada.started("me", "me", options={"first_seat": 0})["id"]
    move = ada.move(game, ada.legal(game)["moves"][0], headers=ORIGIN)
    refused = ada.move(game, {"type": "nonsense"}, headers=ORIGIN)
    stream = ada.stream(f"/games/{game}/events", **ORIGIN)
    mine = ada.stream("/me/events", **ORIGIN)
    for answer, status in ((move, 201), (refused, 422), (stream.answer, 200), (mine.answer, 200)):
        assert answer.status_code == status
        assert {name: answer.headers.get(name) for name in SAFE} == SAFE
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert set(answer.headers["Access-Control-Expose-Headers"].split(", ")) == set(EXPOSED)
    stream.close()
    mine.close()


def test_an_operator_sets_the_allowed_origins(tmp_path: Path) -> None:
    picky = Service(tmp_path, CORS_ORIGINS="https://games.example, https://other.example", WORKERS="0").start()
    try:
        ada = picky.player()
        headers = {"Access-Control-Request-Method": "GET"}
        for origin, allowed in (
            ("https://other.example", "https://other.example"),
            ("https://evil.example", None),
            ("null", None),
        ):
            answer = ada.get("/me", headers={"Origin": origin})
            assert answer.status_code == 200
            assert answer.headers.get("Access-Control-Allow-Origin") == allowed
            preflight = ada.call("OPTIONS", "/v1/me", headers={"Origin": origin, **headers})
            assert preflight.headers.get("Access-Control-Allow-Origin") == allowed
            assert ("Access-Control-Allow-Headers" in preflight.headers) == (allowed is not None)
    finally:
        assert picky.stop() == 0
