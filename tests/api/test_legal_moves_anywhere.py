"""Legal moves of any position: complete, bounded, precise about bad input."""

import copy
import random
import time
from typing import Any

import pytest

from referee.kernel.canon import canonical
from referee.kernel.judge import legal_moves
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from tests.api.requests import damaged
from tests.api.test_bad_input import problem
from tests.api.world import World
from tests.conformance.play import games_of
from tests.conformance.samples import as_json
from tests.subjects import Subject
from tests.worst import WORST

every_title = pytest.mark.parametrize("ruleset", LATEST.values(), ids=LATEST)
POSITIONS = 12
CPU_S_MAX = 0.25
"""Five times the 50 ms that such a call may take, on a busy machine."""


def asked(world: World, slug: str, body: Any, query: str = "") -> Any:
    return world.call("POST", f"/v1/rulesets/{slug}/legal-moves{query}", key=world.ada, json=body)


@every_title
def test_the_moves_of_any_position_are_those_that_the_rules_accept(world: World, ruleset: Ruleset) -> None:
    rng = random.Random(ruleset.slug)
    commits = [commit for game in games_of(Subject(ruleset)) for commit in game.commits]
    for commit in rng.sample(commits, POSITIONS):
        position = as_json(commit.after)
        for seat in range(len(position["seats"])):
            answer = asked(world, ruleset.slug, {"position": position, "seat": seat}, "?with=text")
            assert answer.status_code == 200, answer.data
            found = answer.get_json()
            legal = legal_moves(ruleset, commit.after, seat)
            assert sorted(map(canonical, found["moves"])) == sorted(map(canonical, legal))
            assert len(found["text"]["moves"]) == len(found["moves"])
            is_awaited = seat in [decision.seat for decision in ruleset.awaited(commit.after)]
            assert (found["default"] is not None) == is_awaited == (found["text"]["default"] is not None)


def test_seats_have_numbers_where_nobody_sits(world: World) -> None:
    position = world.call("POST", "/v1/rulesets/catham-city/positions", json={"seats": 3, "seed": "x"}).get_json()
    body = {"position": position["position"], "seat": (active := position["position"]["active_seat"])}
    body["position"]["seats"][active]["hand"] |= {"hacker": 1}
    body["position"]["draw_pile"].remove("hacker")
    told = asked(world, "catham-city", body, "?with=text").get_json()["text"]["moves"]
    assert f"Slip seat {(active + 1) % 3} 1 hacker." in told
    assert "text" not in asked(world, "catham-city", body).get_json()


def test_a_key_is_needed(world: World) -> None:
    position = world.call("POST", "/v1/rulesets/catham-city/positions", json={"seats": 2}).get_json()["position"]
    answer = world.call("POST", "/v1/rulesets/catham-city/legal-moves", json={"position": position, "seat": 0})
    problem(answer, 401, "key-required")


def test_bad_questions_get_precise_answers(world: World) -> None:
    position = world.call("POST", "/v1/rulesets/catham-city/positions", json={"seats": 2}).get_json()["position"]
    for body, code, says in (
        ({"seat": 0}, "invalid-request", "`position`"),
        ({"position": position}, "invalid-request", "`seat`"),
        ({"position": position, "seat": 2}, "invalid-request", "there is no seat 2"),
        ({"position": position, "seat": -1}, "invalid-request", "`seat`"),
        ({"position": position, "seat": "0"}, "invalid-request", "`seat`"),
        ({"position": position, "seat": True}, "invalid-request", "`seat`"),
        ({"position": position, "seat": 0, "x": 1}, "invalid-request", "`x`"),
        ({"position": [], "seat": 0}, "invalid-request", "`position`"),
        ({"position": {**position, "active_seat": 7}, "seat": 0}, "invalid-position", ""),
        ({"position": {**position, "draw_pile": []}, "seat": 0}, "invalid-position", ""),
    ):
        found = problem(asked(world, "catham-city", body), 422, code)
        assert says in found["detail"], found
    good = {"position": position, "seat": 0}
    problem(asked(world, "chess", good), 404, "unknown-ruleset")
    assert problem(asked(world, "catham-city", good, "?with=view"), 422, "invalid-request")["errors"]["with"]


@every_title
def test_a_damaged_position_is_never_a_fault_of_the_service(world: World, ruleset: Ruleset) -> None:
    rng = random.Random(ruleset.slug)
    commits = [commit for game in games_of(Subject(ruleset)) for commit in game.commits]
    for commit in rng.sample(commits, POSITIONS):
        body = damaged(copy.deepcopy({"position": as_json(commit.after), "seat": 0}), rng)
        assert asked(world, ruleset.slug, body).status_code in (200, 422)


@pytest.mark.parametrize("name", WORST)
def test_the_worst_positions_cost_little(world: World, name: str) -> None:
    slug, make = WORST[name]
    position, seat = make()
    began = time.process_time()
    found = asked(world, slug, {"position": position, "seat": seat}, "?with=text").get_json()
    assert time.process_time() - began < CPU_S_MAX
    assert len(found["moves"]) <= 1000 and (found["moves"] or found["families"])
