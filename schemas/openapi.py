"""The OpenAPI document: made of the calls, the marshmallow schemas of their requests, and the rulesets."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from referee.rulesets import LATEST
from schemas.answers import answer_components
from schemas.derive import prefix_of
from schemas.endpoint import Endpoint
from schemas.examples import examples
from schemas.paths import (
    BEARER,
    JSON,
    header_components,
    operation,
    parameter_components,
    path_of,
    problem_responses,
)
from schemas.rules import any_components, new_spec, plugin, rules_components, table_components

TITLE = "referee"
VERSION = "1"

TAGS: Mapping[str, str] = {
    "rulesets": "Titles, clauses, the stateless judge and fresh positions. No key needed, nothing stored.",
    "players": "Who you are: players and their keys.",
    "games": "Create, list and read games; sit down, leave.",
    "moves": "Make moves, or try them.",
    "table": "Concede, pause by consent, come back, take back a move; admins pause, resume and annul.",
    "events": "The log as you may see it: pages, long polls, JSON Lines, server-sent events.",
    "audits": "What proves that a game was played by its rules and its luck.",
    "operation": "For those who run the service.",
    "docs": "This document.",
}

_FIRST = next(iter(LATEST.values()))

DESCRIPTION = f"""\
Referees board games: a move that you post is judged by the clauses of its ruleset and, if they accept it, appended to
the game's log. A refused move is answered with the clause that refuses it.

- Most calls need a key: `Authorization: Bearer …`. `POST /v1/players` gives the first one.
- Errors are `application/problem+json` (RFC 9457) with a stable `code`.
- The moves of each ruleset are told apart by `type`. The same `type` may occur in several rulesets, so look at the
  game's `ruleset` first: the moves of `{_FIRST.slug}` are `{prefix_of(_FIRST)}Move`, and so on.
"""


def document(calls: Iterable[Endpoint], problems: Mapping[str, str]) -> dict[str, Any]:
    """The whole document. `problems` are all codes with their titles."""
    marshmallow = plugin()
    order = list(TAGS)
    calls = sorted(calls, key=lambda call: order.index(call.tag))
    spec = new_spec(
        marshmallow,
        title=TITLE,
        version=VERSION,
        info={"description": DESCRIPTION},
        servers=[{"url": "/"}],
        tags=[{"name": name, "description": text} for name, text in TAGS.items()],
    )
    spec.components.security_scheme(BEARER, {"type": "http", "scheme": "bearer", "description": "An API key."})
    for name, parameter in parameter_components().items():
        spec.components.parameter(name, "header", parameter)
    for name, header in header_components().items():
        spec.components.header(name, header)
    for name, response in problem_responses().items():
        spec.components.response(name, response)
    for call in calls:
        spec.path(path=path_of(call), operations={call.method.lower(): operation(call)})
    found: dict[str, Any] = _as_json(spec.to_dict())
    found["components"]["schemas"] |= _as_json(_components(problems))
    for call in calls:
        _explain(found, call)
    return {"openapi": found.pop("openapi"), **found}


def _components(problems: Mapping[str, str]) -> dict[str, Any]:
    """Everything that no marshmallow schema of a request describes. It does not pass through apispec: that would
    take a JSON Schema that is `false` for a name.
    """
    rulesets = tuple(LATEST.values())
    found = {**any_components(rulesets), **answer_components(rulesets, problems), **table_components()}
    for ruleset in rulesets:
        found.update(rules_components(ruleset))
    return found


def _as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _explain(document: dict[str, Any], call: Endpoint) -> None:
    """Put in what apispec leaves out: the words of a request's schema, and examples."""
    known, schemas = examples(), document["components"]["schemas"]
    operation = document["paths"][path_of(call)][call.method.lower()]
    if call.body is not None:
        name = call.body if isinstance(call.body, str) else call.body.__name__
        operation["requestBody"]["content"][JSON]["examples"] = known[name]
        if isinstance(call.body, type):
            schemas[name] = {"description": (call.body.__doc__ or "").strip(), **schemas[name]}
    for status, name in call.answers.items():
        answer = operation["responses"][str(status)]
        answer["description"] = schemas.get(name, answer)["description"]
        if name in known:
            answer["content"][JSON]["examples"] = known[name]
