"""Errors as application/problem+json (RFC 9457), each with a stable code."""

import logging
from typing import Any

import msgspec
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from referee.kernel.moment import timestamp
from referee.kernel.rejection import InvalidChance, Malformed, Rejection
from referee.kernel.ruleset import Ruleset
from referee.service.games import InvalidOptions
from referee.service.moves import Refused
from referee.service.problems import Problem
from referee.service.store import Unavailable, reason

TITLES = {
    "bad-json": "The body is not JSON.",
    "body-missing": "The call needs a body.",
    "body-broken": "The body breaks off.",
    "body-too-large": "The body is too large.",
    "body-too-slow": "The body did not arrive in time.",
    "bots-forbidden": "The table takes no bots.",
    "bots-required": "The table takes only bots.",
    "content-type": "The body has another content type.",
    "bot-plays": "A bot stands in for the seat.",
    "edition-changed": "The game's edition is not at hand.",
    "first-key-required": "The call needs a first key.",
    "game-annulled": "The game was annulled.",
    "game-finished": "The game is finished.",
    "game-not-set-up": "The game is not set up yet.",
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
    "malformed-request": "The request is not HTTP.",
    "method-not-allowed": "The resource has no such method.",
    "move-refused": "The rules refuse the move.",
    "no-stand-in": "No bot stands in for the seat.",
    "not-acceptable": "None of the accepted media types is served.",
    "not-found": "There is no such resource.",
    "not-your-key": "The key was not made with yours.",
    "not-your-game": "The game is not yours.",
    "not-your-seat": "The seat is not yours.",
    "nothing-changes": "That is so already.",
    "options-refused": "The rules refuse the options.",
    "paused-by-admin": "An admin paused the game.",
    "quota-reached": "You have as much of this as one player may have.",
    "rate-limited": "Too many calls.",
    "registration-closed": "Players are made by admins here.",
    "resigned-already": "The seat has conceded.",
    "scope-missing": "The key is not good for this.",
    "seat-taken": "The seat is taken.",
    "too-many-invitations": "Too many invitations are unanswered.",
    "stale-version": "The game has gone on.",
    "still-hidden": "The game is not over.",
    "time-is-up": "The time of the decision has passed.",
    "too-busy": "Too much at once.",
    "too-many-codes": "Too many wrong join codes.",
    "too-many-streams": "Too many streams at once.",
    "unavailable": "The referee cannot reach its log.",
    "undo-refused": "The move cannot be taken back.",
    "unknown-clause": "There is no such clause.",
    "unknown-game": "There is no such game.",
    "unknown-key": "There is no such key.",
    "unknown-player": "There is no such player.",
    "unknown-ruleset": "There is no such ruleset.",
    "unknown-version": "There is no such version.",
    "vote-settled": "The seat has changed its vote too often.",
}
"""Every code that a problem can have."""


def cited(rules: Ruleset, rejection: Rejection) -> dict[str, Any]:
    """The clause that refuses, its text and where to read it."""
    return {
        "clause": rejection.clause,
        "text": rules.rulebook.text(rejection.clause),
        "clause_url": f"/v1/rulesets/{rules.slug}/clauses/{rejection.clause}",
    }


def problem_of(error: Exception) -> Problem:
    """What an error means to the caller."""
    match error:
        case Problem():
            return error
        case Refused():
            state = error.state
            at = {"version": state.version, "version_at": timestamp(state.at)}
            return _refusal("move-refused", error.game.rules, error.rejection, **at)
        case InvalidOptions():
            return _refusal("options-refused", error.rules, error.rejection)
        case Malformed():
            return Problem(422, "invalid-position", error.invariant)
        case InvalidChance():
            return Problem(422, "invalid-chance", f"{error.point}: {error.message}.", point=error.point)
        case Unavailable():
            return Problem(503, "unavailable", f"{reason(error)}; try again.", retry_after=1)
        case HTTPException():
            codes = {404: "not-found", 405: "method-not-allowed", 406: "not-acceptable", 413: "body-too-large"}
            status = error.code or 500
            code = codes.get(status, "invalid-request")
            return Problem(status, code, TITLES[code])
    logging.getLogger("referee.api").error("a request failed", exc_info=error)
    return Problem(500, "internal", "This should not have happened; the log knows more.")


def _refusal(code: str, rules: Ruleset, rejection: Rejection, **members: Any) -> Problem:
    return Problem(422, code, rejection.message, **cited(rules, rejection), **members)


def problem_answer(problem: Problem, request_id: str | None) -> tuple[bytes, dict[str, str]]:
    """The body and the headers of a problem."""
    body = {
        "type": f"/problems/{problem.code}",
        "title": TITLES[problem.code],
        "status": problem.status,
        "code": problem.code,
        "detail": problem.detail,
        "request_id": request_id,
        **problem.members,
    }
    headers = {"Content-Type": "application/problem+json"}
    if problem.status in (429, 503):
        headers["Retry-After"] = str(problem.members.get("retry_after", 1))
    if problem.status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="referee"'
    return msgspec.json.encode(body), headers


def _respond(error: Exception) -> Response:
    problem = problem_of(error)
    body, headers = problem_answer(problem, g.get("request_id"))
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return Response(body, problem.status, headers)


def install(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(Exception, _respond)
