"""Rulesets, clauses, the stateless judge, fresh positions and their legal moves: these calls store nothing."""

import secrets
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response

from referee.api.context import caller
from referee.api.lasting import zipped
from referee.api.pages import board_address, words_addresses
from referee.api.problems import cited
from referee.api.routing import accepted_language, answer, endpoint, in_language
from referee.kernel.chance import Seeded
from referee.kernel.judge import judge as judged
from referee.kernel.judge import read_position, read_start, settle
from referee.kernel.rejection import Rejection
from referee.kernel.ruleset import Ruleset
from referee.kernel.seat import Seat
from referee.service.catalogue import (
    all_bots,
    all_rules,
    edition_numbers,
    editions_in_short,
    latest_rules,
    rules_of_version,
    rules_with,
    tests_that_show,
    valid_options,
)
from referee.service.players import require_key
from referee.service.problems import Problem, invalid
from referee.service.sentences import teller_of_positions
from referee.service.views import legal_in_position
from schemas import answers
from schemas.judge import JudgeRequest, LegalRequest, PositionRequest
from schemas.play import Accepted, DueInPosition, FreshPosition, Outcome, Rejected
from schemas.reading import RulesetQuery, TextQuery
from schemas.structs import inline_schema, message_schemas

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1")


def _title(rules: Ruleset) -> dict[str, Any]:
    return {
        "slug": rules.slug,
        "title": rules.title,
        "version": rules.version,
        "seats": answers.SeatRange(rules.seats.start, rules.seats.stop - 1),
        "editions": editions_in_short(rules),
        "url": f"/v1/rulesets/{rules.slug}",
    }


@cache
def _titles() -> bytes:
    return msgspec.json.encode(answers.Rulesets(tuple([answers.Title(**_title(rules)) for rules in all_rules()])))


@cache
def _details(rules: Ruleset) -> bytes:
    clauses = rules.rulebook.clauses.values()
    players = {name: kind for name, kind in rules.moves.items() if name not in rules.triggers}
    return msgspec.json.encode(
        answers.Ruleset(
            **_title(rules),
            options=inline_schema(rules.options_type),
            default_options=rules.variants[0],
            clauses=tuple([clause for clause in clauses if clause.kind == "clause"]),
            rulings=tuple([clause for clause in clauses if clause.kind == "ruling"]),
            edition_data=rules.edition,
            board=board_address(rules),
            words=words_addresses(rules),
            moves=message_schemas(players),
            triggers=message_schemas(rules.triggers),
            events=message_schemas(rules.events),
            position=inline_schema(rules.position_type),
            view=inline_schema(rules.view_type),
        )
    )


@endpoint(blueprint, "GET", "/rulesets", answers={200: "Rulesets"}, lasting=True)
def list_rulesets() -> Response:
    """List the rulesets that can be played.

    For each: its version, how many players it takes, and the address of its details.
    """
    return answer(_titles())


@endpoint(blueprint, "GET", "/bots", answers={200: "Bots"}, lasting=True)
def list_bots() -> Response:
    """List the built-in bots.

    For each: what it does and which rulesets it plays. A seat of a new game names a bot by its `name`.
    """
    return answer(_bots())


@cache
def _bots() -> bytes:
    return msgspec.json.encode(answers.Bots(all_bots()))


@endpoint(blueprint, "GET", "/rulesets/<slug>", query=RulesetQuery, answers={200: "Ruleset"}, lasting=True)
def get_ruleset(slug: str, query: dict[str, Any]) -> Response:
    """Read a ruleset.

    The answer has the options, the clauses and rulings, the numbers of the edition, and the JSON Schema of every move,
    event, position and view. `version` selects the rules that an older game is played by.
    """
    return answer(_details(rules_of_version(slug, query.get("version"))))


