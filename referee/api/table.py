"""What is done at a table: concede, come back, take back a move, pause by consent; admins pause, resume and annul."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request

from referee.api.conditions import CONDITIONS, expected_version, idempotency_key
from referee.api.context import caller, desk
from referee.api.routing import answer, endpoint
from referee.kernel.canon import steady
from referee.kernel.message import Move
from referee.kernel.record import ADMIN
from referee.kernel.table import (
    AgreeToPause,
    AgreeToResume,
    AnnulGame,
    PauseGame,
    Resign,
    ResumeGame,
    ReturnToSeat,
    Undo,
)
from referee.service import games, table
from referee.service.access import Reader, own_seat, visible_game
from referee.service.game import Game
from referee.service.moves import Outcome
from referee.service.views import commit_view
from schemas.games import Agreement, ReturnQuery, Ruling, TableQuery

blueprint = Blueprint("table", __name__, url_prefix="/v1")

FOR_A_SEAT: Mapping[str, Any] = {
    "answers": {201: "Commit"},
    "problems": (400, 409, 412),
    "scope": "play",
    "headers": CONDITIONS,
}
"""What all calls of players at a table have in common."""


@endpoint(blueprint, "POST", "/games/<game_id>/resignation", query=TableQuery, **FOR_A_SEAT)
def resign(game_id: str, query: dict[str, Any]) -> Response:
    """Concede: a bot plays on for you or the game ends, as the game was created."""
    return _act(game_id, query, Resign())


@endpoint(blueprint, "POST", "/games/<game_id>/seats/<int:seat>/return", query=ReturnQuery, **FOR_A_SEAT)
def return_to_seat(game_id: str, seat: int, query: dict[str, Any]) -> Response:
    """Play again for your seat, for which a bot stands in because your time ran out too often."""
    return _act(game_id, {**query, "seat": seat}, ReturnToSeat())


@endpoint(blueprint, "POST", "/games/<game_id>/undo", query=TableQuery, cost=100, **FOR_A_SEAT)
def undo(game_id: str, query: dict[str, Any]) -> Response:
    """Take back your last move, if the game was created with `undo`.

    Only if no other seat has acted since, no luck was drawn and nobody was told anything that was hidden before. To
    find that out, at most 2,000 moves are judged; beyond that the undo is refused. The log keeps the move and what
    took it back.
    """
    return _act(game_id, query, Undo())


@endpoint(blueprint, "POST", "/games/<game_id>/pause", body=Agreement, query=TableQuery, **FOR_A_SEAT)
def agree_to_pause(game_id: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Agree that the game pauses, or no longer.

    It pauses as soon as every player agrees. As long as it does, no move is accepted and no clock runs. A vote that
    changes nothing is refused, and so is the fourth change of your vote without a move of the game in between.
    """
    return _act(game_id, query, AgreeToPause(agreed=body["agreed"]))


@endpoint(blueprint, "POST", "/games/<game_id>/resumption", body=Agreement, query=TableQuery, **FOR_A_SEAT)
def agree_to_resume(game_id: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Agree that a paused game goes on, or no longer.

    It does as soon as every player agrees; after seven days one of them is enough. A vote that
    changes nothing is refused.
    """
    return _act(game_id, query, AgreeToResume(agreed=body["agreed"]))


def _act(game_id: str, query: dict[str, Any], move: Move) -> Response:
    """Make a move at the table for a seat of the caller, once, and at the version that the caller knows."""
    caller().require("play")
    game = visible_game(desk(), caller(), game_id)
    own = own_seat(game, caller(), query.get("seat"))
    expected, key = expected_version(request.environ, query), idempotency_key(request.environ)
    return _committed(game, table.act(desk(), game, own, move, expected, key), own)


ADMIN_MOVES = {"pause": PauseGame, "resume": ResumeGame, "annul": AnnulGame}


@endpoint(
    blueprint,
    "POST",
    "/games/<game_id>/rulings",
    body=Ruling,
    answers={201: "Commit", 204: ""},
    problems=(409,),
    scope="admin",
)
def rule_on_game(game_id: str, body: dict[str, Any]) -> Response:
    """Pause, resume or annul a game, with a reason that everybody can read in the log.

    Before its set-up a game can only be annulled.
    """
    caller().require("admin")
    game = visible_game(desk(), caller(), game_id)
    if not game.is_started and game.status == "waiting" and body["action"] == "annul":
        game = games.annul_waiting(desk(), game_id, body["reason"])
        if not game.is_started:
            return Response(status=204)
    move = ADMIN_MOVES[body["action"]](reason=body["reason"])
    return _committed(game, table.act(desk(), game, ADMIN, move), None)


def _committed(game: Game, outcome: Outcome, reader: Reader) -> Response:
    return answer(steady(commit_view(game, outcome.commit, outcome.hash, reader)), 201)
