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
from referee_client.problems import Problem, Unreachable, read_json
from referee_client.shapes import GameSummary, Message, Move, NewPlayer, Verdict
from referee_client.synchronous_game import Game


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

    def create(self, ruleset: str, seats: Sequence[Any], **fields: Any) -> Game:
        """Create a game: a seat is "me", "open", {"bot": "random"} or {"player": "p_…"}; fields as in the API.

        The code of a private game is `join_code` of what this returns.
        """
        made = self._json(calls.create(ruleset, seats, fields))
        game = self.game(made["id"])
        game.join_code = made["join_code"]
        return game

    def game(self, id: str, seat: int | None = None) -> Game:
        """Return a game by its id, without a call. If you hold several of its seats, name one."""
        return Game(self, id, seat)

    def inbox(self, patience_s: float | None = 300) -> Generator[Message, None, None]:
        """Yield everything that awaits you in all your games, now and from now on; what you have sealed is revealed."""
        with closing(self.stream(calls.get("me", "events"), patience_s=patience_s)) as events:
            for event in events:
                message = connection.read_message(event)
                if message["event"] == "revealing":
                    with suppress(Problem, Unreachable):  # The next `read` of the game reveals as well.
                        self.game(message["game"]).read()
                yield message
