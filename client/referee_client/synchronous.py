"""The client for ordinary programs. `asynchronous.py` is the same for asyncio."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, suppress
from types import TracebackType
from typing import Any, Self, cast

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from referee_client import calls, connection
from referee_client.calls import Call
from referee_client.luck import Links
from referee_client.patience import PATIENCE_S, TIMEOUT_S, Attempts, Notice, Reconnections, quiet
from referee_client.problems import Problem, read_json
from referee_client.shapes import (
    Answer,
    Audit,
    Commit,
    GameState,
    GameSummary,
    LegalMoves,
    Message,
    Move,
    NewPlayer,
    Verdict,
)


class Client:
    """A connection to one service, with or without a key.

    Use it as a context manager, or call `close`. One call takes at most about `patience_s` seconds, in which it is
    repeated if that is safe.
    """

    def __init__(
        self, url: str, key: str | None = None, *, timeout_s: float = TIMEOUT_S, patience_s: float = PATIENCE_S
    ) -> None:
        self._http = httpx.Client(**connection.settings(url, key, timeout_s))
        self.headers = self._http.headers
        """What every call sends. `Accept-Language` selects the language of sentences."""
        self._patience_s = patience_s
        self.links = Links()
        """What you have sealed. Set it to `Links(file)`, and a program that is started again can still reveal."""
        self.notice: Notice = quiet
        """Called with the reason and the seconds before a call or a stream is tried again."""
        self.wait_s = connection.wait_of(timeout_s)
        """The wait of long polls, which must end before an attempt times out."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def call(self, call: Call) -> httpx.Response:
        """Make a call, and retry it while that can help; raises Problem or Unreachable."""
        attempts = Attempts(call, self._patience_s, self.notice)
        while True:
            try:
                answer = self._http.request(
                    call.method, call.path, params=call.query, content=call.body, headers=call.headers
                )
            except httpx.TransportError as failure:
                pause: float | None = attempts.pause_after_failure(failure)
            else:
                pause = attempts.pause_after_answer(answer)
            if pause is None:
                return answer
            time.sleep(pause)

    def _json(self, call: Call) -> Any:
        return read_json(self.call(call))

    def stream(
        self, call: Call, last: str | None = None, patience_s: float | None = None
    ) -> Generator[ServerSentEvent, None, None]:
        """Yield the messages of a stream, which is opened again whenever it breaks; raises Problem or Unreachable.

        It gives up when the service cannot be reached for `patience_s` seconds; None: never. Closing the generator
        closes the connection.
        """
        reconnections = Reconnections(patience_s, self.notice)
        while True:
            try:
                with connect_sse(
                    self._http, call.method, call.path, **connection.stream_settings(call, last)
                ) as source:
                    if source.response.headers.get("Content-Type", "").startswith("text/event-stream"):
                        reconnections.opened()
                        for event in source.iter_sse():
                            reconnections.received()
                            last = event.id or last
                            if event.data:
                                yield event
                        pause = reconnections.pause_after_failure(None)
                    else:
                        source.response.read()
                        pause = reconnections.pause_after_answer(source.response)
            except httpx.TransportError as failure:
                pause = reconnections.pause_after_failure(failure)
            time.sleep(pause)

    def new_player(self, name: str, bot: bool = False) -> NewPlayer:
        """Create a player. Keep the key: no other answer shows it."""
        return cast(NewPlayer, self._json(calls.new_player(name, bot)))

    def me(self) -> dict[str, Any]:
        """Return who you are: `player`, `key`, `quotas`."""
        return cast(dict[str, Any], self._json(calls.get("me")))

    def rulesets(self) -> list[dict[str, Any]]:
        """Return the titles that the service knows."""
        return cast(list[dict[str, Any]], self._json(calls.get("rulesets"))["rulesets"])

    def ruleset(self, slug: str) -> dict[str, Any]:
        """Return everything about a title."""
        return cast(dict[str, Any], self._json(calls.get("rulesets", slug)))

    def clause(self, slug: str, clause: str) -> dict[str, Any]:
        """Return one clause or ruling of a title."""
        return cast(dict[str, Any], self._json(calls.get("rulesets", slug, "clauses", clause)))

    def judge(
        self, slug: str, position: Any, actor: int | str, move: Move, chance: Sequence[Mapping[str, Any]] | None = None
    ) -> Verdict:
        """Ask the judge about a move in any position. A refusal is a verdict, not an exception."""
        return cast(Verdict, self._json(calls.judge(slug, position, actor, move, chance)))

    def games(self, **filters: Any) -> Generator[GameSummary, None, None]:
        """Yield games, newest first: `ruleset=`, `status=`, `bots=`, `player=`, `mine=True`, `awaiting=True`."""
        cursor: str | None = None
        while True:
            page = self._json(calls.get("games", cursor=cursor, **filters))
            yield from page["games"]
            cursor = page["next"]
            if cursor is None:
                return

    def create(self, ruleset: str, seats: Sequence[Any], **fields: Any) -> "Game":
        """Create a game: a seat is "me", "open", {"bot": "random"} or {"player": "p_…"}; fields as in the API."""
        return self.game(self._json(calls.create(ruleset, seats, fields))["id"])

    def game(self, id: str, seat: int | None = None) -> "Game":
        """Return a game by its id, without a call. If you hold several of its seats, name one."""
        return Game(self, id, seat)

    def inbox(self, patience_s: float | None = 300) -> Generator[Message, None, None]:
        """Yield everything that awaits you in all your games, now and from now on; what you have sealed is revealed."""
        with closing(self.stream(calls.get("me", "events"), patience_s=patience_s)) as events:
            for event in events:
                message = connection.read_message(event)
                if message["event"] == "revealing":
                    self.game(message["game"]).read()
                yield message


