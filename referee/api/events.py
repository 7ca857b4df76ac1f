"""The log as its readers may see it: pages, long polls, JSON Lines, server-sent events."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from flask import Blueprint, Response, g, request, stream_with_context

from referee.api.context import caller, caller_of, context, desk
from referee.api.routing import answer, endpoint, next_page
from referee.api.streams import ENVIRON_KEY, Follow, Starter
from referee.kernel.record import Entry
from referee.service.access import OVER, Reader, reader_of, visible_game, watcher
from referee.service.game import Game
from referee.service.inbox import last_message
from referee.service.problems import Problem
from referee.service.state import State
from referee.service.store import ENTRIES_MAX
from referee.service.views import entry_view
from schemas.games import EventsQuery

blueprint = Blueprint("events", __name__, url_prefix="/v1")

JSON_LINES = "application/jsonl"
SSE = "text/event-stream"
JSON = "application/json"
_MESSAGE_ID = re.compile(r"g_[0-9a-f]{24}:\d{1,15}\Z", re.ASCII)
_MEDIA = {JSON: JSON, JSON_LINES: JSON_LINES, "application/x-ndjson": JSON_LINES, SSE: SSE}


@endpoint(
    blueprint,
    "GET",
    "/games/<game_id>/events",
    query=EventsQuery,
    answers={200: "Events"},
    problems=(400, 401, 403, 406),
    headers=("Last-Event-ID",),
    gives=("Link",),
    media=(JSON, JSON_LINES, SSE),
    cost=5,
)
def get_events(game_id: str, query: dict[str, Any]) -> Response:
    """Read the log as you may see it.

    JSON pages (`after`, `limit`, and `wait` for a long poll), JSON Lines, or server-sent events that go on
    as commits come and can be resumed with `Last-Event-ID`: the `Accept` header chooses.
    """
    asked, media, after = query.get("seat"), _accepted(), query["after"]
    game, state, reader = _look(game_id, asked)
    if media == SSE:
        return follow(context().streams.follow_game(game.id, watcher(caller(), asked), _last_event_id(after)))
    if media == JSON_LINES:
        return _lines(game, reader, after, state.version)
    if query["wait"] and after >= state.version and state.status not in OVER:
        _wait(game, after, query["wait"])
        game, _, reader = _look(game_id, asked)
    return _page(game, reader, after, query["limit"])


def _look(game_id: str, asked: str | None) -> tuple[Game, State, Reader]:
    """The game as it is now, and as whom the caller reads it."""
    game = visible_game(desk(), caller(), game_id)
    state = desk().newest(game) if game.is_started else desk().known(game)
    return game, state, reader_of(game, watcher(caller(), asked), lambda: state.status)


def _wait(game: Game, after: int, seconds: int) -> None:
    """Wait for a commit. Afterwards the caller is asked for anew: the key may have been revoked meanwhile."""
    leave = context().gate.enter(request.environ, caller())
    try:
        context().streams.wait(game.id, after, min(seconds, context().wait_seconds_max), caller())
    finally:
        context().streams.left(leave)
    g.caller = caller_of(context(), request.environ, again=True)


def _accepted() -> str:
    best = request.accept_mimetypes.best_match(list(_MEDIA)) if request.accept_mimetypes else JSON
    if best is None:
        raise Problem(406, "not-acceptable", f"Served are {JSON}, {JSON_LINES} and {SSE}.")
    return _MEDIA[best]


def _last_event_id(after: int) -> int:
    id = request.headers.get("Last-Event-ID")
    if id is None:
        return after
    if not id.isascii() or not id.isdigit() or len(id) > 15:
        raise Problem(400, "invalid-header", "Last-Event-ID is a version.")
    return int(id)


def follow(start: Starter) -> Response:
    """The head of an event stream; the connection is taken over behind it."""
    if "gunicorn.socket" not in request.environ:
        raise Problem(406, "not-acceptable", "Event streams need the gunicorn server.")
    if request.method != "HEAD":
        request.environ[ENVIRON_KEY] = Follow(start, caller(), context().gate.enter(request.environ, caller()))
    response = Response(content_type=SSE)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _page(game: Game, reader: Reader, after: int, limit: int) -> Response:
    commits: list[msgspec.Raw] = []
    following = None
    for entry in _entries(game, after, after + limit + 1):
        if len(commits) == limit:
            following = entry.version - 1
            break
        commits.append(msgspec.Raw(entry_view(game, entry, reader)))
    response = answer({"commits": commits, "next": following})
    if following is not None:
        arguments = {**request.args.to_dict(), "after": following, "limit": limit}
        response.headers["Link"] = next_page(f"/v1/games/{game.id}/events", arguments)
    return response


def _entries(game: Game, after: int, until: int) -> Iterator[Entry]:
    """The entries after one version until another, read in pieces: between two pieces others are served."""
    while after < until and (entries := desk().log.read(game.id, after, min(until - after, ENTRIES_MAX))):
        yield from entries
        after = entries[-1].version


def _lines(game: Game, reader: Reader, after: int, until: int) -> Response:
    lines = (entry_view(game, entry, reader) + b"\n" for entry in _entries(game, after, until))
    return Response(stream_with_context(lines), content_type=JSON_LINES)


@endpoint(
    blueprint,
    "GET",
    "/me/events",
    answers={200: "Awaiting"},
    problems=(400, 406),
    scope="play",
    headers=("Last-Event-ID",),
    media=(SSE,),
)
def get_my_events() -> Response:
    """Follow everything that awaits you, over all games, as server-sent events: what a bot listens to.

    You are told where a move is awaited from you, where your consent to a pause or to its end is asked, where a bot
    stands in for you, which games end, and when an admin last replaced your keys. On connecting, everything that
    awaits you now is sent, whatever you were sent before; so nothing is missed by connecting again. With
    `Last-Event-ID` you are told as well which games have ended since that message.
    """
    player = caller().require("play")
    id = request.headers.get("Last-Event-ID")
    if id is not None and not _MESSAGE_ID.match(id):
        raise Problem(400, "invalid-header", "Last-Event-ID is the id of a message of this stream.")
    return follow(context().streams.follow_player(player, None if id is None else last_message(desk(), caller(), id)))
