"""Operations of the document: parameters, bodies, answers by status and media type, headers, security."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from referee.rulesets import LATEST
from schemas.endpoint import ANY_SCOPE, Endpoint
from schemas.examples import problem_examples
from schemas.shapes import Shape, count, ref, string

JSON = "application/json"
JSON_LINES = "application/jsonl"
SSE = "text/event-stream"
PROBLEM = "application/problem+json"
BEARER = "bearer"
STATELESS = ("rulesets", "operation", "docs")
"""The tags of calls that do not need the log. A call with such a tag that needs it lists 503 among its problems."""


PATH_PARAMETERS: Mapping[str, Shape] = {
    "game_id": string("The id of the game.", examples=["g_0123456789abcdef01234567"]),
    "slug": string("The slug of the ruleset.", examples=list(LATEST)),
    "clause": string(
        "The id of the clause or ruling.", examples=list(next(iter(LATEST.values())).rulebook.clauses)[:1]
    ),
    "edition_hash": string(
        "The hash of the edition.", examples=[ruleset.edition_hash for ruleset in list(LATEST.values())[:1]]
    ),
    "seat": count("The number of the seat."),
    "version": count("The version of a commit."),
    "key_id": string("The id of the key; not the key itself.", examples=["k_0123456789abcdef01234567fedcba9876543210"]),
    "player_id": string("The id of the player.", examples=["p_0123456789abcdef01234567"]),
    "code": string("The code of the problem.", examples=["move-refused"]),
}

REQUEST_HEADERS: Mapping[str, Shape] = {
    "If-Match": string(
        "The ETag that you know. If the position has changed since, the answer is 412.", examples=['"42.s0"', "*"]
    ),
    "If-None-Match": string(
        "The ETag that you know. If nothing has changed since, the answer is 304.", examples=['"42.s0"']
    ),
    "Idempotency-Key": string(
        "Repeating a call with the same key and the same body gives the first answer again.",
        pattern="^[\\x21-\\x7e]{1,255}$",
        examples=["7b1c9d52"],
    ),
    "Prefer": string(
        "`receipt`: the answer has a signed receipt, if the service signs any (RFC 7240).", examples=["receipt"]
    ),
    "Accept-Language": string("The languages in which you want sentences, the best first.", examples=["en"]),
    "Last-Event-ID": string("The id of the last message that you got. The stream continues after it.", examples=["42"]),
}

ALWAYS = ("X-Request-Id", "X-Server-Time")
"""The headers of every answer."""

ANSWER_HEADERS: Mapping[str, tuple[Shape, bool]] = {
    "X-Request-Id": (
        string("The id under which the service logs the request.", pattern="^[A-Za-z0-9_.-]{1,64}$"),
        True,
    ),
    "X-Server-Time": (string("The time of the answer: milliseconds since 1970, UTC.", pattern="^[0-9]{13,}$"), True),
    "ETag": (string("Changes whenever the answer changes, and only then.", pattern='^"[^"]+"$'), True),
    "Cache-Control": (string("How long the answer may be cached; past versions never change."), True),
    "Location": (string("The address of the game.", pattern="^/v1/games/g_[0-9a-f]{24}$"), True),
    "Link": (string("The next page, if there is one (RFC 8288).", pattern='^<[^>]+>; rel="next"$'), False),
    "Preference-Applied": (string("`receipt`: the answer has a receipt.", pattern="^receipt$"), False),
    "WWW-Authenticate": (string("How to authenticate."), True),
    "Retry-After": (count("Seconds to wait before the next call."), True),
    "RateLimit": (
        string(
            "The calls that are left: `r` calls for the next `t` seconds (draft-ietf-httpapi-ratelimit-headers-10)."
        ),
        False,
    ),
    "RateLimit-Policy": (string("The limit: `q` calls in `w` seconds, by key or by address."), False),
    "Content-Language": (string("The language of the sentences; only if there are any."), False),
    "Content-Disposition": (string("A file name for the record."), True),
    "Content-Security-Policy": (string("The page may load nothing from other hosts."), True),
}
"""Each header of answers, and whether the answers that list it always have it."""

RATE = ("RateLimit", "RateLimit-Policy")

STATUSES: Mapping[int, str] = {
    400: "The request cannot be read: the JSON is broken, the body is missing, or a header is invalid.",
    401: "The call needs a key, or the key is malformed, unknown, revoked or expired.",
    403: "The key lacks a scope, the seat is not yours, or the information is still hidden.",
    404: "It does not exist, or you may not know that it exists.",
    406: "The service has none of the media types that you accept.",
    408: "The body did not arrive in time.",
    409: "The state of the game does not allow this, or the position has changed since the version in the request.",
    412: "The position has changed since the version in `If-Match`.",
    413: "The body is too large.",
    415: "The body has the wrong content type.",
    422: "The request is not acceptable. For a refused move or option the problem names the clause.",
    429: "Too many calls, wrong join codes, or open streams. Wait for the number of seconds in `Retry-After`.",
    500: "The service failed.",
    503: "The log cannot be reached, or the service is overloaded. Try again.",
}

PROBLEM_HEADERS: Mapping[int, tuple[str, ...]] = {
    **dict.fromkeys((400, 409, 412, 422), ("Preference-Applied",)),
    401: ("WWW-Authenticate",),
    429: ("Retry-After", *RATE),
    503: ("Retry-After",),
}

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def path_of(call: Endpoint) -> str:
    """The path of a call as OpenAPI writes it."""
    return _PARAMETER.sub(r"{\1}", call.rule)


def operation(call: Endpoint) -> dict[str, Any]:
    """The operation of a call."""
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
    """The description of a call, with its cost against the rate limits if it is more than one."""
    costs = [f"Counts as {call.cost} calls against the rate limits."] if call.cost > 1 else []
    costs += [f"With `{name}` it counts as {cost} calls against the rate limits." for name, cost in call.cost_with]
    return " ".join(filter(None, (call.description, *costs)))


def _parameters(call: Endpoint) -> Iterable[Any]:
    for name in _PARAMETER.findall(call.rule):
        yield _parameter("path", name, PATH_PARAMETERS[name], required=True)
    if call.query is not None:
        yield {"in": "query", "schema": call.query}
    yield from call.headers


def _parameter(place: str, name: str, shape: Shape, required: bool = False) -> Shape:
    schema = {key: value for key, value in shape.items() if key != "description"}
    return {"in": place, "name": name, "required": required, "description": shape["description"], "schema": schema}


def _security(call: Endpoint) -> list[dict[str, list[str]]]:
    """A key with a scope, any key, an optional key, or none."""
    if call.scope is not None:
        return [{BEARER: [] if call.scope == ANY_SCOPE else [call.scope]}]
    return [{}, {BEARER: []}] if 401 in call.problems else []


def problems_of(call: Endpoint) -> set[int]:
    """The statuses of all problems of a call."""
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
        "headers": headers_of(
            ("X-Request-Id", "X-Server-Time", *(each for each in _given_by(call) if _goes_with(each, status)))
        ),
    }
    if name:
        answer["content"] = {media: {"schema": _body(media, name)} for media in call.media}
    return answer


_MEANINGS = {
    200: "Success.",
    202: "The answer is not ready. Call again after the number of seconds in `Retry-After`.",
    204: "Success; the answer has no body.",
    304: "Nothing has changed since the ETag that you know.",
}
_GOES_WITH = {"Location": (201,), "Preference-Applied": (200, 201), "Retry-After": (202,)}
"""The statuses of headers that do not belong to 200 and 304."""


def _given_by(call: Endpoint) -> tuple[str, ...]:
    return *call.gives, *(("Cache-Control",) if call.lasting else ()), *(RATE if call.limited else ())


def _goes_with(header: str, status: int) -> bool:
    return header in RATE or status in _GOES_WITH.get(header, (200, 304))


def _body(media: str, name: str) -> Shape:
    """The schema of a body. OpenAPI 3.1 has no word for the items of a stream, so it is that of one item."""
    if media == SSE:
        return ref(f"{STREAMS.get(name, name)}Message")
    return ref(ITEMS.get(name, name) if media == JSON_LINES else name) if media in (JSON, JSON_LINES) else string()


ITEMS: Mapping[str, str] = {"Events": "Commit"}
"""The component of one item of an answer that can be streamed, too."""

STREAMS: Mapping[str, str] = {"Events": "Game"}
"""The stream of server-sent events that an answer can be."""


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
    """The response component of each status of problems."""
    return {
        f"Problem{status}": {
            "description": description,
            "headers": headers_of((*ALWAYS, *PROBLEM_HEADERS.get(status, ()))),
            "content": {PROBLEM: {"schema": ref("Problem"), "example": problem_examples()[status]}},
        }
        for status, description in STATUSES.items()
    }
