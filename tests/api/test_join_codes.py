"""Join codes: generated codes cannot be guessed, and wrong codes are counted."""

import random
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests
from redis import Redis

from referee.service.invitations import ALPHABET, WINDOW_MS, WRONG_AT_GAME_MAX, WRONG_BY_PLAYER_MAX, generate_code
from tests.api.world import World
from tests.service import Client, Service

GIVEN = "open sesame"
LIMITS = (WRONG_BY_PLAYER_MAX, WRONG_AT_GAME_MAX, WINDOW_MS)


def sit(client: Client, game: dict[str, Any], code: str | None = None, **fields: Any) -> requests.Response:
    body = fields if code is None else {**fields, "join_code": code}
    return client.post(f"/games/{game['id']}/seats", body)


def problem_of(answer: requests.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def lock(service: Service, game: dict[str, Any]) -> None:
    """Try as many wrong codes as a game allows in an hour."""
    for _ in range(WRONG_AT_GAME_MAX // WRONG_BY_PLAYER_MAX):
        guesser = service.player("guesser")
        for number in range(WRONG_BY_PLAYER_MAX):
            assert sit(guesser, game, f"wrong code {number}").status_code in (403, 404)


def test_a_generated_code_has_80_bits() -> None:
    codes = [generate_code() for _ in range(500)]
    assert len(set(codes)) == 500
    assert len(ALPHABET) == len(set(ALPHABET)) == 32 and not set(ALPHABET) & set("ilou")
    assert all(re.fullmatch(rf"([{ALPHABET}]{{4}}-){{3}}[{ALPHABET}]{{4}}", code) for code in codes)
    assert {letter for code in codes for letter in code} == {*ALPHABET, "-"}


@pytest.mark.parametrize("fields", [{"visibility": "private"}, {"with_join_code": True}], ids=["private", "public"])
def test_a_code_is_generated_and_shown_once(service: Service, ada: Client, fields: dict[str, Any]) -> None:
    game = ada.create("me", *["open"] * 5, **fields)
    code = game["join_code"]
    for spelled in (
        code,
        code.upper(),
        code.replace("-", ""),
        code.replace("-", " "),
        code.translate({48: "O", 49: "l"}),
    ):
        assert sit(service.player("guest"), game, spelled).status_code == 201
    stranger = service.player("stranger")
    assert sit(stranger, game).status_code in (403, 404)
    assert sit(stranger, game, generate_code()).status_code in (403, 404)
    assert "join_code" not in ada.game(game["id"])
    assert code not in ada.get("/games", params={"mine": "true"}).text
    keys = Redis.from_url(service.redis_url).keys("*")
    assert code not in repr(keys) and code.replace("-", "") not in repr(keys)


def test_a_public_game_has_a_code_only_if_its_creator_wants_one(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open")
    assert game["join_code"] is None
    assert sit(bob, game).status_code == 201
    assert ada.create("me", "open", join_code=GIVEN, with_join_code=True)["join_code"] == GIVEN
    assert ada.create("me", "open", join_code=GIVEN, visibility="private")["join_code"] == GIVEN


@pytest.mark.parametrize("code", ["", "sesame", "a-b-c-d-e", "        ", "--------", "1234567"])
def test_a_weak_code_is_refused(ada: Client, code: str) -> None:
    answer = ada.post("/games", {"ruleset": "catham-city", "seats": ["me", "open"], "join_code": code})
    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["join_code"])


def test_after_five_wrong_codes_of_a_player_even_the_right_one_is_refused(
    ada: Client, bob: Client, nobody: Client
) -> None:
    game, other = ada.create("me", "open", join_code=GIVEN), ada.create("me", "open", join_code=GIVEN)
    for number in range(WRONG_BY_PLAYER_MAX):
        assert problem_of(sit(bob, game)) == (403, "join-code-wrong")
        assert problem_of(sit(bob, game, f"wrong code {number}")) == (403, "join-code-wrong")
    for code in ("another wrong one", GIVEN):
        refused = sit(bob, game, code)
        assert problem_of(refused) == (429, "too-many-codes")
        assert 3000 < int(refused.headers["Retry-After"]) == refused.json()["retry_after"] <= 3600
    assert problem_of(sit(bob, game)) == (403, "join-code-wrong")
    further = Client(bob.url, bob.post("/keys", {}).json()["key"], bob.player)
    assert problem_of(sit(further, game, GIVEN)) == (429, "too-many-codes")
    assert sit(bob, other, GIVEN).status_code == 201


def test_after_fifty_wrong_codes_a_game_still_admits_invited_and_seated_players(
    service: Service, ada: Client, bob: Client
) -> None:
    cleo, dora = service.player("cleo"), service.player("dora")
    game = ada.create("open", "open", "open", {"player": cleo.player["id"]}, join_code=GIVEN)
    assert sit(bob, game, GIVEN, seat=0).status_code == 201
    lock(service, game)
    assert problem_of(sit(dora, game, GIVEN)) == (429, "too-many-codes")
    assert sit(bob, game, seat=1).status_code == 201
    assert sit(cleo, game, seat=3).status_code == 201
    assert sit(ada, game).json()["status"] == "running"


def test_wrong_codes_do_not_lock_a_game_with_a_generated_code(service: Service, ada: Client, bob: Client) -> None:
    for fields in ({"with_join_code": True}, {"visibility": "private"}):
        game = ada.create("me", "open", **fields)
        lock(service, game)
        assert sit(bob, game, game["join_code"]).status_code == 201


def test_a_private_game_stays_hidden_after_many_wrong_codes(ada: Client, bob: Client) -> None:
    game = ada.create("me", "open", visibility="private", join_code=GIVEN)
    unknown = sit(bob, {"id": "g_" + "0" * 24}, GIVEN).json()
    for code in (*["wrong code"] * (WRONG_BY_PLAYER_MAX + 2), GIVEN):
        answer = sit(bob, game, code)
        assert answer.status_code == 404
        assert {**answer.json(), "request_id": None} == {**unknown, "request_id": None}
    assert bob.get(f"/games/{game['id']}").status_code == 404


def test_simultaneous_wrong_codes_in_all_processes_are_counted_exactly(service: Service, ada: Client) -> None:
    game = ada.create("me", "open", join_code=GIVEN)
    guessers = [service.player("guesser") for _ in range(3)]

    def guess(number: int) -> int:
        guesser = guessers[number % 3]
        client = Client(guesser.url, guesser.key, {})
        return sit(client, game, f"wrong code {number}").status_code

    with ThreadPoolExecutor(12) as pool:
        statuses = Counter(pool.map(guess, range(60)))
    assert statuses == {403: 3 * WRONG_BY_PLAYER_MAX, 429: 60 - 3 * WRONG_BY_PLAYER_MAX}


def test_the_limit_of_wrong_codes_holds_for_every_hour(world: World) -> None:
    """The window of an hour slides; it does not start again."""
    rng, directory = random.Random(24), world.repository.directory
    now, counted = 1_000_000_000_000, list[tuple[int, str]]()
    for _ in range(3000):
        now += rng.choice((0, 1000, 30_000, 60_000, 600_000))
        player = f"p_{rng.randrange(30):024x}"
        recent = [who for at, who in counted if at > now - WINDOW_MS]
        is_free = recent.count(player) < WRONG_BY_PLAYER_MAX and len(recent) < WRONG_AT_GAME_MAX
        waits = {directory.try_code("g_x", player, True, now, LIMITS)}
        if rng.random() < 0.7:
            waits.add(directory.try_code("g_x", player, False, now, LIMITS))
            if is_free:
                counted.append((now, player))
        assert len(waits) == 1 and (waits == {0}) == is_free
        (wait,) = waits
        assert 0 <= wait <= WINDOW_MS
        if wait:
            after = [who for at, who in counted if at > now + wait - WINDOW_MS]
            assert after.count(player) < WRONG_BY_PLAYER_MAX and len(after) < WRONG_AT_GAME_MAX
    assert 0 < world.redis.pttl("wrong-codes:g_x") <= WINDOW_MS