@endpoint(blueprint, "GET", "/rulesets/<slug>/clauses/<clause>", answers={200: "ClauseDetails"}, lasting=True)
def get_clause(slug: str, clause: str) -> Response:
    """Read one clause or ruling.

    The answer names the tests that show the clause at work.
    """
    rules = latest_rules(slug)
    found = rules.rulebook.clauses.get(clause)
    if found is None:
        raise Problem("unknown-clause", f"{rules.title} has no clause `{clause}`.")
    return answer(answers.ClauseDetails(**msgspec.structs.asdict(found), ruleset=slug, tests=tests_that_show(clause)))


@endpoint(blueprint, "GET", "/rulesets/<slug>/editions/<edition_hash>", answers={200: "Edition"}, lasting=True)
def get_edition(slug: str, edition_hash: str) -> Response:
    """Read the numbers of an edition.

    A game names its edition by this hash, in its answers (`edition_hash`) and in its record.
    """
    return answer(edition_numbers(slug, edition_hash))


@endpoint(blueprint, "POST", "/rulesets/<slug>/judge", body=JudgeRequest, answers={200: "Verdict"}, cost=5)
def judge(slug: str, body: dict[str, Any]) -> Response:
    """Ask whether an actor may make a move in a position.

    Nothing is stored. An accepted move is answered with its events and the position after it, a refused one with the
    clause that refuses it. Forced outcomes are used in order as their chance points occur; all other outcomes are
    drawn.
    """
    rules = rules_with(slug, body["edition"])
    position = read_position(rules, body["position"])
    actor = body["actor"]
    if actor != "referee" and actor >= len(position.seats):
        raise invalid("actor", f"The position has seats 0 to {len(position.seats) - 1}; there is no seat {actor}.")
    outcomes = [(forced["point"], forced["outcome"]) for forced in body["chance"]]
    verdict = judged(rules, position, actor, rules.read_move(body["move"]), outcomes, Seeded(secrets.token_bytes(16)))
    if isinstance(verdict, Rejection):
        return answer(Rejected(verdict.message, **cited(rules, verdict)))
    chance = tuple([Outcome(outcome, point) for point, outcome in verdict.drawn])
    return answer(Accepted(verdict.events, chance, **_position(rules, verdict.position)))


@endpoint(
    blueprint,
    "POST",
    "/rulesets/<slug>/legal-moves",
    query=TextQuery,
    body=LegalRequest,
    answers={200: "LegalInPosition"},
    scope="any",
    headers=("Accept-Language",),
    gives=("Content-Language",),
    cost=10,
)
def list_legal_moves(slug: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """List the legal moves of a seat in a position.

    Nothing is stored. A seat that may not move has none. Moves of a type with too many candidates are not listed; a
    family describes them by a JSON Schema. With `with=text` there is a sentence for each move.
    """
    require_key(caller())
    rules = rules_with(slug, body["edition"])
    position, seat = read_start(rules, body["position"]), Seat(body["seat"])
    if seat >= len(position.seats):
        raise invalid("seat", f"The position has seats 0 to {len(position.seats) - 1}; there is no seat {seat}.")
    language = accepted_language(rules) if query["added"] else None
    teller = None if language is None else teller_of_positions(rules, len(position.seats), language)
    return zipped(in_language(answer(legal_in_position(rules, position, seat, teller)), language))


@endpoint(
    blueprint,
    "POST",
    "/rulesets/<slug>/positions",
    body=PositionRequest,
    answers={200: "FreshPosition"},
    cost=5,
)
def fresh_position(slug: str, body: dict[str, Any]) -> Response:
    """Set up a fresh position.

    Nothing is stored. The same edition, options, seats and seed give the same position.
    """
    rules = rules_with(slug, body["edition"])
    blank = valid_options(rules, body["options"], body["seats"])
    seed = body["seed"] if body["seed"] is not None else secrets.token_hex(16)
    return answer(FreshPosition(seed, **_position(rules, settle(rules, blank, Seeded(seed)))))


def _position(rules: Ruleset, position: Any) -> dict[str, Any]:
    due = rules.due(position)
    owed = None if due is None else DueInPosition(due.move, due.after_ms)
    return {"position": position, "awaited": rules.awaited(position), "due": owed}
