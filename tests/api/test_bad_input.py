"""A bad request is answered with a precise problem, and changes nothing."""

import io
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from tests.api.world import World
from tests.schemas.document import validator

BODY_BYTES_MAX = 262144
UNKNOWN = "g_000000000000000000000000"
JSON = {"Content-Type": "application/json"}

CALLS = (
    "/v1/rulesets/{ruleset}/judge",
    "/v1/rulesets/{ruleset}/positions",
    "/v1/players",
    "/v1/keys",
    "/v1/games",
    "/v1/games/{waiting}/seats",
    "/v1/games/{running}/administration",
    "/v1/games/{running}/moves",
)
"""Every call with a body."""

every_call = pytest.mark.parametrize("path", CALLS)
every_other_call = pytest.mark.parametrize("path", [path for path in CALLS if not path.endswith("/moves")])

GAME_CALLS = (
    ("GET", "/v1/games/{game}", None),
    ("GET", "/v1/games/{game}/legal-moves", None),
    ("GET", "/v1/games/{game}/events", None),
    ("GET", "/v1/games/{game}/audit", None),
    ("GET", "/v1/games/{game}/record", None),
    ("POST", "/v1/games/{game}/moves", {"type": "take_cards", "faction": "hacker", "count": 1}),
    ("POST", "/v1/games/{game}/resignation", None),
    ("POST", "/v1/games/{game}/undo", None),
    ("POST", "/v1/games/{game}/pause", {}),
    ("POST", "/v1/games/{game}/resumption", {}),
    ("POST", "/v1/games/{game}/seats/0/return", None),
    ("DELETE", "/v1/games/{game}/seats/0", None),
)

every_call_on_a_game = pytest.mark.parametrize(("method", "path", "body"), GAME_CALLS)


@pytest.fixture(autouse=True)
def nothing_changes(world: World) -> Iterator[None]:
    before = world.state()
    yield
    assert world.state() == before


def post(world: World, path: str, data: bytes, **headers: str) -> TestResponse:
    """Post these bytes with an admin's key, or with a player's key where the call needs a seat."""
    key = world.active if "/moves" in path else world.admin
    url = path.format(ruleset=world.ruleset, waiting=world.waiting, running=world.running)
    return world.post(url, key, data=data, headers={**JSON, **headers})


def problem(answer: TestResponse, status: int, code: str, **members: Any) -> dict[str, Any]:
    """Return the problem of an answer, after checking its status, code and members."""
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), answer.text
    found: dict[str, Any] = answer.get_json()
    validator("Problem").validate(found)
    assert (found["status"], found["code"]) == (status, code), found
    assert found["detail"].endswith((".", "…")) and found["request_id"] == answer.headers["X-Request-Id"]
    for name, value in members.items():
        assert found[name] == value, found
    return found


@every_call
@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b'{"type":',
        b"{}{}",
        b"{'a': 1}",
        b"NaN",
        b"\xef\xbb\xbf{}",
        b'{"a": "\x00"}',
        b'{"a": 1e999}',
        b'{"a": %s}' % (b"9" * 5000),
        b'{"a": "\\ud800"}',
        b'{"a": "\\udc00 alone"}',
    ],
)
def test_malformed_json_is_bad_json(world: World, path: str, data: bytes) -> None:
    problem(post(world, path, data), 400, "bad-json")


@every_call
@pytest.mark.parametrize("data", [b'{"type": "\xff"}', b'{"\xc3\x28": 1}', b'{"type": "\xed\xa0\x80"}'])
def test_a_body_that_is_not_utf_8_is_bad_json(world: World, path: str, data: bytes) -> None:
    assert "UTF-8" in problem(post(world, path, data), 400, "bad-json")["detail"]


@every_call
@pytest.mark.parametrize("data", [b"[" * 100_000, b"[" * 5000 + b"]" * 5000, b'{"a":' * 2000 + b"1" + b"}" * 2000])
def test_json_that_is_nested_too_deeply_is_bad_json(world: World, path: str, data: bytes) -> None:
    assert "nested" in problem(post(world, path, data), 400, "bad-json")["detail"]


