"""Posted moves, the busiest call: a move is decoded once, judged, appended in one round trip, and answered."""

import re
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from flask import Blueprint, Response

from referee.api.conditions import CONDITIONS, expected_version, idempotency_key
from referee.api.context import Context, caller_of
from referee.api.operation import RequestLog, begin, request_headers
from referee.api.problems import problem_answer, problem_of, status_of
from referee.api.receipts import APPLIED, COST, PREFER, ReceiptRequest, wants_receipt
from referee.api.routing import JSON, NOT_JSON, arguments, bad_json, endpoint, load, read_body
from referee.service import moves
from referee.service.access import own_seat, visible_game
from referee.service.problems import Problem
from referee.service.views import answer as move_answer
from schemas.games import MoveQuery
from schemas.play import DryRun

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
    body="PostedMove",
    answers={201: "MoveAnswer", 200: "DryRun"},
    problems=(409, 412),
    scope="play",
    headers=(*CONDITIONS, PREFER),
    gives=(APPLIED[0],),
    cost_with=(("dry_run", DRY_RUN_COST),),
)
def submit_move(game_id: str, query: dict[str, Any]) -> Response:
    """Make a move.

    The referee judges the move by the clauses of the ruleset and, if they accept it, appends it to the log. A refused
    move is answered with the clause that refuses it. With `dry_run` the move is only judged. Where luck is `fresh`,
    send the move with the next link of your chain; only a move that draws luck uses it up. A dry run needs no link.
    With `Prefer: receipt` the answer, also a refusal, has a signed receipt, if the service signs any; nothing is signed
    for a dry run.
    """
    # This declares the call to the OpenAPI document, and to Flask for 405 and OPTIONS.
    raise AssertionError("MoveMiddleware answers posted moves before Flask")


class MoveMiddleware:
    """Answers posted moves without Flask, whose routing and contexts cost more than judging a move."""

    def __init__(self, app: Callable[..., Iterable[bytes]], context: Context) -> None:
        self._app = app
        self._context = context

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a posted move, or pass the request on to Flask."""
        found = _PATH.match(environ["PATH_INFO"]) if environ["REQUEST_METHOD"] == "POST" else None
        if found is None:
            return self._app(environ, start_response)
        request_log, receipt = begin(environ), self._receipt(environ)
        try:
            status, body = self._submit(found[1], environ, request_log, receipt)
            line, headers = _STATUS_LINES[status], [("Content-Type", JSON)]
            if receipt is not None and receipt.is_signed:
                headers.append(APPLIED)
        except Exception as error:
            problem = self._count_refusal(environ, request_log, problem_of(error), COST if receipt else 1)
            body, more = problem_answer(
                problem, request_log.request_id, None if receipt is None else receipt.refused(problem)
            )
            status, headers = status_of(problem), list(more.items())
            line = f"{status} PROBLEM"
        headers += [("Content-Length", str(len(body))), *request_headers(request_log, self._context, environ)]
        request_log.end("moves.submit_move", "POST", environ["PATH_INFO"], status)
        start_response(line, headers)
        return [body]

    def _receipt(self, environ: dict[str, Any]) -> ReceiptRequest | None:
        """The receipt that a request asks for; None: it asks for none, or the service signs none."""
        receipts = self._context.receipts
        if receipts is None or not wants_receipt(environ):
            return None
        return ReceiptRequest(receipts, self._context.repository)

    def _count_refusal(self, environ: dict[str, Any], request_log: RequestLog, problem: Problem, cost: int) -> Problem:
        """Count a refused move as a call, and return its problem, or the one for too many calls."""
        if status_of(problem) >= 500 or request_log.quotas:
            return problem
        try:
            request_log.use(self._context.rate_gate.count(environ, request_log.caller, cost))
        except Problem as too_many:
            return too_many
        return problem

    def _submit(
        self, game_id: str, environ: dict[str, Any], request_log: RequestLog, receipt: ReceiptRequest | None
    ) -> tuple[int, bytes]:
        """Judge a posted move and append it; returns the status and the body of the answer."""
        context = self._context
        request_log.caller = caller = caller_of(context, environ)
        request_log.player = caller.player
        text = environ.get("QUERY_STRING", "")
        query = load(_QUERY, arguments(parse_qsl(text, keep_blank_values=True)), "query") if text else _NO_QUERY
        caller.require("play")
        game = visible_game(context.repository, caller, game_id)
        seat = own_seat(game, caller, query.get("seat"))
        body = read_body(environ, context.body_bytes_max)
        expected, key = expected_version(environ, query), idempotency_key(environ)
        if query["dry_run"]:
            request_log.use(context.rate_gate.count(environ, caller, DRY_RUN_COST))
        elif (quota := context.rate_gate.exceeded(caller)) and not moves.is_awaited(context.repository, game, seat):
            request_log.use(quota)
        try:
            if query["dry_run"]:
                state = moves.dry_run(context.repository, game, seat, body, expected)
                return 200, msgspec.json.encode(DryRun(state.version))
            if receipt is None:
                outcome = moves.submit(context.repository, game, seat, body, expected, key)
            else:
                receipt.begin(game, seat, body, expected)
                outcome = moves.submit(context.repository, game, seat, body, expected, key, receipt.judge)
        except NOT_JSON as error:
            raise bad_json(error) from None
        if outcome.is_repeated and not request_log.quotas:
            request_log.use(context.rate_gate.count(environ, caller, COST if receipt else 1))
        return 201, move_answer(game, outcome, seat, None if receipt is None else receipt.accepted(outcome))
