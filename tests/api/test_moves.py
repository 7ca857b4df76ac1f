"""Moves over HTTP: accepted, refused, repeated and simultaneous."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from werkzeug.test import TestResponse

from referee.table.times import milliseconds
from tests.api.world import World
from tests.service import Client

FIRST = {"first_seat": 0}


def test_a_legal_move_is_answered_with_its_events_and_the_new_version(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    move = ada.legal(game["id"], 0)["moves"][0]
    answer = ada.move(game["id"], move, 0)
    assert answer.status_code == 201
    assert answer.json()["version"] == game["version"] + 1
    assert answer.json()["events"][0]["type"] == "cards_taken"
    assert [decision["seat"] for decision in answer.json()["awaited"]] == [1]
    assert answer.json()["due"] is None


def test_a_refused_move_names_its_clause_and_changes_nothing(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    answer = ada.move(game["id"], {"type": "take_cards", "faction": "hacker", "count": 0}, 0)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["code"], problem["clause"]) == ("move-refused", "CC-20")
    assert ada.call("GET", problem["clause_url"]).json()["text"] == problem["text"]
    assert ada.game(game["id"])["version"] == game["version"]


def test_a_move_out_of_turn_is_refused_by_the_rules(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    answer = ada.move(game["id"], {"type": "take_cards", "faction": "hacker", "count": 1}, 1)
    assert (answer.status_code, answer.json()["clause"]) == (422, "CC-4")


def test_a_seat_cannot_make_a_trigger(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    for trigger in ("set_up", "resolve_answers"):
        assert ada.move(game["id"], {"type": trigger}, 0).json()["clause"] == "CC-3"


def test_a_player_without_a_seat_cannot_move(ada: Client, bob: Client) -> None:
    game = ada.started("me", "me")
    answer = bob.move(game["id"], {"type": "decline"})
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")
    answer = ada.move(game["id"], {"type": "decline"}, 5)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")


def test_a_stale_version_is_409_and_with_if_match_412(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    tag = ada.get(f"/games/{game['id']}").headers["ETag"]
    move = ada.legal(game["id"], 0)["moves"][0]
    assert ada.move(game["id"], move, 0, headers={"If-Match": tag}).status_code == 201
    late = ada.legal(game["id"], 1)["moves"][0]
    refused = ada.move(game["id"], late, 1, headers={"If-Match": tag})
    assert (refused.status_code, refused.json()["code"]) == (412, "if-match-failed")
    refused = ada.move(game["id"], late, 1, params={"version": game["version"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "stale-version")
    assert refused.json()["version"] == game["version"] + 1
    assert ada.move(game["id"], late, 1, params={"version": game["version"] + 1}).status_code == 201


def test_a_dry_run_judges_a_move_and_stores_nothing(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    move = ada.legal(game["id"], 0)["moves"][0]
    answer = ada.move(game["id"], move, 0, params={"dry_run": "true"})
    assert (answer.status_code, answer.json()) == (200, {"verdict": "accepted", "version": game["version"]})
    refused = ada.move(game["id"], {"type": "nonsense"}, 0, params={"dry_run": "true"})
    assert (refused.status_code, refused.json()["clause"]) == (422, "CC-2")
    assert ada.game(game["id"])["version"] == game["version"]


def test_an_idempotency_key_repeats_the_first_answer(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    legal = ada.legal(game["id"], 0)["moves"]
    headers = {"Idempotency-Key": "one"}
    first = ada.move(game["id"], legal[0], 0, headers=headers)
    second = ada.legal(game["id"], 1)["moves"][0]
    assert ada.move(game["id"], second, 1).status_code == 201
    again = ada.move(game["id"], legal[0], 0, headers=headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    other = ada.move(game["id"], legal[1], 0, headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    assert ada.game(game["id"])["version"] == game["version"] + 2


def test_simultaneous_requests_with_the_same_key_make_one_commit(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    move = ada.legal(game["id"], 0)["moves"][0]

    def post(_: int) -> tuple[int, bytes]:
        one = Client(ada.url, ada.key, {})
        answer = one.move(game["id"], move, 0, headers={"Idempotency-Key": "k"})
        return answer.status_code, answer.content

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(post, range(24)))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 201
    assert ada.game(game["id"])["version"] == game["version"] + 1


def test_one_of_several_simultaneous_moves_wins(ada: Client) -> None:
    game = ada.started("me", "me", options=FIRST)
    legal = ada.legal(game["id"], 0)["moves"]

    def post(number: int) -> int:
        one = Client(ada.url, ada.key, {})
        return one.move(game["id"], legal[number % len(legal)], 0, params={"version": 1}).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(post, range(24)))
    assert statuses.count(201) == 1
    assert statuses.count(409) == 23


def test_a_waiting_game_refuses_moves(ada: Client) -> None:
    game = ada.create("me", "open")
    answer = ada.move(game["id"], {"type": "decline"})
    assert (answer.status_code, answer.json()["code"]) == (409, "game-waiting")


def test_a_repeated_move_gets_its_answer_even_after_the_next_deadline(
    world: World, set_time: Callable[[int], None]
) -> None:
    id = world.game(world.ada, seats=["me", "me"], options=FIRST, clock={"decision_s": 60})
    takings = [move for move in world.legal_moves(id, world.ada) if move["type"] == "take_cards"]
    most = max(takings, key=lambda move: move["count"])["faction"]
    other = next(move["faction"] for move in takings if move["faction"] != most)

    def take_one(faction: str, seat: int, key: str = "one", **query: Any) -> TestResponse:
        return world.post(
            f"/v1/games/{id}/moves",
            world.ada,
            json={"type": "take_cards", "faction": faction, "count": 1},
            headers={"Idempotency-Key": key},
            query_string={"seat": seat, **query},
        )

    first, second = take_one(most, 0), take_one(other, 1)
    assert (first.status_code, second.status_code) == (201, 201)
    (following,) = second.get_json()["deadlines"]
    set_time(milliseconds(following["at"]))
    assert take_one(most, 0, dry_run=True).status_code == 200
    set_time(milliseconds(following["at"]) + 1)
    assert take_one(most, 0).data == first.data
    for late in (take_one(most, 0, key="two"), take_one(most, 0, dry_run=True)):
        assert (late.status_code, late.get_json()["code"]) == (409, "deadline-passed")
