"""Moves at the table: resign, return, undo, agree to a pause; admins pause, resume and annul."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, request

from referee.api.conditions import CONDITIONS, expected_version, idempotency_key
from referee.api.context import caller, repository
from referee.api.routing import answer, endpoint
from referee.kernel.canon import steady
from referee.kernel.message import Move
from referee.service.access import Reader, own_seat, visible_game
from referee.service.commits import Outcome
from referee.service.game import Game
from referee.service.lobby import annul_waiting
from referee.service.moves import act, administer_game
from referee.service.sealing import read_seal
from referee.service.views import commit_view
from referee.table.moves import (
    AgreeToPause,
    AgreeToResume,
    AnnulGame,
    PauseGame,
    Reseal,
    Resign,
    ResumeGame,
    ReturnToSeat,
    Undo,
)
from schemas.games import Administration, Agreement, ReturnQuery, TableQuery
from schemas.seats import NewSeal

blueprint = Blueprint("table", __name__, url_prefix="/v1")

FOR_A_SEAT: Mapping[str, Any] = {
    "answers": {201: "Commit"},
    "problems": (400, 409, 412),
    "scope": "play",
    "headers": CONDITIONS,
}
"""The details that all calls of players at the table share."""


@endpoint(blueprint, "POST", "/games/<game_id>/resignation", query=TableQuery, **FOR_A_SEAT)
def resign(game_id: str, query: dict[str, Any]) -> Response:
    """Resign.

    A bot takes over your seat or the game ends, as `on_resignation` of the game prescribes.
    """
    return _act(game_id, query, Resign())


@endpoint(blueprint, "POST", "/games/<game_id>/seats/<int:seat>/return", query=ReturnQuery, **FOR_A_SEAT)
def return_to_seat(game_id: str, seat: int, query: dict[str, Any]) -> Response:
    """Return to your seat.

    A bot took the seat over because you missed too many deadlines; from now on you play again.
    """
    return _act(game_id, {**query, "seat": seat}, ReturnToSeat())


@endpoint(blueprint, "POST", "/games/<game_id>/seats/<int:seat>/seal", body=NewSeal, query=ReturnQuery, **FOR_A_SEAT)
def reseal(game_id: str, seat: int, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Seal a new chain of links.

    Where luck is `fresh`, do so when your chain is lost or used up, and while others move. Your moves carry no links
    until every other player has added a link; then yours count again, beginning with link 0 of the new chain.
    """
    seal = read_seal(body["seal"], "")
    assert seal is not None, "the body has a seal"
    return _act(game_id, {**query, "seat": seat}, Reseal(seal=seal))


@endpoint(blueprint, "POST", "/games/<game_id>/undo", query=TableQuery, cost=100, **FOR_A_SEAT)
def undo(game_id: str, query: dict[str, Any]) -> Response:
    """Undo your last move.

    The game must have been created with `undo`. No other seat may have acted since, the move may not have drawn any
    luck, and it may not have revealed anything. To find that out, the referee judges at most 2,000 moves; beyond that
    it refuses the undo. The log keeps both the move and the undo.
    """
    return _act(game_id, query, Undo())


@endpoint(blueprint, "POST", "/games/<game_id>/pause", body=Agreement, query=TableQuery, **FOR_A_SEAT)
def agree_to_pause(game_id: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Agree to pause the game, or withdraw your consent.

    The game pauses as soon as every player agrees. During a pause no move is accepted and no clock runs. A vote that
    changes nothing is refused, and so is the fourth change of your vote without a move of the game in between.
    """
    return _act(game_id, query, AgreeToPause(agreed=body["agreed"]))


@endpoint(blueprint, "POST", "/games/<game_id>/resumption", body=Agreement, query=TableQuery, **FOR_A_SEAT)
def agree_to_resume(game_id: str, query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Agree to resume a paused game, or withdraw your consent.

    The game resumes as soon as every player agrees; after seven days the consent of one player is enough. A vote that
    changes nothing is refused.
    """
    return _act(game_id, query, AgreeToResume(agreed=body["agreed"]))


def _act(game_id: str, query: dict[str, Any], move: Move) -> Response:
    """Make a move at the table for a seat of the caller, under the conditions of the request."""
    caller().require("play")
    game = visible_game(repository(), caller(), game_id)
    own = own_seat(game, caller(), query.get("seat"))
    expected, key = expected_version(request.environ, query), idempotency_key(request.environ)
    return _committed(game, act(repository(), game, own, move, expected, key), own)


ADMIN_MOVES: Mapping[str, type[PauseGame | ResumeGame | AnnulGame]] = {
    "pause": PauseGame,
    "resume": ResumeGame,
    "annul": AnnulGame,
}


@endpoint(
    blueprint,
    "POST",
    "/games/<game_id>/administration",
    body=Administration,
    answers={201: "Commit", 204: ""},
    problems=(409,),
    scope="admin",
)
def administer(game_id: str, body: dict[str, Any]) -> Response:
    """Pause, resume or annul a game as an admin.

    The log shows the reason to everybody. A game that is not set up yet can only be annulled.
    """
    caller().require("admin")
    game = visible_game(repository(), caller(), game_id)
    if not game.is_started and body["action"] == "annul":
        game = annul_waiting(repository(), game_id, body["reason"], ("waiting", "revealing"))
        if not game.is_started:
            return Response(status=204)
    return _committed(game, administer_game(repository(), game, ADMIN_MOVES[body["action"]], body["reason"]), None)


def _committed(game: Game, outcome: Outcome, reader: Reader) -> Response:
    return answer(steady(commit_view(game, outcome.commit, outcome.hash, reader, repository().text)), 201)
