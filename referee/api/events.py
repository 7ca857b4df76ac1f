"""The log as its readers may see it, as pages, long polls, JSON Lines and server-sent events."""

import gzip
import re
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, g, request, stream_with_context
from msgspec.structs import replace

from referee.api.context import caller, caller_of, context, repository
from referee.api.operation import LONG_POLLS
from referee.api.routing import answer, endpoint, next_page
from referee.api.streams import ENVIRON_KEY, Follow, Starter
from referee.service.access import OVER, Reader, reader_of, visible_game, watcher
from referee.service.game import Game, State, fold, read_commit
from referee.service.inbox import last_message
from referee.service.problems import Problem
from referee.service.repository import ENTRIES_MAX
from referee.service.views import commit_view, entry_view, position_view
from referee.table.record import Entry
from schemas.games import EventsQuery
from schemas.play import Commit, Events

blueprint = Blueprint("events", __name__, url_prefix="/v1")

ZIPPED_BYTES_MIN = 16_384
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
    cost_with=(("with", 20),),
)
def get_events(game_id: str, query: dict[str, Any]) -> Response:
    """Read the log of a game as you may see it.

    The `Accept` header selects the format. `application/json` gives pages (`after`, `limit`); with `wait` it is a long
    poll. `application/jsonl` gives all commits, one per line. `text/event-stream` gives all commits and goes on as new
    ones are made; `Last-Event-ID` resumes it. In pages, `with=view` adds the view after each commit.
    """
    seat, media, after = query.get("seat"), _accepted(), query["after"]
    game, state, reader = _read(game_id, seat)
    if media == SSE:
        return follow(context().streams.follow_game(game.id, watcher(caller(), seat), _last_event_id(after)))
    if media == JSON_LINES:
        return _lines(game, reader, after, state.version)
    if query["wait"] and after >= state.version and state.status not in OVER:
        _wait(game, after, query["wait"])
        game, _, reader = _read(game_id, seat)
    return _page(game, reader, query)


def _read(game_id: str, seat: str | None) -> tuple[Game, State, Reader]:
    """Return the game, its newest state, and the reader whose view the caller gets."""
    game = visible_game(repository(), caller(), game_id)
    state = repository().newest(game) if game.is_started else repository().known(game)
    return game, state, reader_of(game, watcher(caller(), seat), lambda: state.status)


def _wait(game: Game, after: int, seconds: int) -> None:
    """Wait for a commit, and look up the key again afterwards, because it may have been revoked meanwhile."""
    leave = context().rate_gate.enter(request.environ, caller())
    LONG_POLLS.inc()
    try:
        context().streams.wait(game.id, after, min(seconds, context().wait_seconds_max), caller())
    finally:
        context().streams.release(leave)
    g.caller = caller_of(context(), request.environ, again=True)


def _accepted() -> str:
    best = request.accept_mimetypes.best_match(list(_MEDIA)) if request.accept_mimetypes else JSON
    if best is None:
        raise Problem("not-acceptable", f"Accept must allow {JSON}, {JSON_LINES} or {SSE}.")
    return _MEDIA[best]


def _last_event_id(after: int) -> int:
    id = request.headers.get("Last-Event-ID")
    if id is None:
        return after
    if not id.isascii() or not id.isdigit() or len(id) > 15:
        raise Problem("invalid-header", "Last-Event-ID must be a version of this game: a whole number.")
    return int(id)


def follow(start: Starter) -> Response:
    """Return the head of an event stream; the middleware then takes over the connection."""
    if "gunicorn.socket" not in request.environ:
        raise Problem("not-acceptable", "This server does not support event streams.")
    if request.method != "HEAD":
        request.environ[ENVIRON_KEY] = Follow(start, caller(), context().rate_gate.enter(request.environ, caller()))
    response = Response(content_type=SSE)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _page(game: Game, reader: Reader, query: dict[str, Any]) -> Response:
    after, limit = query["after"], query["limit"]
    commits: list[Commit] = []
    following, state = None, None
    for entry in _entries(game, after, after + limit + 1):
        if len(commits) == limit:
            following = entry.version - 1
            break
        commit = commit_view(game, read_commit(game, entry), entry.hash, reader, repository().text)
        if query.get("added") == "view":
            state = fold(game, state or repository().at(game, after), (entry,))
            commit = replace(commit, view=position_view(game, state, reader))
        commits.append(commit)
    response = answer(Events(tuple(commits), following))
    if query.get("added") == "view":
        response = _zipped(response)
    if following is not None:
        arguments = {**request.args.to_dict(), "after": following, "limit": limit}
        response.headers["Link"] = next_page(f"/v1/games/{game.id}/events", arguments)
    return response


def _zipped(response: Response) -> Response:
    """The answer, compressed if it is long and the client takes that: views of neighbours are much alike."""
    data = response.get_data()
    if len(data) > ZIPPED_BYTES_MIN and request.accept_encodings.quality("gzip"):
        response.set_data(gzip.compress(data, 5, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Authorization, Accept, Accept-Encoding, Origin"
    return response


def _entries(game: Game, after: int, until: int) -> Iterator[Entry]:
    """Yield the entries after one version until another, read in pieces so that other requests do not wait."""
    while after < until and (entries := repository().log.read(game.id, after, min(until - after, ENTRIES_MAX))):
        yield from entries
        after = entries[-1].version


def _lines(game: Game, reader: Reader, after: int, until: int) -> Response:
    lines = (entry_view(game, entry, reader, repository().text) + b"\n" for entry in _entries(game, after, until))
    return Response(stream_with_context(lines), content_type=JSON_LINES)


@endpoint(
    blueprint,
    "GET",
    "/me/events",
    answers={200: "My"},
    problems=(400, 406),
    scope="play",
    headers=("Last-Event-ID",),
    media=(SSE,),
)
def get_my_events() -> Response:
    """Follow all your games as server-sent events.

    This is what a bot listens to. The messages report when a seat of yours may move, when other players ask for your
    consent to a pause or to its end, when a bot takes over your seat, when you are invited, when a game of yours ends,
    and when an admin replaced your keys. On connecting you get everything that awaits you now, even if you got it
    before, so you miss nothing by connecting again. With `Last-Event-ID` you also get the games that ended since that
    message.
    """
    player = caller().require("play")
    id = request.headers.get("Last-Event-ID")
    if id is not None and not _MESSAGE_ID.match(id):
        raise Problem("invalid-header", "Last-Event-ID must be the id of a message of this stream.")
    return follow(
        context().streams.follow_player(player, None if id is None else last_message(repository(), caller(), id))
    )
