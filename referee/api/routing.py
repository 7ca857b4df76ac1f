"""Endpoints: a view with what the documentation says of it, and the reading of its query and body."""

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request
from marshmallow import Schema, ValidationError

from referee.api.browsers import LASTING
from referee.api.context import context
from referee.kernel.canon import steady
from referee.service.problems import Problem
from schemas.endpoint import Endpoint

JSON = "application/json"
BODY_DEPTH_MAX = 64
NAMES_SHOWN_MAX = 10
NAME_SHOWN_MAX = 60

View = Callable[..., Response]

ENDPOINTS: list[Endpoint] = []
"""Every call, in the order of the documentation."""


def endpoint(blueprint: Blueprint, method: str, rule: str, **said: Any) -> Callable[[View], View]:
    """Declare a call: its docstring is its text, and what else is said of it is in `Endpoint`."""

    def declare(view: View) -> View:
        summary, _, description = (view.__doc__ or "").partition("\n")
        call = Endpoint(
            method=method,
            rule=(blueprint.url_prefix or "") + rule,
            name=view.__name__,
            tag=blueprint.name,
            summary=summary.strip(),
            description=" ".join(description.split()),
            **said,
        )
        ENDPOINTS.append(call)
        blueprint.add_url_rule(rule, endpoint=call.name, view_func=_handler(view, call), methods=[method])
        return view

    return declare


def _handler(view: View, call: Endpoint) -> View:
    """The view with its query and body read for it; a body that is only named it reads itself."""
    query_schema = None if call.query is None else call.query()
    body_schema = call.body() if isinstance(call.body, type) else None

    def handle(**path: Any) -> Response:
        if query_schema is not None:
            path["query"] = load(query_schema, arguments(request.args.items(multi=True)), "query")
        elif request.args:
            raise _fields_problem({name: ["Unknown field."] for name in request.args}, "query")
        if body_schema is not None:
            path["body"] = load(body_schema, read_json(), "body")
        response = view(**path)
        if call.lasting:
            response.headers["Cache-Control"] = LASTING
        return response

    return handle


def arguments(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The arguments of a query; raises a problem for one that is given twice."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise _fields_problem({name: ["Given more than once."]}, "query")
        found[name] = value
    return found


def load(schema: Schema, data: Any, where: str) -> Any:
    """What a schema reads; raises a problem that names the fields."""
    if not isinstance(data, dict):
        raise Problem(422, "invalid-request", "The body is a JSON object.", errors={"_schema": ["Expected an object."]})
    try:
        return schema.load(data)
    except ValidationError as error:
        raise _fields_problem(error.messages_dict, where) from None


def _fields_problem(errors: dict[str, Any], where: str) -> Problem:
    names = ", ".join(f"`{name[:NAME_SHOWN_MAX]}`" for name in list(errors)[:NAMES_SHOWN_MAX])
    return Problem(422, "invalid-request", f"The {where} cannot be accepted: {names}.", errors=errors)


def read_body(environ: dict[str, Any], longest: int) -> bytes:
    """The bytes of a JSON body; raises a problem for a wrong type, a missing or a too large one."""
    length: str = environ.get("CONTENT_LENGTH") or ""
    if not length.isascii() or (not length.isdigit() and length):
        raise Problem(400, "invalid-header", "Content-Length is a number.")
    if length and int(length) > longest:
        raise Problem(413, "body-too-large", f"A body has at most {longest} bytes.")
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != JSON:
        raise Problem(415, "content-type", f"Expected Content-Type: {JSON}.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise Problem(415, "content-type", "A body is not compressed.")
    if not length and not environ.get("wsgi.input_terminated"):
        raise Problem(400, "body-missing", "The call needs a JSON body.")
    data: bytes = environ["wsgi.input"].read(int(length) if length else longest + 1)
    if len(data) > longest:
        raise Problem(413, "body-too-large", f"A body has at most {longest} bytes.")
    if not data.strip():
        raise Problem(400, "body-missing", "The call needs a JSON body.")
    return data


def read_json() -> Any:
    """The JSON of the body; raises a problem for broken, too deep or not UTF-8 JSON."""
    return decode_json(read_body(request.environ, context().body_bytes_max))


def decode_json(data: bytes) -> Any:
    """What JSON bytes say; raises a problem."""
    try:
        value = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise bad_json(error) from None
    if _depth(value) > BODY_DEPTH_MAX:
        raise Problem(400, "bad-json", f"The JSON is nested deeper than {BODY_DEPTH_MAX}.")
    return value


NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What a decoder raises."""


def bad_json(error: Exception) -> Problem:
    """What a decoder's fault means to the caller."""
    if isinstance(error, UnicodeDecodeError):
        return Problem(400, "bad-json", "The body is not UTF-8.")
    if isinstance(error, RecursionError):
        return Problem(400, "bad-json", "The JSON is nested too deeply.")
    return Problem(400, "bad-json", f"{error}.")


def _depth(value: Any) -> int:
    deepest, level = 0, [value]
    while level and deepest <= BODY_DEPTH_MAX:
        deepest += 1
        level = [
            child
            for each in level
            if isinstance(each, (dict, list))
            for child in (each.values() if isinstance(each, dict) else each)
        ]
    return deepest


def answer(value: Any, status: int = 200, **headers: str) -> Response:
    """A JSON answer, of a value or of bytes that are JSON already."""
    data = value if isinstance(value, bytes) else steady(value)
    response = Response(data, status, content_type=JSON)
    for name, content in headers.items():
        response.headers[name.replace("_", "-")] = content
    return response


def next_page(path: str, arguments: dict[str, Any]) -> str:
    """The Link header that points to the next page."""
    return f'<{path}?{urlencode(arguments)}>; rel="next"'
