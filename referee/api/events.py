"""The log as its readers may see it, as pages, long polls, JSON Lines and server-sent events."""

import re
from collections.abc import Container, Iterator
from itertools import islice
from typing import Any

from flask import Blueprint, Response, g, request, stream_with_context
from msgspec.structs import replace

from referee.api.context import caller, caller_of, context, repository
from referee.api.lasting import zipped
from referee.api.operation import LONG_POLLS
from referee.api.routing import accepted_language, answer, endpoint, in_language, next_page
from referee.api.streams import ENVIRON_KEY, Follow, Starter
from referee.kernel.canon import steady
from referee.service.access import OVER, Reader, reader_of, visible_game, watcher
from referee.service.game import Game
from referee.service.inbox import last_message
from referee.service.problems import Problem
from referee.service.repository import ENTRIES_MAX
from referee.service.rewinding import require_kept
from referee.service.views import Additions, commit_view, legal_views, position_view
from referee.table.match import State, fold, read_commit
from referee.table.record import Entry
from schemas.commits import Commit, Events
from schemas.reading import EventsQuery

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
    answers={200: "Events", 204: ""},
    problems=(400, 401, 403, 406, 409),
    headers=("Last-Event-ID", "Accept-Language"),
    gives=("Link", "Content-Language"),
    media=(JSON, JSON_LINES, SSE),
    cost=5,
    cost_with=(("with", 20),),
)
def get_events(game_id: str, query: dict[str, Any]) -> Response:
    """Read the log of a game as you may see it.

    The `Accept` header selects the format. `application/json` gives pages (`after`, `limit`); with `wait` it is a
    long poll. `application/jsonl` gives all commits, one per line. `text/event-stream` gives all commits and goes
    on as new ones are made; `Last-Event-ID` resumes it. It ends with the game, by the message `end`; a client that
    connects again gets 204. A message `rewound` takes back commits that the service has lost, and `hash` asks
    whether it has. `with` adds views, sentences and legal moves; `Accept-Language` selects the language of
    sentences.
    """
    seat, media, after = query.get("seat"), _accepted(), query["after"]
    game, state, reader = _read(game_id, seat)
    additions = _additions(game, query["added"])
    if "hash" in query:
        require_kept(repository(), game.id, after, query["hash"])
    if media == SSE:
        if _has_everything(game, state):
            return Response(status=204)
        watching = watcher(caller(), seat)
        streaming = follow(context().streams.follow_game(game.id, watching, additions, _last_event_id(after)))
        return in_language(streaming, additions.language)
    if media == JSON_LINES:
        return in_language(_lines(game, reader, after, state, additions), additions.language)
    if query["wait"] and after >= state.version and state.status not in OVER:
        _wait(game, after, query["wait"])
        game, _, reader = _read(game_id, seat)
    return in_language(_page(game, reader, query, additions), additions.language)


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


def _has_everything(game: Game, state: State) -> bool:
    """Whether a client reconnects to the stream of a game that is over, and has its last commit already."""
    is_over = (state.status if game.is_started else game.status) in OVER
    return is_over and "Last-Event-ID" in request.headers and _last_event_id(0) >= state.version


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


def _additions(game: Game, added: Container[str]) -> Additions:
    """Return what the caller wants with commits, and in which language."""
    language = accepted_language(game.rules) if "text" in added else None
    return Additions("view" in added, "legal" in added, language)


def _page(game: Game, reader: Reader, query: dict[str, Any], additions: Additions) -> Response:
    after, limit = query["after"], query["limit"]
    commits = list(islice(_commits(game, reader, after, after + limit + 1, additions), limit + 1))
    following = commits.pop().version - 1 if len(commits) > limit else None
    if additions.legal and commits and following is None:
        commits[-1] = _with_legal(game, commits[-1], additions)
    response = answer(Events(tuple(commits), following))
    if query["added"]:
        response = zipped(response)
    if following is not None:
        arguments = {**request.args.to_dict(), "after": following, "limit": limit}
        response.headers["Link"] = next_page(f"/v1/games/{game.id}/events", arguments)
    return response


def _commits(game: Game, reader: Reader, after: int, until: int, additions: Additions) -> Iterator[Commit]:
    """Yield commits as a reader may see them, with views and sentences if they are wanted."""
    teller, state = additions.teller(game, repository().names), None
    for entry in _entries(game, after, until):
        commit = commit_view(game, read_commit(game, entry), entry.hash, reader, repository().text, teller)
        if additions.view:
            state = fold(game, state or repository().at(game, after), (entry,))
            commit = replace(commit, view=position_view(game, state, reader))
        yield commit


def _with_legal(game: Game, commit: Commit, additions: Additions) -> Commit:
    """Return the newest commit with the legal moves of the caller's seats."""
    seats = game.seats_of(watcher(caller()).player)
    teller = additions.teller(game, repository().names)
    return replace(commit, legal=legal_views(game, repository().at(game, commit.version), seats, teller))


def _entries(game: Game, after: int, until: int) -> Iterator[Entry]:
    """Yield the entries after one version until another, read in pieces so that other requests do not wait."""
    while after < until and (entries := repository().log.read(game.id, after, min(until - after, ENTRIES_MAX))):
        yield from entries
        after = entries[-1].version


def _lines(game: Game, reader: Reader, after: int, newest: State, additions: Additions) -> Response:
    def lines() -> Iterator[bytes]:
        for commit in _commits(game, reader, after, newest.version, additions):
            is_newest = additions.legal and commit.version == newest.version
            yield steady(_with_legal(game, commit, additions) if is_newest else commit) + b"\n"

    return Response(stream_with_context(lines()), content_type=JSON_LINES)


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