class Game:
    """A game of a service, for one of your seats or as a spectator."""

    def __init__(self, client: Client, id: str, seat: int | None = None) -> None:
        self._client = client
        self.id = id
        self.seat = seat

    def __repr__(self) -> str:
        return f"Game({self.id!r}, seat={self.seat})"

    def read(self, at: int | None = None) -> GameState:
        """Return the game as you may see it, now or after an earlier version; what you have sealed is revealed."""
        state = cast(GameState, self._client._json(calls.get("games", self.id, seat=self.seat, at=at)))
        return state if at is not None else self._revealed(state)

    def _revealed(self, state: GameState) -> GameState:
        """Return the game after your reveals. Of several seats of yours, each reveals its own nonce."""
        for seat, link in self._client.links.to_reveal(state):
            with suppress(Problem):  # it came too late
                state = cast(GameState, self._client._json(calls.reveal(self.id, seat, link)))
        return state

    def read_with_clock(self) -> tuple[GameState, float]:
        """Return the game, and how many seconds the clock of the service is ahead of this machine's."""
        answer = self._client.call(calls.get("games", self.id, seat=self.seat))
        return cast(GameState, read_json(answer)), connection.seconds_ahead(answer)

    @property
    def view(self) -> dict[str, Any]:
        """What you may see of the position. Every access asks the service."""
        return self.read()["view"]

    def legal_moves(self, extra: str | None = None) -> LegalMoves:
        """Return the legal moves of your seat, and its default move; `extra="text"` adds them in words."""
        if self._client.links.knows(self.id):
            self.read()
        call = calls.get("games", self.id, "legal-moves", seat=self.seat, with_=extra)
        return cast(LegalMoves, self._client._json(call))

    def move(self, move: Move, version: int | None = None, key: str | None = None) -> Answer:
        """Make a move, sent again until it is answered; it counts once. Raises Refused with the clause that forbids it.

        `version`: make it only if the position is still that of this version. `key`: an idempotency key of your own.
        Where luck is fresh, the move is sent with your next link; raises LinkWithheld if that would be too early.
        """
        try:
            return cast(Answer, self._client._json(calls.move(self.id, move, self.seat, version, key)))
        except Problem as problem:
            link = calls.link_asked_for(self._client.links, self.id, problem)
        return cast(Answer, self._client._json(calls.move(self.id, move, self.seat, version, key, link)))

    def dry_run(self, move: Move) -> None:
        """Judge a move without making it; raises Refused."""
        self._client.call(calls.post_once("games", self.id, "moves", body=dict(move), seat=self.seat, dry_run=True))

    def sit(
        self, seat: int | None = None, nonce: str = "", join_code: str | None = None, sealed: bool = True
    ) -> GameState:
        """Take a seat, the first open one unless you name one, or accept an invitation.

        Unless you give a nonce or say otherwise, your part of the luck is sealed, and revealed when you next read the
        game, its legal moves, its commits or your inbox.
        """
        seal = self._client.links.new_seal(self.id) if sealed and not nonce else None
        call = calls.sit(self.id, seat, nonce, join_code, seal)
        return self._revealed(cast(GameState, self._client._json(call)))

    def leave(self, seat: int) -> None:
        """Leave a seat before the start, or decline an invitation to it."""
        self._client.call(calls.delete("games", self.id, "seats", seat))

    def resign(self) -> Commit:
        """Resign from the running game."""
        return self._act("resignation", {})

    def agree(self, to: str, agreed: bool = True) -> Commit:
        """Vote for a `pause` or a `resumption`, or withdraw the vote."""
        return self._act(to, {"agreed": agreed})

    def undo(self) -> Commit:
        """Undo your last move, where the terms of the game allow it."""
        return self._act("undo", {})

    def return_to_seat(self, seat: int) -> Commit:
        """Return to a seat that a bot has taken over from you."""
        call = calls.post_once("games", self.id, "seats", seat, "return", body={})
        return cast(Commit, self._client._json(call))

    def _act(self, what: str, body: Mapping[str, Any]) -> Commit:
        call = calls.post_once("games", self.id, what, body=dict(body), seat=self.seat)
        return cast(Commit, self._client._json(call))

    def commits(self, after: int = 0, extra: str | None = None) -> Generator[Commit, None, None]:
        """Yield the commits so far after a version, as you may see them; `extra="view,text"` adds fields to them."""
        last: int | None = after
        while last is not None:
            page = self._client._json(calls.get("games", self.id, "events", after=last, seat=self.seat, with_=extra))
            yield from page["commits"]
            last = page["next"]

    def follow(
        self, after: int = 0, patience_s: float | None = 300, extra: str | None = None
    ) -> Generator[Commit, None, None]:
        """Yield every commit after a version as it comes, each once, until the game is over.

        The stream is opened again whenever it breaks, unless the service cannot be reached for `patience_s` seconds.
        `extra="view,text,legal"` adds fields to the commits.
        """
        while (game := self.read())["status"] in connection.NOT_STARTED:
            self._client.call(calls.get("games", self.id, "events", after=after, wait=self._client.wait_s, limit=1))
        if connection.is_read_to_the_end(game, after):
            return
        call = calls.get("games", self.id, "events", after=after, seat=self.seat, with_=extra)
        with closing(self._client.stream(call, patience_s=patience_s)) as events:
            for event in events:
                commit = connection.read_commit(event)
                yield commit
                if connection.is_last(commit):
                    return

    def record(self) -> bytes:
        """Return the portable record of a finished game, which `referee-audit` proves."""
        return self._client.call(calls.get("games", self.id, "record")).content

    def audit(self, patience_s: float = PATIENCE_S) -> Audit | None:
        """Return the service's audit; None if it is not made yet after `patience_s` seconds."""
        until = time.monotonic() + patience_s
        while (answer := self._client.call(calls.get("games", self.id, "audit"))).status_code != httpx.codes.OK:
            if time.monotonic() >= until:
                return None
            time.sleep(0.5)
        return cast(Audit, answer.json())