@every_call
def test_a_huge_body_is_not_read(world: World, path: str) -> None:
    found = problem(post(world, path, b'{"a": "%s"}' % (b"x" * BODY_BYTES_MAX)), 413, "body-too-large")
    assert str(BODY_BYTES_MAX) in found["detail"]


@every_call
@pytest.mark.parametrize("data", [b"", b" \r\n\t "])
def test_a_missing_body_is_body_missing(world: World, path: str, data: bytes) -> None:
    problem(post(world, path, data), 400, "body-missing")


@every_call
@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "json", "*/*"]
)
def test_a_wrong_content_type_is_refused(world: World, path: str, content_type: str) -> None:
    problem(post(world, path, b"{}", **{"Content-Type": content_type}), 415, "content-type")


@every_call
def test_a_compressed_body_is_refused(world: World, path: str) -> None:
    problem(post(world, path, b"\x1f\x8b\x08", **{"Content-Encoding": "gzip"}), 415, "content-type")


@every_call
@pytest.mark.parametrize("length", ["-1", "abc", "²", "+5", "1e3"])
def test_a_content_length_that_is_not_a_number_is_refused(world: World, path: str, length: str) -> None:
    url = path.format(ruleset=world.ruleset, waiting=world.waiting, running=world.running)
    answer = world.post(
        url,
        world.active,
        input_stream=io.BytesIO(b"{}"),
        headers=JSON,
        environ_overrides={"CONTENT_LENGTH": length, "wsgi.input_terminated": True},
    )
    if not path.endswith("/administration"):
        problem(answer, 400, "invalid-header")


@every_other_call
@pytest.mark.parametrize("data", [b"[]", b"null", b'"text"', b"1", b"true", b"[{}]"])
def test_a_body_that_is_not_an_object_is_refused(world: World, path: str, data: bytes) -> None:
    problem(post(world, path, data), 422, "invalid-request", errors={"_schema": ["Expected an object."]})


