"""Moves: the busiest call, kept lean. The move is decoded once, judged, appended in one round trip, answered.

What happens is written once, over the bare request; Flask's view and the short cut around Flask both call it.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from flask import Blueprint, Response, g, request

from referee.api.conditions import CONDITIONS, expected_version, idempotency_key
from referee.api.context import Context, caller_of, context
from referee.api.operation import Noted, begin, request_headers
from referee.api.problems import problem_answer, problem_of
from referee.api.routing import JSON, NOT_JSON, arguments, bad_json, endpoint, load, read_body
from referee.service import moves
from referee.service.access import own_seat, visible_game
from referee.service.players import Caller
from referee.service.problems import Problem
from referee.service.views import answer as move_answer
from schemas.games import MoveQuery

blueprint = Blueprint("moves", __name__, url_prefix="/v1")

_PATH = re.compile(r"/v1/games/([^/]+)/moves\Z")
_QUERY = MoveQuery()
_NO_QUERY = _QUERY.load({})
DRY_RUN_COST = 2
_STATUS_LINES = {200: "200 OK", 201: "201 CREATED"}


@endpoint(
    blueprint,
    "POST",
    "/games/<game_id>/moves",
    query=MoveQuery,
    body="AnyMove",
    answers={201: "MoveAnswer", 200: "DryRun"},
    problems=(409, 412),
    scope="play",
    headers=CONDITIONS,
    cost_with=(("dry_run", DRY_RUN_COST),),
)
def submit_move(game_id: str, query: dict[str, Any]) -> Response:
    """Make a move: it is judged and, if the rules accept it, appended to the log.

    A refused move is answered with the clause that refuses it. With `dry_run` it is only judged.
    """
    parts = context()
    g.caller = caller_of(parts, request.environ)
    status, body = submit(parts, g.noted, g.caller, game_id, query, request.environ)
    return Response(body, status, content_type=JSON)


def submit(
    parts: Context, noted: Noted, caller: Caller, game_id: str, query: dict[str, Any], environ: dict[str, Any]
) -> tuple[int, bytes]:
    """Judge a posted move and append it: the status and the body of the answer."""
    caller.require("play")
    game = visible_game(parts.desk, caller, game_id)
    seat = own_seat(game, caller, query.get("seat"))
    body = read_body(environ, parts.body_bytes_max)
    expected, key = expected_version(environ, query), idempotency_key(environ)
    if query["dry_run"]:
        noted.counted(parts.gate.count(environ, caller, DRY_RUN_COST))
    elif (standing := parts.gate.exceeded(caller)) and not moves.is_owed(parts.desk, game, seat):
        noted.counted(standing)
    try:
        if query["dry_run"]:
            state = moves.dry_run(parts.desk, game, seat, body, expected)
            return 200, msgspec.json.encode({"verdict": "accepted", "version": state.version})
        outcome = moves.submit(parts.desk, game, seat, body, expected, key)
    except NOT_JSON as error:
        raise bad_json(error) from None
    if outcome.is_repeated and not noted.standings:
        noted.counted(parts.gate.count(environ, caller))
    return 201, move_answer(game, outcome, seat)


class ShortCut:
    """Takes posted moves past Flask: its routing and contexts cost more than judging a move."""

    def __init__(self, app: Callable[..., Iterable[bytes]], parts: Context) -> None:
        self._app = app
        self._parts = parts

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a posted move, or leave the request to Flask."""
        found = _PATH.match(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "POST" else None
        if found is None:
            return self._app(environ, start_response)
        noted = begin(environ)
        try:
            status, body = self._submit(found[1], environ, noted)
            line, headers = _STATUS_LINES[status], [("Content-Type", JSON)]
        except Exception as error:
            problem = self._counted(environ, noted, problem_of(error))
            body, more = problem_answer(problem, noted.request_id)
            status, line, headers = problem.status, f"{problem.status} PROBLEM", list(more.items())
        headers += [("Content-Length", str(len(body))), *request_headers(noted, self._parts, environ)]
        noted.end("moves.submit_move", "POST", environ["PATH_INFO"], status)
        start_response(line, headers)
        return [body]

    def _counted(self, environ: dict[str, Any], noted: Noted, problem: Problem) -> Problem:
        """A refused move counts like any other call, and one too many is told nothing more; an accepted one is free."""
        if problem.status >= 500 or noted.standings:
            return problem
        try:
            noted.counted(self._parts.gate.count(environ, noted.caller))
        except Problem as too_many:
            return too_many
        return problem

    def _submit(self, game_id: str, environ: dict[str, Any], noted: Noted) -> tuple[int, bytes]:
        noted.caller = caller = caller_of(self._parts, environ)
        noted.player = caller.player
        text = environ.get("QUERY_STRING", "")
        query = load(_QUERY, arguments(parse_qsl(text, keep_blank_values=True)), "query") if text else _NO_QUERY
        return submit(self._parts, noted, caller, game_id, query, environ)
