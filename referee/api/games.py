"""Games: create, list, read, take a seat, leave it."""

from typing import Any

from flask import Blueprint, Response, request
from msgspec import UNSET
from msgspec.structs import replace

from referee.api.context import caller, context, repository
from referee.api.receipts import APPLIED, PREFER, wants_receipt
from referee.api.routing import accepted_language, answer, endpoint, in_language, next_page
from referee.service import lobby, sealing
from referee.service.access import Reader, own_seat, reader_of, visible_game, watcher
from referee.service.finding import Filter, find_games
from referee.service.game import Game
from referee.service.sentences import teller_of
from referee.service.views import game_view, legal_view
from referee.table.match import State
from schemas.games import GameQuery, GamesQuery, NewGame
from schemas.play import Games
from schemas.reading import LegalQuery
from schemas.seats import NewSeat, Reveal

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
    """Create a game.

    The game starts when every seat is held. If the rules refuse the options, the problem names the clause. If players
    need a join code to sit down, `join_code` is that code; it is shown only in this answer.
    """
    new_game = lobby.with_code(lobby.NewGame(**{**body, "seats": tuple(body["seats"])}))
    game = lobby.create(repository(), caller(), new_game)
    state = repository().known(game)
    reader = reader_of(game, watcher(caller()), lambda: state.status)
    return answer(
        game_view(game, state, reader, repository().names((game,)), new_game.join_code),
        201,
        Location=f"/v1/games/{game.id}",
    )


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
    """List games, newest first.

    A page can be shorter than `limit` and still have a next page.
    """
    limit = query.pop("limit")
    cursor = query.pop("cursor", None)
    if query.get("mine") or query.get("awaiting") or query.get("invited"):
        caller().require("watch")
    page, following, is_whole = find_games(repository(), caller(), Filter(**query), cursor, limit)
    response = answer(Games(tuple(page), following, UNSET if is_whole else True))
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
    """Read a game as you may see it.

    The answer has your view of the position, who may move, and what the referee will do next. `at` selects an earlier
    version. After the end, `seat` selects the view of any seat, and `seat=all` the whole position.
    """
    game = visible_game(repository(), caller(), game_id)
    newest = repository().newest(game) if game.is_started else repository().known(game)
    reader = reader_of(game, watcher(caller(), query.get("seat")), lambda: newest.status)
    at = query.get("at")
    state = newest if at is None else repository().at(game, at)
    tag = entity_tag(game, state, reader, past=at is not None)
    headers = {"ETag": tag, "Cache-Control": "private, " + (IMMUTABLE if _is_immutable(game, at) else "no-cache")}
    if request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers=headers)
    response = answer(game_view(game, state, reader, repository().names((game,))))
    response.headers.update(headers)
    return response


def _is_immutable(game: Game, at: int | None) -> bool:
    return at is not None and game.is_started


def entity_tag(game: Game, state: State, reader: Reader, past: bool = False) -> str:
    """Return an ETag that changes exactly when this reader's representation of the game does."""
    suffix = "w" if reader is None else f"s{reader}"
    version = f"{state.version}" if game.is_started else f"0.{game.revision}"
    return f'"{version}.{suffix}{"p" if past else ""}"'


@endpoint(blueprint, "DELETE", "/games/<game_id>", answers={204: ""}, problems=(409,), scope="play")
def withdraw_game(game_id: str) -> Response:
    """Withdraw a game that you created.

    Only a game that still waits for players can be withdrawn. Its status becomes `annulled`.
    """
    caller().require("play")
    visible_game(repository(), caller(), game_id)
    lobby.withdraw(repository(), caller(), game_id)
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
    """Sit down on an open seat, or accept an invitation.

    Without `seat` you get the seat that you are invited to, otherwise the first open one. The game starts when every
    seat is held. To sit down at a private game you need its id and its join code. If you send a `seal`, the game is
    `revealing` when every seat is held, and starts when you and all others who sealed have revealed.
    """
    wish = body["seat"], body["nonce"], body["join_code"], body["seal"]
    game, seat = lobby.sit(repository(), caller(), game_id, *wish)
    state = repository().known(game)
    view = game_view(game, state, own_seat(game, caller(), seat), repository().names((game,)))
    return answer(view, 201, Location=f"/v1/games/{game.id}")


@endpoint(
    blueprint,
    "DELETE",
    "/games/<game_id>/seats/<int:seat>",
    answers={204: ""},
    problems=(409,),
    scope="play",
)
def leave_seat(game_id: str, seat: int) -> Response:
    """Leave a seat before the game starts.

    With this call you also decline an invitation, or withdraw one from a game that you created.
    """
    caller().require("play")
    visible_game(repository(), caller(), game_id)
    lobby.leave(repository(), caller(), game_id, seat)
    return Response(status=204)


@endpoint(
    blueprint,
    "POST",
    "/games/<game_id>/seats/<int:seat>/reveal",
    body=Reveal,
    answers={200: "Game"},
    problems=(409,),
    scope="play",
    headers=(PREFER,),
    gives=(APPLIED[0],),
)
def reveal(game_id: str, seat: int, body: dict[str, Any]) -> Response:
    """Reveal the nonce that you sealed.

    Do so when the game is `revealing`, after you have noted the seals of all seats. The nonces of the others are shown
    when the last one is revealed; then the game starts. Repeating the call gives the same answer. With
    `Prefer: receipt` the answer has a signed receipt, so that the service cannot say that you did not reveal.
    """
    caller().require("play")
    visible_game(repository(), caller(), game_id)
    game = sealing.reveal(repository(), caller(), game_id, seat, body["link"])
    state, own = repository().known(game), own_seat(game, caller(), seat)
    view, receipts = game_view(game, state, own, repository().names((game,))), context().receipts
    note = receipts.revealed(game, own) if receipts is not None and wants_receipt(request.environ) else None
    return answer(view) if note is None else answer(replace(view, receipt=note), Preference_Applied=APPLIED[1])


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/legal-moves",
    query=LegalQuery,
    answers={200: "LegalMoves"},
    cost=5,
    scope="watch",
    headers=("Accept-Language",),
    gives=("Content-Language",),
)
def get_legal_moves(game_id: str, query: dict[str, Any]) -> Response:
    """List the legal moves of your seat.

    Each move can be posted as it is. The list is complete for every type that has no family. A family describes the
    moves of a type with too many to list by a JSON Schema. With `with=text` there is a sentence for each move.
    """
    caller().require("watch")
    game = visible_game(repository(), caller(), game_id)
    seat = own_seat(game, caller(), query.get("seat"))
    state = repository().newest(game) if game.is_started else repository().known(game)
    language = accepted_language(game.rules) if query["added"] else None
    teller = None if language is None else teller_of(game, repository().names((game,)), language)
    return in_language(answer(legal_view(game, state, seat, teller)), language)
