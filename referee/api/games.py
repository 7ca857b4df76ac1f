"""Games: create, list, read, sit down, leave."""

from typing import Any

from flask import Blueprint, Response, request

from referee.api.context import caller, desk
from referee.api.routing import answer, endpoint, next_page
from referee.service import games
from referee.service.access import OVER, Reader, own_seat, reader_of, visible_game, watcher
from referee.service.game import Game
from referee.service.listing import Filter, find_games
from referee.service.problems import Problem
from referee.service.state import State
from referee.service.views import game_view, legal_view
from schemas.games import GameQuery, GamesQuery, NewGame, NewSeat, SeatQuery

blueprint = Blueprint("games", __name__, url_prefix="/v1")

IMMUTABLE = "max-age=31536000, immutable"


@endpoint(
    blueprint,
    "POST",
    "/games",
    body=NewGame,
    answers={201: "Game"},
    problems=(404, 409),
    scope="play",
    gives=("Location",),
    cost=5,
)
def create_game(body: dict[str, Any]) -> Response:
    """Create a game; it starts when every seat is held.

    Options that the rules refuse are answered with the set-up clause that they break. If sitting down needs a join
    code, `join_code` is the code; it is shown only now.
    """
    wish = games.with_code(games.Wish(**{**body, "seats": tuple(body["seats"])}))
    game = games.create(desk(), caller(), wish)
    state = desk().known(game)
    reader = reader_of(game, watcher(caller()), lambda: state.status)
    shown = {**game_view(game, state, reader), "join_code": wish.join_code}
    return answer(shown, 201, Location=f"/v1/games/{game.id}")


@endpoint(
    blueprint,
    "GET",
    "/games",
    query=GamesQuery,
    answers={200: "Games"},
    problems=(401, 403),
    gives=("Link",),
    cost=20,
)
def list_games(query: dict[str, Any]) -> Response:
    """List games, newest first, a page at a time."""
    limit = query.pop("limit")
    cursor = query.pop("cursor", None)
    if query.get("mine") or query.get("awaiting") or query.get("invited"):
        caller().require("watch")
    page, following = find_games(desk(), caller(), Filter(**query), cursor, limit)
    response = answer({"games": page, "next": following})
    if following is not None:
        arguments = {**request.args.to_dict(), "cursor": following}
        response.headers["Link"] = next_page("/v1/games", arguments)
    return response


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>",
    query=GameQuery,
    answers={200: "Game", 304: ""},
    problems=(401, 403, 404),
    headers=("If-None-Match",),
    gives=("ETag", "Cache-Control"),
    cost_with=(("at", 10),),
)
def get_game(game_id: str, query: dict[str, Any]) -> Response:
    """Read a game: your view of it, who is awaited, what is due.

    `at` gives any earlier version. After the end `seat` gives any seat's view, and `all` the whole position.
    """
    game = visible_game(desk(), caller(), game_id)
    newest = desk().newest(game) if game.is_started else desk().known(game)
    reader = reader_of(game, watcher(caller(), query.get("seat")), lambda: newest.status)
    at = query.get("at")
    state = newest if at is None else desk().at(game, at)
    tag = entity_tag(game, state, reader, past=at is not None)
    headers = {"ETag": tag, "Cache-Control": "private, " + (IMMUTABLE if _is_settled(game, at) else "no-cache")}
    if request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers=headers)
    response = answer(game_view(game, state, reader))
    response.headers.update(headers)
    return response


def _is_settled(game: Game, at: int | None) -> bool:
    return at is not None and game.is_started


def entity_tag(game: Game, state: State, reader: Reader, past: bool = False) -> str:
    """What changes exactly when this reader's representation does."""
    who = "w" if reader is None else f"s{reader}"
    version = f"{state.version}" if game.is_started else f"0.{game.revision}"
    return f'"{version}.{who}{"p" if past else ""}"'


@endpoint(blueprint, "DELETE", "/games/<game_id>", answers={204: ""}, problems=(409,), scope="play")
def withdraw_game(game_id: str) -> Response:
    """Withdraw a game that you created and that still waits for players: it is annulled."""
    caller().require("play")
    visible_game(desk(), caller(), game_id)
    games.withdraw(desk(), caller(), game_id)
    return Response(status=204)


@endpoint(
    blueprint,
    "POST",
    "/games/<game_id>/seats",
    body=NewSeat,
    answers={201: "Game"},
    problems=(409,),
    scope="play",
    gives=("Location",),
)
def sit_down(game_id: str, body: dict[str, Any]) -> Response:
    """Sit down on an open seat, or accept an invitation; the game starts when every seat is held.

    Without `seat` it is the one you are invited to, else the first open one. A private game is found by its id together
    with its join code.
    """
    game, seat = games.sit(desk(), caller(), game_id, body["seat"], body["nonce"], body["join_code"])
    state = desk().known(game)
    return answer(game_view(game, state, own_seat(game, caller(), seat)), 201, Location=f"/v1/games/{game.id}")


@endpoint(
    blueprint,
    "DELETE",
    "/games/<game_id>/seats/<int:seat>",
    answers={204: ""},
    problems=(409,),
    scope="play",
)
def leave_seat(game_id: str, seat: int) -> Response:
    """Leave a seat before the game starts, decline an invitation, or withdraw one from a game that you made."""
    caller().require("play")
    visible_game(desk(), caller(), game_id)
    games.leave(desk(), caller(), game_id, seat)
    return Response(status=204)


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/legal-moves",
    query=SeatQuery,
    answers={200: "LegalMoves"},
    cost=5,
    scope="watch",
)
def get_legal_moves(game_id: str, query: dict[str, Any]) -> Response:
    """List the legal moves of your seat, ready to be posted.

    Where moves are too many to list, a family describes them by a JSON Schema.
    """
    caller().require("watch")
    game = visible_game(desk(), caller(), game_id)
    seat = own_seat(game, caller(), query.get("seat"))
    state = desk().newest(game) if game.is_started else desk().known(game)
    return answer(legal_view(game, state, seat))


def require_over(game: Game, state: State) -> None:
    """Some things are shown only when a game is over."""
    if state.status not in OVER:
        raise Problem(409, "game-running", "This is shown when the game is over.")