@every_other_call
def test_unknown_fields_are_named(world: World, path: str) -> None:
    found = problem(post(world, path, b'{"surplus": 1, "a\\nb": 2}'), 422, "invalid-request")
    assert found["errors"]["surplus"] == found["errors"]["a\nb"] == ["Unknown field."]


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/players", {"name": 1}, "name"),
        ("/v1/players", {"name": ""}, "name"),
        ("/v1/players", {"name": "a\u0000b"}, "name"),
        ("/v1/players", {"name": "a" * 41}, "name"),
        ("/v1/players", {"name": "ada", "bot": 1}, "bot"),
        ("/v1/keys", {"scopes": "play"}, "scopes"),
        ("/v1/keys", {"scopes": []}, "scopes"),
        ("/v1/keys", {"scopes": ["king"]}, "scopes"),
        ("/v1/keys", {"expires_at": "tomorrow"}, "expires_at"),
        ("/v1/keys", {"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ("/v1/keys", {"expires_at": "2099-01-01T00:00:00"}, "expires_at"),
        ("/v1/keys", {"expires_at": "9999-12-31T23:59:59-14:00"}, "expires_at"),
        ("/v1/keys", {"expires_at": "0001-01-01T00:00:00+14:00"}, "expires_at"),
        ("/v1/keys", {"expires_at": "2099-W01-1T00:00:00Z"}, "expires_at"),
        ("/v1/keys", {"expires_at": 2**70}, "expires_at"),
        ("/v1/games", {"seats": ["me"]}, "ruleset"),
        ("/v1/games", {"ruleset": "x"}, "seats"),
        ("/v1/games", {"ruleset": "x", "seats": []}, "seats"),
        ("/v1/games", {"ruleset": "x", "seats": ["me"] * 17}, "seats"),
        ("/v1/games", {"ruleset": "x", "seats": ["you"]}, "seats"),
        ("/v1/games", {"ruleset": "x", "seats": [{"bot": "random", "player": "p"}]}, "seats"),
        ("/v1/games", {"ruleset": "x", "seats": [{"bot": {}}]}, "seats"),
        ("/v1/games", {"ruleset": "x", "seats": ["me"], "options": []}, "options"),
        ("/v1/games", {"ruleset": "x", "seats": ["me"], "position": 1}, "position"),
        ("/v1/games", {"ruleset": "x", "seats": ["me"], "visibility": "secret"}, "visibility"),
        ("/v1/games", {"ruleset": "x", "seats": ["me"], "nonce": "n" * 129}, "nonce"),
        ("/v1/games/{waiting}/seats", {"seat": "0"}, "seat"),
        ("/v1/games/{waiting}/seats", {"seat": True}, "seat"),
        ("/v1/games/{waiting}/seats", {"seat": 0.5}, "seat"),
        ("/v1/games/{waiting}/seats", {"seat": -1}, "seat"),
        ("/v1/games/{waiting}/seats", {"seat": 2**64}, "seat"),
        ("/v1/games/{running}/administration", {"action": "end", "reason": "x"}, "action"),
        ("/v1/games/{running}/administration", {"action": "pause"}, "reason"),
        ("/v1/games/{running}/administration", {"action": "pause", "reason": ""}, "reason"),
        ("/v1/rulesets/{ruleset}/positions", {"seats": "2"}, "seats"),
        ("/v1/rulesets/{ruleset}/positions", {"seats": 2**64}, "seats"),
        ("/v1/rulesets/{ruleset}/positions", {"seats": 2, "seed": 1}, "seed"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "move": {}}, "actor"),
        ("/v1/rulesets/{ruleset}/judge", {"position": [], "move": {}, "actor": 0}, "position"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "move": {}, "actor": "king"}, "actor"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "move": {}, "actor": True}, "actor"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "move": {}, "actor": -1}, "actor"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "move": {}, "actor": 0, "chance": {}}, "chance"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "move": {}, "actor": 0, "chance": [1]}, "chance"),
        ("/v1/rulesets/{ruleset}/judge", {"position": {}, "actor": 0, "move": {}, "chance": [{}] * 201}, "chance"),
    ],
)
def test_fields_of_the_wrong_type_or_size_are_named(world: World, path: str, body: Any, field: str) -> None:
    found = problem(post(world, path, msgspec.json.encode(body)), 422, "invalid-request")
    assert list(found["errors"]) == [field]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        "draw",
        7,
        {"type": None},
        {"type": "castle"},
        {"type": ["take_cards"]},
        {"type": "take_cards"},
        {"type": "take_cards", "faction": "hacker", "count": "1"},
        {"type": "take_cards", "faction": "hacker", "count": True},
        {"type": "take_cards", "faction": "hacker", "count": 1.0},
        {"type": "take_cards", "faction": "wizard", "count": 1},
        {"type": "take_cards", "faction": "hacker", "count": 1, "surplus": 1},
    ],
)
def test_a_malformed_move_is_refused_by_the_clause_about_its_form(world: World, body: Any) -> None:
    found = problem(
        post(world, "/v1/games/{running}/moves", msgspec.json.encode(body)), 422, "move-refused", clause="CC-2"
    )
    assert found["text"] and world.get(found["clause_url"]).get_json()["text"] == found["text"]


@pytest.mark.parametrize("count", [2**31, 2**63, 2**64, 10**40, -(2**63) - 1])
def test_numbers_beyond_64_bits_are_refused_by_the_rules(world: World, count: int) -> None:
    body = {"type": "take_cards", "faction": "hacker", "count": count}
    for query in ("", "?dry_run=true"):
        answer = post(world, "/v1/games/{running}/moves" + query, msgspec.json.encode(body))
        assert problem(answer, 422, "move-refused")["clause"] in ("CC-20", "CC-21")


