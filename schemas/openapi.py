"""The OpenAPI document: made of the calls, the marshmallow schemas of their requests, and the rulesets."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.common import resolve_schema_cls

from referee.rulesets import LATEST
from schemas.base import Request
from schemas.components import common_components
from schemas.endpoint import Endpoint
from schemas.examples import examples
from schemas.games import STATUSES
from schemas.naming import Name, Naming, words_in
from schemas.paths import (
    BEARER,
    JSON,
    JSON_LINES,
    SSE,
    header_components,
    operation,
    parameter_components,
    path_of,
    problem_responses,
)
from schemas.rules import rules_components
from schemas.shapes import OPENAPI_VERSION, Shape
from schemas.structs import prefix_of, tidy, with_defaults_in_words

TITLE = "referee"
VERSION = "1"

TAGS: Mapping[str, str] = {
    "rulesets": "Rulesets, clauses, the stateless judge, fresh positions and legal moves. These calls store nothing.",
    "players": "Players and their keys.",
    "games": "Create, list and read games; sit down, leave.",
    "moves": "Make moves, or try them.",
    "receipts": "What the service signs about a move, so that it cannot deny it afterwards.",
    "table": "Resign, return to a seat, undo, pause by consent; admins pause, resume and annul games.",
    "events": "The log as you may see it: pages, long polls, JSON Lines, server-sent events.",
    "log": "The transparency log: what the service has said about games, and cannot take back.",
    "audits": "Proof that a game followed its rules and its luck.",
    "operation": "For operators of the service.",
    "docs": "This document.",
}

_FIRST = next(iter(LATEST.values()))

DESCRIPTION = f"""\
A referee for board games. You post a move; the referee judges it by the clauses of the game's ruleset and, if they
accept it, appends it to the game's log. A refused move is answered with the clause that refuses it.

- Most calls need a key: `Authorization: Bearer …`. `POST /v1/players` gives you the first one. Where a call names a
  scope, the key must have it.
- Errors are `application/problem+json` (RFC 9457) with a stable `code`.
- The field `type` names the type of a move. Several rulesets can have the same `type`, so look at the game's
  `ruleset` first: the moves of `{_FIRST.slug}` are `{prefix_of(_FIRST)}Move`, and so on.
- Every answer has the header `X-Request-Id`, under which the service logs the request. You can choose the id by sending
  the same header with 1 to 64 of the characters `A-Za-z0-9_.-`; any other value is replaced.
"""


def document(calls: Iterable[Endpoint], problems: Mapping[str, str]) -> dict[str, Any]:
    """The whole document. `problems` are all codes with their titles."""
    order = list(TAGS)
    calls = sorted(calls, key=lambda call: order.index(call.tag))
    found = _calls_and_requests(calls)
    own = {tuple(sorted(STATUSES)): Name("Status"), tuple(sorted(LATEST)): Name("RulesetSlug")}
    naming = Naming({**words_in("schemas"), **own})
    found["paths"] = naming.replaced(found["paths"], "")
    requests = {name: _request(name, part) for name, part in found["components"]["schemas"].items()}
    parts = {**requests, **_as_json(common_components(LATEST.values(), problems))}
    schemas = {name: naming.within(tidy(part), name) for name, part in parts.items()}
    schemas = naming.found | schemas
    for ruleset in LATEST.values():
        schemas |= _as_json(rules_components(ruleset))
    found["components"]["schemas"] = schemas
    for call in calls:
        _explain(found, call)
    return {"openapi": found.pop("openapi"), **found}


def _calls_and_requests(calls: Iterable[Endpoint]) -> dict[str, Any]:
    """What apispec makes of the calls and of the marshmallow schemas of their requests."""
    spec = APISpec(
        title=TITLE,
        version=VERSION,
        openapi_version=OPENAPI_VERSION,
        plugins=[MarshmallowPlugin(schema_name_resolver=_name_of)],
        info={
            "description": DESCRIPTION,
            "contact": {"name": "The referee contributors"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
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
    return found


def _name_of(schema: Any) -> str:
    kind = resolve_schema_cls(schema)
    assert isinstance(kind, type)
    return kind.__name__


def _request(name: str, schema: Shape) -> Shape:
    """A component made of a marshmallow schema, with what apispec leaves out: its description."""
    (kind,) = [each for each in Request.__subclasses__() if each.__name__ == name]
    return {"description": (kind.__doc__ or "").strip(), **with_defaults_in_words(schema)}


def _as_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _explain(document: dict[str, Any], call: Endpoint) -> None:
    """Add what apispec leaves out: descriptions of the answers, and examples."""
    known, schemas = examples(), document["components"]["schemas"]
    operation = document["paths"][path_of(call)][call.method.lower()]
    if call.body is not None:
        name = call.body if isinstance(call.body, str) else call.body.__name__
        operation["requestBody"]["content"][JSON]["examples"] = known[name]
    for status, name in call.answers.items():
        answer = operation["responses"][str(status)]
        answer["description"] = " ".join((schemas.get(name, answer)["description"], *_streamed(answer)))
        if name in known:
            answer["content"][JSON]["examples"] = known[name]


_ITEMS = {
    JSON_LINES: "As `application/jsonl`, each line is one JSON object, and the schema is that of one line.",
    SSE: "As `text/event-stream`, the schema is that of one message, with the JSON of its `data`.",
}


def _streamed(answer: dict[str, Any]) -> Iterable[str]:
    """How to read the schema of a stream, for which OpenAPI 3.1 has no word."""
    return [_ITEMS[media] for media in answer.get("content", ()) if media in _ITEMS]
