"""Plays a game of every ruleset over the API, and compares every answer with the OpenAPI document."""

import json
import random
from typing import Any

import pytest
import schemathesis
from schemathesis.core import NOT_SET
from schemathesis.specs.openapi.schemas import OpenApiSchema

from referee.kernel.ruleset import Ruleset
from referee.rulesets import LATEST
from tests.api.test_schemathesis import CHECKS
from tests.api.world import World
from tests.schemas.document import validator

MOVES_BY_HAND = 15
LINES_COMPARED = 15

every_title = pytest.mark.parametrize("ruleset", LATEST.values(), ids=LATEST)


class Table:
    """A game between ada, bob and bots; every answer is compared with the document."""

    def __init__(self, world: World, ruleset: Ruleset, seed: str) -> None:
        self.schema: OpenApiSchema = schemathesis.openapi.from_wsgi("/openapi.json", world.app)
        self.world = world
        self.keys = (world.ada, world.bob)
        self.rng = random.Random(seed)
        bots = [{"bot": "random"}] * (ruleset.seats.start - 2)
        body = {"ruleset": ruleset.slug, "options": {}, "seats": ["me", "open", *bots], "nonce": "ada's"}
        self.id = self.ask("create_game", world.ada, body)["id"]
        self.ask("sit_down", world.bob, {"seat": 1, "nonce": "bob's"}, game_id=self.id)
        world.nudge(self.id)

    def ask(self, name: str, key: str | None, body: Any = NOT_SET, query: Any = None, **path: str) -> Any:
        """Return the JSON of an answer, which must be as documented and not a problem."""
        operation = self.schema.find_operation_by_id(name)
        case = operation.Case(
            path_parameters=path,
            query=query or {},
            headers={} if key is None else {"Authorization": f"Bearer {key}"},
            body=body,
            media_type=None if body is NOT_SET else "application/json",
        )
        answer = case.call_and_validate(checks=CHECKS)
        assert answer.status_code < 300, answer.text
        return json.loads(answer.content) if answer.content else None

    def read(self) -> None:
        """Read the game as every role."""
        for key in (None, *self.keys, self.world.admin):
            self.ask("get_game", key, game_id=self.id)
            self.ask("get_events", key, game_id=self.id)

    def turn(self) -> bool:
        """Make a move for ada or bob, if it is their turn."""
        for key in self.keys:
            legal = self.ask("get_legal_moves", key, game_id=self.id)
            if legal["moves"]:
                move = self.rng.choice(legal["moves"])
                self.ask("submit_move", key, move, {"dry_run": "true"}, game_id=self.id)
                self.ask("submit_move", key, move, game_id=self.id)
                self.world.nudge(self.id)
                return True
        return False

    def lines(self, path: str, key: str | None) -> list[Any]:
        """Return the lines of a stream."""
        answer = self.world.get(path, key, headers={"Accept": "application/jsonl"})
        assert answer.content_type == "application/jsonl"
        return [json.loads(line) for line in answer.text.splitlines()]


@every_title
def test_every_answer_of_a_whole_game_is_as_documented(world: World, ruleset: Ruleset) -> None:
    table = Table(world, ruleset, ruleset.slug)
    for number in range(MOVES_BY_HAND):
        if number % 3 == 0:
            table.read()
        if not table.turn():
            break
    table.ask("administer", world.admin, {"action": "pause", "reason": "Tea."}, game_id=table.id)
    table.ask("administer", world.admin, {"action": "resume", "reason": "No tea."}, game_id=table.id)
    for key in table.keys:
        table.ask("resign", key, game_id=table.id)
    world.nudge(table.id)
    table.read()
    assert table.ask("get_game", None, game_id=table.id)["ranking"], "bots have played it to its end"
    last = table.ask("get_game", None, query={"seat": "all"}, game_id=table.id)["version"]
    for at in {0, 1, 2, last // 2, last}:
        table.ask("get_game", world.bob, query={"at": str(at)}, game_id=table.id)
    table.ask("list_games", world.ada, query={"mine": "true", "limit": "1"})
    assert table.ask("get_audit", None, game_id=table.id)["verdict"] == "proved"
    for seat in ("0", "all"):
        commits = table.lines(f"/v1/games/{table.id}/events?seat={seat}", world.ada)
        assert len(commits) == last
        for commit in table.rng.sample(commits, min(len(commits), LINES_COMPARED)):
            validator("Commit").validate(commit)
    record = table.lines(f"/v1/games/{table.id}/record", None)
    assert len(record) == last + 2 + 4, "two holders and two reasons follow the secret"
    for line in (record[0], *table.rng.sample(record, min(len(record), LINES_COMPARED)), record[-1]):
        validator("GameRecord").validate(line)


def test_the_chain_begins_with_the_header_of_the_started_game(world: World) -> None:
    """A player who takes a seat later adds a nonce and changes the header, even if the game was read before."""
    id = world.game(world.ada, seats=["me", "open"])
    assert world.get(f"/v1/games/{id}", world.ada).get_json()["version"] == 0
    assert world.post(f"/v1/games/{id}/seats", world.bob, json={"nonce": "bob's"}).status_code == 201
    world.nudge(id)
    assert world.post(f"/v1/games/{id}/resignation", world.ada).status_code == 201
    checks = {check["name"]: check for check in world.get(f"/v1/games/{id}/audit").get_json()["checks"]}
    assert checks["chain"]["passed"], checks["chain"]


@every_title
def test_the_answers_about_a_ruleset_are_as_documented(world: World, ruleset: Ruleset) -> None:
    schema = schemathesis.openapi.from_wsgi("/openapi.json", world.app)
    clause = next(iter(ruleset.rulebook.clauses))
    for name, path in (
        ("get_ruleset", {"slug": ruleset.slug}),
        ("get_clause", {"slug": ruleset.slug, "clause": clause}),
        ("get_edition", {"slug": ruleset.slug, "edition_hash": ruleset.edition_hash}),
    ):
        case = schema.find_operation_by_id(name).Case(path_parameters=path, headers={"Accept-Encoding": "identity"})
        answer = case.call_and_validate(checks=CHECKS)
        assert answer.status_code == 200
    for seats in ruleset.seats:
        body = {"seats": seats, "options": {}, "seed": "s"}
        operation = schema.find_operation_by_id("fresh_position")
        case = operation.Case(path_parameters={"slug": ruleset.slug}, body=body, media_type="application/json")
        assert case.call_and_validate(checks=CHECKS).status_code == 200
