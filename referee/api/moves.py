"""Moves: the busiest call, kept lean. The move is decoded once, judged, appended in one round trip, answered."""

import re
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from referee.api.context import caller, desk
from referee.api.routing import answer, endpoint, read_body
from referee.service import moves
from referee.service.moves import Expected
from referee.service.problems import Problem
from referee.service.views import answer as move_answer
from referee.service.views import own_seat, visible_game
from schemas.games import MoveQuery

blueprint = Blueprint("moves", __name__, url_prefix="/v1")

_ENTITY_TAG = re.compile(r'^\s*(?:W/)?"(\d{1,15})\.[^"]*"\s*$')
_IDEMPOTENCY_KEY = re.compile(r"^[\x21-\x7e]{1,255}$")


@endpoint(
    blueprint,
    "POST",
    "/games/<game_id>/moves",
    query=MoveQuery,
    body="AnyMove",
    answers={201: "MoveAnswer", 200: "DryRun"},
    problems=(400, 401, 403, 404, 409, 412, 413, 415, 422),
    scope="play",
    headers=("If-Match", "Idempotency-Key"),
)
def submit_move(game_id: str, query: dict[str, Any]) -> Response:
    """Make a move: it is judged and, if the rules accept it, appended to the log.

    A refused move is answered with the clause that refuses it. With `dry_run` it is only judged.
    """
    caller().require("play")
    game = visible_game(desk(), caller(), game_id)
    seat = own_seat(game, caller(), query["seat"])
    body = read_body()
    expected = _expected(query["version"])
    try:
        if query["dry_run"]:
            state = moves.dry_run(desk(), game, seat, body, expected)
            return answer({"verdict": "accepted", "version": state.version})
        outcome = moves.submit(desk(), game, seat, body, expected, _idempotency_key())
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, "bad-json", f"{error}.") from None
    return answer(move_answer(game, outcome.commit, outcome.state, seat), 201)


def _expected(version: int | None) -> Expected | None:
    text = request.headers.get("If-Match")
    if text is None:
        return None if version is None else Expected(version, 409)
    if text.strip() == "*":
        return None
    found = _ENTITY_TAG.match(text)
    if found is None:
        raise Problem(400, "invalid-header", "If-Match is an ETag of this game, or *.")
    return Expected(int(found[1]), 412)


def _idempotency_key() -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _IDEMPOTENCY_KEY.match(key):
        raise Problem(400, "invalid-header", "An Idempotency-Key is 1 to 255 visible ASCII characters.")
    return key
