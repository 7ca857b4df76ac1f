"""Errors as application/problem+json (RFC 9457), each with a stable code."""

import logging
from typing import Any

import msgspec
from flask import Flask, Response, g
from msgspec import UNSET
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from referee.kernel.rejection import InvalidChance, Malformed, Rejection
from referee.kernel.ruleset import Ruleset
from referee.service.catalogue import InvalidOptions
from referee.service.commits import Refused
from referee.service.problems import Problem, Unavailable, unavailable
from referee.table.commits import EditionChanged
from referee.table.rules import TableRefusal
from referee.table.times import timestamp
from schemas import answers
from schemas.problems import PROBLEMS


def status_of(problem: Problem) -> int:
    """Return the HTTP status of a problem."""
    return PROBLEMS[problem.code].status


def cited(rules: Ruleset, rejection: Rejection) -> dict[str, Any]:
    """Return the clause of a rejection, its text and its URL."""
    return {
        "clause": rejection.clause,
        "text": rules.rulebook.text(rejection.clause),
        "clause_url": f"/v1/rulesets/{rules.slug}/clauses/{rejection.clause}",
    }


def problem_of(error: Exception) -> Problem:
    """Return the problem that answers an error."""
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
            return Problem("invalid-position", error.invariant)
        case InvalidChance():
            return Problem("invalid-chance", f"{error.point}: {error.message}.", point=error.point)
        case Unavailable():
            return unavailable(error)
        case TableRefusal():
            return Problem(error.code, error.detail)
        case EditionChanged():
            return Problem("edition-changed", "This game began with an edition that this referee no longer has.")
        case HTTPException():
            codes = {404: "not-found", 405: "method-not-allowed", 406: "not-acceptable", 413: "body-too-large"}
            code = codes.get(error.code or 500, "malformed-request")
            return Problem(code, PROBLEMS[code].title)
    logging.getLogger("referee.api").error("request failed", exc_info=error)
    return Problem("internal", "This should not have happened. The operator's log has the details.")


def _refusal(code: str, rules: Ruleset, rejection: Rejection, **members: Any) -> Problem:
    return Problem(code, rejection.message, **cited(rules, rejection), **members)


def problem_answer(problem: Problem, request_id: str, receipt: str | None = None) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a problem, with the receipt for a refused move if there is one."""
    status, title = PROBLEMS[problem.code]
    body = answers.Problem(
        type=f"/problems/{problem.code}",
        title=title,
        status=status,
        code=problem.code,
        detail=problem.detail,
        request_id=request_id,
        receipt=receipt or UNSET,
        **problem.members,
    )
    headers = {"Content-Type": "application/problem+json"}
    if receipt:
        headers["Preference-Applied"] = "receipt"
    if status in (429, 503):
        headers["Retry-After"] = str(problem.members.get("retry_after", 1))
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="referee"'
    return msgspec.json.encode(body), headers


def _respond(error: Exception) -> Response:
    problem = problem_of(error)
    body, headers = problem_answer(problem, g.get("request_id", "unknown"))
    if isinstance(error, MethodNotAllowed):
        headers["Allow"] = ", ".join(sorted(error.valid_methods or ()))
    return Response(body, status_of(problem), headers)


def install(app: Flask) -> None:
    """Answer every error with a problem."""
    app.register_error_handler(Exception, _respond)
