"""Declares endpoints for Flask and the OpenAPI document, and reads their queries and bodies."""

from collections.abc import Callable, Container, Iterable
from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Blueprint, Response, request
from marshmallow import Schema, ValidationError

from referee.api.context import context
from referee.api.cors import LASTING
from referee.api.lasting import VARY, lasting
from referee.kernel.canon import steady
from referee.kernel.ruleset import Ruleset
from referee.service.problems import Problem
from referee.service.sentences import languages
from referee.table.words import ENGLISH
from schemas.endpoint import Endpoint

JSON = "application/json"
BODY_DEPTH_MAX = 64
NAMES_SHOWN_MAX = 10
NAME_SHOWN_MAX = 60

View = Callable[..., Response]

ENDPOINTS: list[Endpoint] = []
"""All endpoints, in the order of the documentation."""


def endpoint(blueprint: Blueprint, method: str, rule: str, **details: Any) -> Callable[[View], View]:
    """Declare an endpoint; its docstring is its description, and the details are fields of `Endpoint`."""

    if details.get("lasting"):
        details["answers"] = {**details["answers"], 304: ""}
        details["headers"] = ("If-None-Match", *details.get("headers", ()))
        details["gives"] = ("ETag", *details.get("gives", ()))

    def declare(view: View) -> View:
        summary, _, description = (view.__doc__ or "").partition("\n")
        call = Endpoint(
            method=method,
            rule=(blueprint.url_prefix or "") + rule,
            name=view.__name__,
            tag=blueprint.name,
            summary=summary.strip(),
            description=" ".join(description.split()),
            **details,
        )
        ENDPOINTS.append(call)
        blueprint.add_url_rule(rule, endpoint=call.name, view_func=_handler(view, call), methods=[method])
        return view

    return declare


def _handler(view: View, call: Endpoint) -> View:
    """Return a view that gets its query and body by their schemas; a body without a schema it reads itself."""
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
            return lasting(response)
        return response

    return handle


def arguments(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the arguments of a query; raises Problem if one is repeated."""
    found: dict[str, str] = {}
    for name, value in pairs:
        if name in found:
            raise _fields_problem({name: ["The parameter is given more than once."]}, "query")
        found[name] = value
    return found


def load(schema: Schema, data: Any, where: str) -> Any:
    """Read data with a schema; raises Problem, which names the invalid fields."""
    if not isinstance(data, dict):
        raise Problem("invalid-request", "The body must be a JSON object.", errors={"_schema": ["Expected an object."]})
    try:
        return schema.load(data)
    except ValidationError as error:
        raise _fields_problem(error.messages_dict, where) from None


def _fields_problem(errors: dict[str, Any], where: str) -> Problem:
    names = ", ".join(f"`{name[:NAME_SHOWN_MAX]}`" for name in list(errors)[:NAMES_SHOWN_MAX])
    return Problem("invalid-request", f"The {where} has invalid fields: {names}.", errors=errors)


def read_body(environ: dict[str, Any], longest: int) -> bytes:
    """Return the bytes of a JSON body; raises Problem if it is missing, too large or of another type."""
    length: str = environ.get("CONTENT_LENGTH") or ""
    if not length.isascii() or (not length.isdigit() and length):
        raise Problem("invalid-header", "Content-Length must be a number.")
    if length and int(length) > longest:
        raise Problem("body-too-large", f"A body may have at most {longest} bytes.")
    if environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != JSON:
        raise Problem("content-type", f"Expected the header `Content-Type: {JSON}`.")
    if environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise Problem("content-type", "Compressed bodies are not supported.")
    if not length and not environ.get("wsgi.input_terminated"):
        raise Problem("body-missing", "This call needs a JSON body.")
    data: bytes = environ["wsgi.input"].read(int(length) if length else longest + 1)
    if len(data) > longest:
        raise Problem("body-too-large", f"A body may have at most {longest} bytes.")
    if not data.strip():
        raise Problem("body-missing", "This call needs a JSON body.")
    return data


def read_json() -> Any:
    """Return the decoded JSON body; raises Problem if it is malformed, too deep or not UTF-8."""
    return decode_json(read_body(request.environ, context().body_bytes_max))


def decode_json(data: bytes) -> Any:
    """Decode JSON bytes; raises Problem."""
    try:
        value = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise bad_json(error) from None
    if _depth(value) > BODY_DEPTH_MAX:
        raise Problem("bad-json", f"The JSON is nested more than {BODY_DEPTH_MAX} levels deep.")
    return value


NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The exceptions of a JSON decoder."""


def bad_json(error: Exception) -> Problem:
    """Return the problem for an exception of a JSON decoder."""
    if isinstance(error, UnicodeDecodeError):
        return Problem("bad-json", "The body is not UTF-8.")
    if isinstance(error, RecursionError):
        return Problem("bad-json", "The JSON is nested too deeply.")
    return Problem("bad-json", f"{error}.")


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
    """Return a JSON answer from a value, or from bytes that are JSON already."""
    data = value if isinstance(value, bytes) else steady(value)
    response = Response(data, status, content_type=JSON)
    for name, content in headers.items():
        response.headers[name.replace("_", "-")] = content
    return response


def accepted_language(rules: Ruleset) -> str:
    """Return the language of a ruleset's sentences that the client accepts best; English if it accepts none."""
    return accepted_of(languages(rules))


def accepted_of(offered: Container[str]) -> str:
    """Return the offered language that the client accepts best, whatever its region; English if it accepts none."""
    accepted = [tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0]
    return next((language for language in accepted if language in offered), ENGLISH)


def in_language(response: Response, language: str | None) -> Response:
    """Return an answer with the headers of its language; None: it has no sentences."""
    if language is not None:
        response.headers["Content-Language"] = language
        response.headers["Vary"] = VARY
    return response


def next_page(path: str, arguments: dict[str, Any]) -> str:
    """Return the Link header that points to the next page."""
    return f'<{path}?{urlencode(arguments)}>; rel="next"'
