"""Titles, clauses, the stateless judge and fresh positions: no key needed, nothing stored."""

import secrets
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response

from referee.api.problems import cited
from referee.api.routing import answer, endpoint
from referee.kernel.chance import Seeded
from referee.kernel.judge import judge as judged
from referee.kernel.judge import read_position, settle
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.service.games import latest_rules, valid_options
from referee.service.problems import Problem, invalid
from referee.service.titles import all_bots, all_rules, tests_that_show
from schemas.derive import inline_schema, message_schemas
from schemas.judge import JudgeRequest, PositionRequest

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1")


def _title(rules: Ruleset) -> dict[str, Any]:
    return {
        "slug": rules.slug,
        "title": rules.title,
        "version": rules.version,
        "seats": {"min": rules.seats.start, "max": rules.seats.stop - 1},
        "edition": rules.edition_hash,
        "url": f"/v1/rulesets/{rules.slug}",
    }


@cache
def _titles() -> bytes:
    return msgspec.json.encode({"rulesets": [_title(rules) for rules in all_rules()]})


@cache
def _details(slug: str) -> bytes:
    rules = latest_rules(slug)
    clauses = rules.rulebook.clauses.values()
    players = {name: kind for name, kind in rules.moves.items() if name not in rules.triggers}
    return msgspec.json.encode(
        {
            **_title(rules),
            "options": inline_schema(rules.options_type),
            "default_options": rules.variants[0],
            "clauses": [clause for clause in clauses if clause.kind == "clause"],
            "rulings": [clause for clause in clauses if clause.kind == "ruling"],
            "edition_data": rules.edition,
            "moves": message_schemas(players),
            "triggers": message_schemas(rules.triggers),
            "events": message_schemas(rules.events),
            "position": inline_schema(rules.position_type),
            "view": inline_schema(rules.view_type),
        }
    )


@endpoint(blueprint, "GET", "/rulesets", answers={200: "Rulesets"}, lasting=True)
def list_rulesets() -> Response:
    """List the titles that can be played."""
    return answer(_titles())


@endpoint(blueprint, "GET", "/bots", answers={200: "Bots"}, lasting=True)
def list_bots() -> Response:
    """List the built-in bots: what each does, and which rulesets it plays."""
    return answer(_bots())


@cache
def _bots() -> bytes:
    return msgspec.json.encode({"bots": all_bots()})


@endpoint(blueprint, "GET", "/rulesets/<slug>", answers={200: "Ruleset"}, lasting=True)
def get_ruleset(slug: str) -> Response:
    """Read a ruleset: options, clauses, rulings, edition, and every move and event with its JSON Schema."""
    return answer(_details(slug))


@endpoint(blueprint, "GET", "/rulesets/<slug>/clauses/<clause>", answers={200: "Clause"}, lasting=True)
def get_clause(slug: str, clause: str) -> Response:
    """Read one clause or ruling, and the tests that show it."""
    rules = latest_rules(slug)
    found = rules.rulebook.clauses.get(clause)
    if found is None:
        raise Problem(404, "unknown-clause", f"{rules.title} has no clause `{clause}`.")
    return answer({**msgspec.to_builtins(found), "ruleset": slug, "tests": tests_that_show(clause)})


@endpoint(blueprint, "POST", "/rulesets/<slug>/judge", body=JudgeRequest, answers={200: "Verdict"}, cost=5)
def judge(slug: str, body: dict[str, Any]) -> Response:
    """Ask the stateless referee: may this actor make this move in this position?

    Forced outcomes are used in order as their points occur; what is not forced is drawn.
    """
    rules = latest_rules(slug)
    position = read_position(rules, body["position"])
    actor = body["actor"]
    if actor != "referee" and actor >= len(position.seats):
        raise invalid("actor", f"The position has the seats 0 to {len(position.seats) - 1}.")
    outcomes = [(forced["point"], forced["outcome"]) for forced in body["chance"]]
    verdict = judged(rules, position, actor, rules.read_move(body["move"]), outcomes, Seeded(secrets.token_bytes(16)))
    if isinstance(verdict, Rejection):
        return answer({"verdict": "rejected", "message": verdict.message, **cited(rules, verdict)})
    return answer(
        {
            "verdict": "accepted",
            "events": verdict.events,
            "chance": [{"point": point, "outcome": outcome} for point, outcome in verdict.drawn],
            **_position(rules, verdict.position),
        }
    )


@endpoint(
    blueprint,
    "POST",
    "/rulesets/<slug>/positions",
    body=PositionRequest,
    answers={200: "FreshPosition"},
    cost=5,
)
def fresh_position(slug: str, body: dict[str, Any]) -> Response:
    """Set up a fresh position for given options, seats and seed."""
    rules = latest_rules(slug)
    blank = valid_options(rules, body["options"], body["seats"])
    seed = body["seed"] if body["seed"] is not None else secrets.token_hex(16)
    return answer({"seed": seed, **_position(rules, settle(rules, blank, Seeded(seed)))})


def _position(rules: Ruleset, position: Any) -> dict[str, Any]:
    return {"position": position, "awaited": rules.awaited(position), "due": rules.due(position)}
