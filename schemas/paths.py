"""Calls as operations: parameters, bodies, answers by status and media type, headers, security."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from referee.rulesets import LATEST
from schemas.endpoint import ANY_SCOPE, Endpoint
from schemas.examples import problem_examples
from schemas.shapes import Shape, count, ref, string

JSON = "application/json"
PROBLEM = "application/problem+json"
BEARER = "bearer"
STATELESS = ("rulesets", "operation", "docs")
"""The tags of calls that do not need the log; one that does all the same says so itself."""


PATH_PARAMETERS: Mapping[str, Shape] = {
    "game_id": string("A game's id.", examples=["g_0123456789abcdef01234567"]),
    "slug": string("A ruleset's slug.", examples=list(LATEST)),
    "clause": string("The id of a clause or ruling.", examples=list(next(iter(LATEST.values())).rulebook.clauses)[:1]),
    "seat": count("The number of a seat."),
    "key_id": string("A key's id; not the key itself.", examples=["k_0123456789abcdef01234567fedcba9876543210"]),
    "player_id": string("A player's id.", examples=["p_0123456789abcdef01234567"]),
    "code": string("A problem's code.", examples=["move-refused"]),
}

REQUEST_HEADERS: Mapping[str, Shape] = {
    "If-Match": string(
        "The ETag you know; if the position has changed since, the answer is 412.", examples=['"42.s0"', "*"]
    ),
    "If-None-Match": string("The ETag you know; if nothing has changed, the answer is 304.", examples=['"42.s0"']),
    "Idempotency-Key": string(
        "The same key with the same body gives the first answer again.",
        pattern="^[\\x21-\\x7e]{1,255}$",
        examples=["7b1c9d52"],
    ),
    "Last-Event-ID": string("The id of the last message you got: an event stream goes on behind it.", examples=["42"]),
    "X-Request-Id": string(
        "Your name for the request, to find it in the log; one that is not 1 to 64 of `A-Za-z0-9_.-` is replaced.",
        examples=["6f1ed002ab559585"],
    ),
}

ANSWER_HEADERS: Mapping[str, tuple[Shape, bool]] = {
    "X-Request-Id": (string("By which the log knows the request.", pattern="^[A-Za-z0-9_.-]{1,64}$"), True),
    "ETag": (string("Changes exactly when your representation does.", pattern='^"[^"]+"$'), True),
    "Cache-Control": (string("How long the answer holds; past versions hold for ever."), True),
    "Location": (string("Where the game is.", pattern="^/v1/games/g_[0-9a-f]{24}$"), True),
    "Link": (string("The next page, if there is one (RFC 8288).", pattern='^<[^>]+>; rel="next"$'), False),
    "WWW-Authenticate": (string("How to show who you are."), True),
    "Retry-After": (count("Seconds to wait."), True),
    "RateLimit": (string("What is left: `r` calls, for `t` seconds (draft-ietf-httpapi-ratelimit-headers-10)."), False),
    "RateLimit-Policy": (string("What there is: `q` calls in `w` seconds, by key or by address."), False),
    "Content-Disposition": (string("A name for the file."), True),
    "Content-Security-Policy": (string("Nothing is loaded from elsewhere."), True),
}
"""Each header that an answer can have, and whether the answers that name it always have it."""

RATE = ("RateLimit", "RateLimit-Policy")

STATUSES: Mapping[int, str] = {
    400: "The request cannot be read: broken JSON, no body, or a header that makes no sense.",
    401: "A key is needed, or the one given is malformed, unknown, revoked or expired.",
    403: "You may not: the key lacks a scope, the seat is not yours, or it is not shown yet.",
    404: "There is no such thing, or you may not know of it.",
    406: "None of the media types that you accept is served.",
    408: "The body did not arrive in time.",
    409: "The game is in another state, or has gone on.",
    412: "The position has changed since the version that you named with `If-Match`.",
    413: "The body is too large.",
    415: "The body has another content type.",
    422: "The request can be read but not accepted; a refused move or option names the clause.",
    429: "Too many calls, wrong join codes, or streams at once; wait as `Retry-After` says.",
    500: "The referee made a mistake.",
    503: "The log cannot be reached, or too much happens at once; try again.",
}

PROBLEM_HEADERS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", *RATE),
    503: ("Retry-After",),
}

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def path_of(call: Endpoint) -> str:
    """The path of a call as OpenAPI writes it."""
    return _PARAMETER.sub(r"{\1}", call.rule)


def operation(call: Endpoint) -> dict[str, Any]:
    """A call as an operation."""
    found: dict[str, Any] = {
        "tags": [call.tag],
        "operationId": call.name,
        "summary": call.summary,
        **({"description": described} if (described := _described(call)) else {}),
        "parameters": list(_parameters(call)),
        "security": _security(call),
    }
    if call.body is not None:
        schema = ref(call.body) if isinstance(call.body, str) else call.body
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    found["responses"] = {
        **{str(status): _answer(call, status, name) for status, name in sorted(call.answers.items())},
        **{str(status): {"$ref": f"#/components/responses/Problem{status}"} for status in sorted(problems_of(call))},
    }
    return found


def _described(call: Endpoint) -> str:
    """What is said of a call, and as how many calls it counts in the limits, if as more than one."""
    costs = [f"Counts as {call.cost} calls."] if call.cost > 1 else []
    costs += [f"With `{name}` it counts as {cost} calls." for name, cost in call.cost_with]
    return " ".join(filter(None, (call.description, *costs)))


def _parameters(call: Endpoint) -> Iterable[Any]:
    for name in _PARAMETER.findall(call.rule):
        yield _parameter("path", name, PATH_PARAMETERS[name], required=True)
    if call.query is not None:
        yield {"in": "query", "schema": call.query}
    yield from (*call.headers, "X-Request-Id")


def _parameter(place: str, name: str, shape: Shape, required: bool = False) -> Shape:
    schema = {key: value for key, value in shape.items() if key != "description"}
    return {"in": place, "name": name, "required": required, "description": shape["description"], "schema": schema}


def _security(call: Endpoint) -> list[dict[str, list[str]]]:
    """With a key, with or without one, or without looking at it."""
    if call.scope is not None:
        return [{BEARER: [] if call.scope == ANY_SCOPE else [call.scope]}]
    return [{}, {BEARER: []}] if 401 in call.problems else []


def problems_of(call: Endpoint) -> set[int]:
    """The statuses of the problems that a call can answer with."""
    found = {*call.problems, 422, 500, *((429,) if call.limited else ())}
    if call.body is not None:
        found |= {400, 408, 413, 415}
    if call.scope is not None:
        found |= {401, 403} if call.scope != ANY_SCOPE else {401}
    if "<" in call.rule:
        found.add(404)
    if call.tag not in STATELESS:
        found.add(503)
    return found


def _answer(call: Endpoint, status: int, name: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "description": _MEANINGS.get(status, "Done."),
        "headers": headers_of(("X-Request-Id", *(each for each in _given_by(call) if _goes_with(each, status)))),
    }
    if name:
        answer["content"] = {media: {"schema": _body(media, name)} for media in call.media}
    return answer


_MEANINGS = {
    200: "The answer.",
    202: "The answer is not ready: ask again, as `Retry-After` says.",
    204: "Done; there is nothing to say.",
    304: "Nothing has changed.",
}
_GOES_WITH = {"Location": (201,), "Retry-After": (202,)}
"""The statuses of a header that goes with other answers than those that show something."""


def _given_by(call: Endpoint) -> tuple[str, ...]:
    return *call.gives, *(("Cache-Control",) if call.lasting else ()), *(RATE if call.limited else ())


def _goes_with(header: str, status: int) -> bool:
    return header in RATE or status in _GOES_WITH.get(header, (200, 304))


def _body(media: str, name: str) -> Shape:
    """JSON is a component; of a stream each line or message is one."""
    if media == JSON:
        return ref(name)
    if media in _PARTS:
        item = "Commit" if name == "Events" else name
        return {"type": "string", "description": f"{_PARTS[media]} `{item}`.", "x-item": ref(item)}
    return {"type": "string"}


_PARTS = {
    "application/jsonl": "One JSON object per line, each a",
    "text/event-stream": "Server-sent events; the `data` of each message is JSON, a",
}


def headers_of(names: Iterable[str]) -> dict[str, Shape]:
    """The headers of an answer."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def parameter_components() -> dict[str, Shape]:
    """Every header of a request, by name."""
    return {name: _parameter("header", name, shape) for name, shape in REQUEST_HEADERS.items()}


def header_components() -> dict[str, Shape]:
    """Every header of an answer, by name."""
    return {
        name: {
            "description": shape["description"],
            "required": required,
            "schema": {key: value for key, value in shape.items() if key != "description"},
        }
        for name, (shape, required) in ANSWER_HEADERS.items()
    }


def problem_responses() -> dict[str, Shape]:
    """One answer for each status of problems."""
    return {
        f"Problem{status}": {
            "description": description,
            "headers": headers_of(("X-Request-Id", *PROBLEM_HEADERS.get(status, ()))),
            "content": {PROBLEM: {"schema": ref("Problem"), "example": problem_examples()[status]}},
        }
        for status, description in STATUSES.items()
    }
