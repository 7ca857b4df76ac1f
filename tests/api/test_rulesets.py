"""Rulesets, clauses, the judge and fresh positions, without a key."""

import pytest

from referee.rulesets import LATEST
from tests.service import Client


@pytest.mark.parametrize("slug", LATEST)
def test_a_ruleset_is_described_completely(nobody: Client, slug: str) -> None:
    rules = LATEST[slug]
    listed = nobody.get("/rulesets").json()["rulesets"]
    assert slug in [title["slug"] for title in listed]
    described = nobody.get(f"/rulesets/{slug}").json()
    assert (described["title"], described["version"]) == (rules.title, rules.version)
    assert {move["type"] for move in described["moves"] + described["triggers"]} == set(rules.moves)
    assert {event["type"] for event in described["events"]} == set(rules.events)
    assert [clause["id"] for clause in described["clauses"] + described["rulings"]]
    assert all(move["description"] for move in described["moves"])


@pytest.mark.parametrize("slug", LATEST)
def test_the_judge_sets_up_every_blank_position(nobody: Client, slug: str) -> None:
    rules = LATEST[slug]
    seats = rules.seats.start
    position = {"ruleset": slug, "options": {}, "phase": "setup", "seats": [{} for _ in range(seats)]}
    request = {"position": position, "actor": "referee", "move": {"type": "set_up"}}
    verdict = nobody.post(f"/rulesets/{slug}/judge", request).json()
    assert verdict["verdict"] == "accepted", verdict
    assert verdict["position"]["phase"] != "setup"
    assert verdict["chance"]
    again = nobody.post(f"/rulesets/{slug}/judge", {**request, "chance": verdict["chance"]}).json()
    assert again["position"] == verdict["position"]


@pytest.mark.parametrize("slug", LATEST)
def test_the_same_seed_leads_to_the_same_position(nobody: Client, slug: str) -> None:
    request = {"seats": LATEST[slug].seats.start, "seed": "again"}
    first, second = (nobody.post(f"/rulesets/{slug}/positions", request).json() for _ in range(2))
    assert first == second
    assert first["seed"] == "again"


def test_a_clause_lists_the_tests_that_show_it(nobody: Client) -> None:
    clause = nobody.get("/rulesets/catham-city/clauses/CC-21").json()
    assert clause["text"].startswith("A seat takes at most as many cards of a faction as the market shows")
    assert clause["source"] == "rulebook"
    assert any("test_" in test for test in clause["tests"])
    assert nobody.get("/rulesets/catham-city/clauses/CC-R7").json()["kind"] == "ruling"
    missing = nobody.get("/rulesets/catham-city/clauses/CC-999")
    assert (missing.status_code, missing.json()["code"]) == (404, "unknown-clause")


def test_the_judge_refuses_by_clause(nobody: Client) -> None:
    position = nobody.post("/rulesets/catham-city/positions", {"seats": 2, "seed": "x"}).json()["position"]
    seat = position["active_seat"]

    def verdict(move: object, actor: object = seat) -> dict:
        answer = nobody.post("/rulesets/catham-city/judge", {"position": position, "actor": actor, "move": move})
        assert answer.status_code == 200, answer.text
        return answer.json()

    refused = verdict({"type": "take_cards", "faction": "mafia", "count": 0})
    assert (refused["verdict"], refused["clause"]) == ("rejected", "CC-20")
    assert refused["text"] == "A seat that takes cards takes at least 1 card."
    for form in ({"type": "nonsense"}, {"type": "take_cards"}, [], "x", 7, None, {}):
        assert verdict(form)["clause"] == "CC-2"
    assert verdict({"type": "decline"}, "referee")["clause"] == "CC-3"
    assert verdict({"type": "play_mafia"}, 1 - seat)["clause"] == "CC-4"


def test_impossible_positions_and_outcomes_are_problems(nobody: Client) -> None:
    position = nobody.post("/rulesets/catham-city/positions", {"seats": 2, "seed": "x"}).json()["position"]
    blank = {"ruleset": "catham-city", "options": {"first_seat": 0}, "phase": "setup", "seats": [{}, {}]}
    move = {"type": "take_cards", "faction": "mafia", "count": 1}

    def code(**request: object) -> str:
        answer = nobody.post("/rulesets/catham-city/judge", request)
        assert answer.status_code == 422, answer.text
        return answer.json()["code"]

    broken = {**position, "market": {**position["market"], "mafia": 9}}
    assert code(position=broken, actor=0, move=move) == "invalid-position"
    assert code(position={}, actor=0, move=move) == "invalid-position"
    set_up = {"position": blank, "actor": "referee", "move": {"type": "set_up"}}
    assert code(**set_up, chance=[{"point": "shuffle_deck", "outcome": ["mafia"]}]) == "invalid-chance"
    assert code(**set_up, chance=[{"point": "draw_first_seat", "outcome": 0}]) == "invalid-chance"
    assert code(**set_up, chance=[{"point": "shuffle_deck", "outcome": 10**40}]) == "invalid-chance"
    assert code(position=position, actor=9, move=move) == "invalid-request"


def test_unknown_rulesets_and_clauses_are_not_found(nobody: Client) -> None:
    for path in ("/rulesets/chess", "/rulesets/chess/clauses/X-1", "/nothing"):
        answer = nobody.get(path)
        assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert nobody.post("/rulesets/chess/judge", {"position": {}, "actor": 0, "move": {}}).status_code == 404
    wrong = nobody.call("PATCH", "/v1/rulesets")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method-not-allowed")
    assert "GET" in wrong.headers["Allow"]
