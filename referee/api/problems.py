"""Errors as application/problem+json (RFC 9457), each with a stable code."""

import logging
from typing import Any

import msgspec
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException

from referee.kernel.rejection import InvalidChance, Malformed, Rejection
from referee.kernel.ruleset import Ruleset
from referee.service.games import InvalidOptions
from referee.service.moves import Refused
from referee.service.problems import Problem
from referee.service.store import Unavailable

TITLES = {
    "bad-json": "The body is not JSON.",
    "body-missing": "The call needs a body.",
    "body-too-large": "The body is too large.",
    "content-type": "The body has another content type.",
    "edition-changed": "The game's edition is not at hand.",
    "game-annulled": "The game was annulled.",
    "game-finished": "The game is finished.",
    "game-paused": "The game is paused.",
    "game-running": "The game is running.",
    "game-started": "The game has started.",
    "game-waiting": "The game has not started.",
    "idempotency-key-reused": "The key stands for another request.",
    "internal": "The referee made a mistake.",
    "invalid-chance": "The forced outcome is impossible.",
    "invalid-header": "A header cannot be read.",
    "invalid-options": "The options cannot be read.",
    "invalid-position": "The position breaks an invariant.",
    "invalid-request": "The request cannot be accepted.",
    "join-code-wrong": "The join code is wrong.",
    "key-expired": "The key has expired.",
    "key-malformed": "The key cannot be read.",
    "key-required": "The call needs a key.",
    "key-unknown": "The key is unknown.",
    "method-not-allowed": "The resource has no such method.",
    "move-refused": "The rules refuse the move.",
    "not-acceptable": "None of the accepted media types is served.",
    "not-found": "There is no such resource.",
    "not-your-seat": "The seat is not yours.",
    "options-refused": "The rules refuse the options.",
    "registration-closed": "Players are made by admins here.",
    "resigned-already": "The seat has conceded.",
    "scope-missing": "The key is not good for this.",
    "seat-taken": "The seat is taken.",
    "stale-version": "The game has gone on.",
    "still-hidden": "The game is not over.",
    "too-busy": "Too much at once.",
    "unavailable": "The referee cannot reach its log.",
    "unknown-clause": "There is no such clause.",
    "unknown-game": "There is no such game.",
    "unknown-key": "There is no such key.",
    "unknown-player": "There is no such player.",
    "unknown-ruleset": "There is no such ruleset.",
    "unknown-version": "There is no such version.",
}
"""Every code that a problem can have."""


def problem_response(status: int, code: str, detail: str, **members: Any) -> Response:
    """A problem as an answer."""
    body = {
        "type": f"/problems/{code}",
        "title": TITLES[code],
        "status": status,
        "code": code,
        "detail": detail,
        "request_id": g.get("request_id"),
        **members,
    }
    response = Response(msgspec.json.encode(body), status, content_type="application/problem+json")
    if status in (429, 503):
        response.headers["Retry-After"] = str(members.get("retry_after", 1))
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="referee"'
    return response


def cited(rules: Ruleset, rejection: Rejection) -> dict[str, Any]:
    """The clause that refuses, its text and where to read it."""
    return {
        "clause": rejection.clause,
        "text": rules.rulebook.text(rejection.clause),
        "clause_url": f"/v1/rulesets/{rules.slug}/clauses/{rejection.clause}",
    }


def _refused(error: Refused) -> Response:
    rejection = error.rejection
    return problem_response(422, "move-refused", rejection.message, **cited(error.game.rules, rejection))


def _options_refused(error: InvalidOptions) -> Response:
    rejection = error.rejection
    return problem_response(422, "options-refused", rejection.message, **cited(error.rules, rejection))


def _http(error: HTTPException) -> Response:
    codes = {404: "not-found", 405: "method-not-allowed", 406: "not-acceptable", 413: "body-too-large"}
    status = error.code or 500
    response = problem_response(
        status, codes.get(status, "invalid-request"), error.description or TITLES["invalid-request"]
    )
    if status == 405:
        allowed = getattr(error, "valid_methods", None) or ()
        response.headers["Allow"] = ", ".join(allowed)
    return response


def _internal(error: Exception) -> Response:
    logging.getLogger("referee.api").exception("request %s failed", g.get("request_id"))
    return problem_response(500, "internal", "This should not have happened; the log knows more.")


def install(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(Problem, lambda e: problem_response(e.status, e.code, e.detail, **e.members))
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(InvalidOptions, _options_refused)
    app.register_error_handler(Malformed, lambda e: problem_response(422, "invalid-position", e.invariant))
    app.register_error_handler(
        InvalidChance, lambda e: problem_response(422, "invalid-chance", f"{e.point}: {e.message}.", point=e.point)
    )
    app.register_error_handler(
        Unavailable, lambda e: problem_response(503, "unavailable", "The log cannot be reached; try again.")
    )
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _internal)