@pytest.mark.parametrize(
    "query",
    [
        *("at=", "at=-1", "at=+1", "at=1.0", "at=1_0", "at=%201", "at=%D9%A1", "at=99999999999999999999", "at=1&at=1"),
        *("seat=", "seat=x", "seat=-1", "seat=99", "seat=100", "seat=%00", "seat=%FF", "surplus=1", "=1", "%FF=1"),
    ],
)
def test_a_bad_argument_of_a_query_is_named(world: World, query: str) -> None:
    found = problem(world.get(f"/v1/games/{world.running}?{query}", world.ada), 422, "invalid-request")
    assert list(found["errors"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("query", ["seat=", "seat=16", "seat=0&seat=1", "dry_run=maybe", "version=x", "surplus=1"])
def test_a_bad_argument_of_the_query_of_a_move_is_named(world: World, query: str) -> None:
    found = problem(post(world, "/v1/games/{running}/moves?" + query, b"{}"), 422, "invalid-request")
    assert list(found["errors"]) == [query.partition("=")[0]]


@every_call_on_a_game
@pytest.mark.parametrize("id", [UNKNOWN, "x", "%00", "%FF", "%ED%A0%80", "g_" + "0" * 5000, "..%20"])
def test_an_unknown_game_is_not_found(world: World, method: str, path: str, body: Any, id: str) -> None:
    problem(world.call(method, path.format(game=id), world.ada, json=body), 404, "unknown-game")


@every_call_on_a_game
def test_a_private_game_of_others_looks_like_one_that_does_not_exist(
    world: World, method: str, path: str, body: Any
) -> None:
    foreign = world.call(method, path.format(game=world.private), world.bob, json=body)
    unknown = world.call(method, path.format(game=UNKNOWN), world.bob, json=body)
    shown, expected = problem(foreign, 404, "unknown-game"), unknown.get_json()
    assert {**shown, "request_id": ""} == {**expected, "request_id": ""}


def test_a_finished_game_refuses_moves(world: World) -> None:
    move = {"type": "take_cards", "faction": "hacker", "count": 1}
    game = f"/v1/games/{world.finished}"
    problem(world.post(f"{game}/moves", world.ada, json=move), 409, "game-finished")
    problem(world.post(f"{game}/moves?dry_run=true", world.ada, json=move), 409, "game-finished")
    problem(world.post(f"{game}/resignation", world.ada), 409, "game-finished")
    problem(world.post(f"{game}/seats", world.bob, json={}), 409, "game-started")
    problem(world.call("DELETE", f"{game}/seats/0", world.ada), 409, "game-started")
    for action in ("pause", "resume", "annul"):
        body = {"action": action, "reason": "x"}
        problem(world.post(f"{game}/administration", world.admin, json=body), 409, "game-finished")


def test_a_waiting_game_refuses_moves(world: World) -> None:
    game = f"/v1/games/{world.waiting}"
    problem(world.post(f"{game}/moves", world.ada, json={"type": "x"}), 409, "game-waiting")
    problem(world.post(f"{game}/resignation", world.ada), 409, "game-waiting")
    problem(world.get(f"{game}/record", world.ada), 409, "game-waiting")


def test_a_seat_of_another_player_is_refused(world: World) -> None:
    game = f"/v1/games/{world.running}"
    move = {"type": "take_cards", "faction": "hacker", "count": 1}
    problem(world.post(f"{game}/moves", world.admin, json=move), 403, "not-your-seat")
    problem(world.post(f"{game}/moves?seat=1", world.ada, json=move), 403, "not-your-seat")
    problem(world.get(f"{game}/legal-moves?seat=1", world.ada), 403, "not-your-seat")
    problem(world.get(f"{game}?seat=1", world.ada), 403, "not-your-seat")
    problem(world.get(f"{game}?seat=all", world.ada), 403, "still-hidden")
    problem(world.post(f"{game}/resignation?seat=1", world.ada), 403, "not-your-seat")
    problem(world.call("DELETE", f"/v1/games/{world.waiting}/seats/0", world.bob), 403, "not-your-seat")
    for number in (1, 2**31, 2**64, 10**40):
        problem(world.call("DELETE", f"/v1/games/{world.waiting}/seats/{number}", world.ada), 403, "not-your-seat")


def test_a_caller_without_a_key_has_no_seat(world: World) -> None:
    move = {"type": "take_cards", "faction": "hacker", "count": 1}
    answer = world.post(f"/v1/games/{world.running}/moves", None, json=move)
    problem(answer, 401, "key-required")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    problem(world.post("/v1/games", None, json={"ruleset": world.ruleset, "seats": ["me"]}), 401, "key-required")
    for key in ("Bearer", "Bearer ", "Basic eDp5", "", "Token x"):
        problem(world.get("/v1/me", headers={"Authorization": key}), 401, "key-malformed")
    for key in ("x", "rk_k_000000000000000000000000_0", world.ada[:-1], world.ada + "0", "é" * 40, "x" * 50_000):
        problem(world.get("/v1/me", key), 401, "key-unknown")
        problem(world.post(f"/v1/games/{world.running}/moves", key, json=move), 401, "key-unknown")


def test_the_problem_of_a_stale_version_has_the_newest_version(world: World) -> None:
    path = "/v1/games/{running}/moves"
    problem(post(world, path + "?version=0", b'{"type": "x"}'), 409, "stale-version", version=1)
    problem(post(world, path + "?version=9007199254740992", b'{"type": "x"}'), 409, "stale-version", version=1)
    for tag in ('"0.s0"', 'W/"2.s1"', '"999999999999999.w"'):
        problem(post(world, path, b'{"type": "x"}', **{"If-Match": tag}), 412, "if-match-failed", version=1)
    problem(world.get(f"/v1/games/{world.running}?at=2", world.ada), 404, "unknown-version", version=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("If-Match", value) for value in ("", "x", '"1"', "1.s0", '"1.s0", "2.s0"', '"9999999999999999.w"')),
        *(("Idempotency-Key", value) for value in ("", "a b", "x" * 256, "é")),
    ],
)
def test_a_bad_header_is_named(world: World, name: str, value: str) -> None:
    found = problem(post(world, "/v1/games/{running}/moves", b'{"type": "x"}', **{name: value}), 400, "invalid-header")
    assert name in found["detail"]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        *(("GET", path, 404, "not-found") for path in ("/nowhere", "/v1", "/v1/", "/v1/games/", "/docs/", "/V1/games")),
        *(("GET", path, 404, "not-found") for path in ("//v1/games", "/v1//games", "/v1/games/a%2Fb", "/v1/x?y=%FF")),
        ("POST", "/v1/games//moves", 404, "not-found"),
        ("POST", "/v1/games/x/moves%0A", 404, "not-found"),
        ("POST", "/v1/games/x/moves/", 404, "not-found"),
        ("DELETE", "/v1/games/x/seats/-1", 404, "not-found"),
        ("DELETE", "/v1/games/x/seats/one", 404, "not-found"),
        ("GET", "/problems/x", 404, "not-found"),
        ("GET", "/v1/rulesets/x", 404, "unknown-ruleset"),
        ("GET", "/v1/rulesets/%FF%00", 404, "unknown-ruleset"),
        ("GET", "/v1/rulesets/x/clauses/x", 404, "unknown-ruleset"),
        ("PUT", "/v1/games", 405, "method-not-allowed"),
        ("PATCH", "/v1/games/x/moves", 405, "method-not-allowed"),
        ("GET", "/v1/games/x/moves", 405, "method-not-allowed"),
        ("TRACE", "/healthz", 405, "method-not-allowed"),
        ("BREW", "/v1/me", 405, "method-not-allowed"),
    ],
)
def test_a_wrong_path_or_method_is_refused(world: World, method: str, path: str, status: int, code: str) -> None:
    answer = world.call(method, path, world.ada, json={"type": "x"} if method == "POST" else None)
    found = problem(answer, status, code)
    assert "server" not in found["detail"]
    assert (status == 405) == bool(answer.headers.get("Allow"))


def test_head_and_options_are_answered_without_a_body(world: World) -> None:
    path = f"/v1/games/{world.running}"
    head, get = world.call("HEAD", path, world.ada), world.get(path, world.ada)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["ETag"] == get.headers["ETag"] and head.headers["Content-Length"] == str(len(get.data))
    assert world.call("HEAD", f"/v1/games/{UNKNOWN}", world.ada).status_code == 404
    options = world.call("OPTIONS", f"{path}/moves", world.ada)
    assert (options.status_code, options.data) == (200, b"")
    assert set(options.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}


def test_a_body_without_a_length_is_read_up_to_the_limit(world: World) -> None:
    chunked = {"CONTENT_LENGTH": "", "wsgi.input_terminated": True}

    def send(data: bytes) -> TestResponse:
        stream = io.BytesIO(data)
        return world.post(
            f"/v1/games/{world.running}/moves",
            world.active,
            input_stream=stream,
            headers=JSON,
            environ_overrides=chunked,
        )

    problem(send(b'{"type": "castle"}'), 422, "move-refused", clause="CC-2")
    problem(send(b""), 400, "body-missing")
    problem(send(b" " * (BODY_BYTES_MAX + 1)), 413, "body-too-large")
