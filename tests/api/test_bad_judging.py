"""The judge names what is impossible in a position or a forced outcome, and never fails."""

import random
from typing import Any

import pytest

from referee.kernel.chance import Seeded
from referee.kernel.judge import Accepted, judge
from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from tests.api.requests import OTHER, damaged
from tests.api.test_bad_input import problem
from tests.api.world import World
from tests.conformance.damage import damaged as impossible
from tests.conformance.play import Commit, games_of
from tests.conformance.samples import as_json
from tests.schemas.document import validator
from tests.subjects import Subject

POSITIONS = 5
DRAWINGS = 6
DAMAGES = 12

every_title = pytest.mark.parametrize("ruleset", LATEST.values(), ids=LATEST)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


def question(commit: Commit, **changes: Any) -> dict[str, Any]:
    """Return the question to which this commit is the answer."""
    question = {"position": as_json(commit.before), "actor": commit.actor, "move": as_json(commit.move)}
    return {**question, **changes}


def commits_of(ruleset: Ruleset, rng: random.Random, count: int) -> list[Commit]:
    commits = [commit for game in games_of(Subject(ruleset)) for commit in game.commits]
    return rng.sample(commits, min(len(commits), count))


def drawing_commits(ruleset: Ruleset, rng: random.Random) -> list[tuple[Commit, list[Any]]]:
    """Return commits that draw luck, from as many points as possible, each with its draws."""
    found: dict[tuple[str, ...], list[tuple[Commit, list[Any]]]] = {}
    for commit in commits_of(ruleset, rng, 400):
        verdict = judge(ruleset, commit.before, commit.actor, commit.move, otherwise=Seeded(1))
        assert isinstance(verdict, Accepted)
        if verdict.drawn:
            drawn = [{"point": point, "outcome": as_json(outcome)} for point, outcome in verdict.drawn]
            found.setdefault(tuple(sorted({each["point"] for each in drawn})), []).append((commit, drawn))
    assert found
    chosen = [commits[0] for commits in found.values()]
    rest = [each for commits in found.values() for each in commits[1:]]
    return (chosen + rest)[:DRAWINGS]


@every_title
def test_the_broken_invariant_of_an_impossible_position_is_named(
    world: World, ruleset: Ruleset, rng: random.Random
) -> None:
    path = f"/v1/rulesets/{ruleset.slug}/judge"
    for commit in commits_of(ruleset, rng, POSITIONS):
        for name, position in impossible(ruleset, commit.after, rng):
            answer = world.post(path, json=question(commit, position=position))
            code = "invalid-position" if isinstance(position, dict) else "invalid-request"
            assert problem(answer, 422, code)["detail"], name


@every_title
def test_a_randomly_changed_position_is_judged_or_refused(world: World, ruleset: Ruleset, rng: random.Random) -> None:
    path = f"/v1/rulesets/{ruleset.slug}/judge"
    refused = 0
    for commit in commits_of(ruleset, rng, POSITIONS):
        for _ in range(DAMAGES):
            position = damaged(as_json(commit.before), rng)
            answer = world.post(path, json=question(commit, position=position))
            if answer.status_code == 200:
                validator("Verdict").validate(answer.get_json())
            else:
                problem(answer, 422, "invalid-position" if isinstance(position, dict) else "invalid-request")
                refused += 1
    assert refused > POSITIONS


@every_title
def test_the_point_of_an_impossible_outcome_is_named(world: World, ruleset: Ruleset, rng: random.Random) -> None:
    path = f"/v1/rulesets/{ruleset.slug}/judge"
    for commit, drawn in drawing_commits(ruleset, rng):
        answer = world.post(path, json=question(commit, chance=drawn))
        assert answer.get_json()["chance"] == drawn, "what was drawn can be forced"
        for outcome in OTHER:
            at = rng.randrange(len(drawn))
            point = drawn[at]["point"]
            chance = [*drawn[:at], {"point": point, "outcome": outcome}, *drawn[at + 1 :]]
            answer = world.post(path, json=question(commit, chance=chance))
            if answer.status_code == 200:
                body = answer.get_json()
                validator("Verdict").validate(body)
                assert body["chance"][at] == {"point": point, "outcome": outcome}
            else:
                problem(answer, 422, "invalid-chance", point=point)


@every_title
def test_an_outcome_for_a_point_that_does_not_occur_is_refused(
    world: World, ruleset: Ruleset, rng: random.Random
) -> None:
    path = f"/v1/rulesets/{ruleset.slug}/judge"
    for commit in commits_of(ruleset, rng, POSITIONS):
        chance = [{"point": "coin_toss", "outcome": "heads"}]
        answer = world.post(path, json=question(commit, chance=chance))
        problem(answer, 422, "invalid-chance", point="coin_toss")


@every_title
def test_a_randomly_changed_move_gets_a_verdict(world: World, ruleset: Ruleset, rng: random.Random) -> None:
    path = f"/v1/rulesets/{ruleset.slug}/judge"
    clauses = set(ruleset.rulebook.clauses)
    for commit in commits_of(ruleset, rng, POSITIONS):
        for _ in range(DAMAGES):
            answer = world.post(path, json=question(commit, move=damaged(as_json(commit.move), rng)))
            assert answer.status_code == 200, answer.text
            body = answer.get_json()
            validator("Verdict").validate(body)
            assert body["verdict"] == "accepted" or body["clause"] in clauses


@every_title
def test_an_actor_without_a_seat_is_refused(world: World, ruleset: Ruleset, rng: random.Random) -> None:
    (commit,) = commits_of(ruleset, rng, 1)
    for actor in (len(commit.before.seats), 2**31, 2**64):
        answer = world.post(f"/v1/rulesets/{ruleset.slug}/judge", json=question(commit, actor=actor))
        assert list(problem(answer, 422, "invalid-request")["errors"]) == ["actor"]
