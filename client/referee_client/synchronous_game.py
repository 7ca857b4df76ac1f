"""A game as the client for ordinary programs sees it. `asynchronous_game.py` is the same for asyncio."""

import time
from collections.abc import Generator, Mapping
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, cast

import httpx

from referee_client import calls, connection
from referee_client.patience import PATIENCE_S
from referee_client.problems import Problem, read_json
from referee_client.shapes import Answer, Audit, Commit, GameState, LegalMoves, Move

if TYPE_CHECKING:
    from referee_client.synchronous import Client


class Game:
    """A game of a service, for one of your seats or as a spectator."""

    def __init__(self, client: "Client", id: str, seat: int | None = None) -> None:
        self._client = client
        self.id = id
        self.seat = seat
        self.join_code: str | None = None
        """The code that others need to sit down, in a game that this client created; no other call shows it."""

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

    def reseal(self, seat: int) -> Commit:
        """Seal a new chain of links, for a seat that has lost its chain or used it up; while others move."""
        call = calls.reseal(self.id, seat, self._client.links.new_seal(self.id))
        return cast(Commit, self._client._json(call))

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
        If the service has lost its newest commits, the newest one that is left is yielded again, and then those that
        replace the lost ones. `extra="view,text,legal"` adds fields to the commits.
        """
        while (game := self.read())["status"] in connection.NOT_STARTED:
            self._client.call(calls.get("games", self.id, "events", after=after, wait=self._client.wait_s, limit=1))
        reading = connection.Reading(after)
        while not connection.is_read_to_the_end(game, reading.newest):
            call = calls.get("games", self.id, "events", after=reading.newest, seat=self.seat, with_=extra)
            try:
                with closing(self._client.stream(call, patience_s=patience_s)) as events:
                    for event in events:
                        commit = reading.take(event)
                        if commit is not None:
                            yield commit
                            if connection.is_last(commit):
                                return
            except Problem as problem:
                reading.go_back(problem)

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
