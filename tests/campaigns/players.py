"""Clients that play at random over failing connections: they are cut off, repeat, come late, and make illegal moves."""

import random
import threading
from collections import Counter, deque
from hashlib import sha256
from typing import Any

import msgspec

from tests.campaigns.connection import Answer, Connection, Cut
from tests.campaigns.history import History, Request, now, outcome_of

PATIENCE = threading.Event()
"""Never set: a wait for it is a pause."""

BUSY_S = 0.05
IDLE_S = 0.01
LATE_MAX = 5
"""The most unanswered moves that a player leaves behind while playing on."""


class PostedMove(msgspec.Struct):
    """A move as it is posted, so that it can be posted again byte for byte."""

    game: str
    seat: int
    move: dict[str, Any]
    body: bytes
    key: str | None = None
    version: int | None = None
    tag: str | None = None
    """An ETag that names the version instead."""
    tries: int = 0


class Player:
    """One client: a key, two connections, and the moves that have no answer yet."""

    def __init__(self, url: str, name: str, account: dict[str, Any], history: History, rng: random.Random) -> None:
        self.name = name
        self.id: str = account["player"]["id"]
        self.key: str = account["key"]
        self.connection = Connection(url, self.key)
        self.second_connection = Connection(url, self.key)
        self.history = history
        self.rng = rng
        self.late: deque[PostedMove] = deque()
        self.counts: Counter[str] = Counter()
        self._keys = 0

    def read(self, game: str) -> dict[str, Any] | None:
        """The game as this player sees it, if the service answers."""
        sent = now()
        answer = self.connection.call("GET", f"/games/{game}")
        if answer is None or answer.status != 200:
            return None
        found: dict[str, Any] = answer.json()
        self.history.add(Request(self.name, game, "read", sent, now(), "ok", status=200, version=found["version"]))
        return found

    def step(self, game: str) -> dict[str, Any] | None:
        """Sit down if a seat is free, move if it is this player's turn; returns the game as it was before."""
        if self.late and (len(self.late) >= LATE_MAX or self.rng.random() < 0.3):
            self.post(self.late.popleft())
        found = self.read(game)
        if found is None:
            PATIENCE.wait(BUSY_S)
            return None
        seats = [each["seat"] for each in found["awaited"] if each["seat"] in self.seats(found)]
        if found["status"] == "waiting" and not self.seats(found):
            self.connection.call("POST", f"/games/{game}/seats", b"{}")
        elif found["status"] == "running" and seats:
            self.move(game, self.rng.choice(seats))
            self._at_times(found)
        else:
            PATIENCE.wait(IDLE_S)
        return found

    def _at_times(self, found: dict[str, Any]) -> None:
        """Undo a move, or return to a seat that a bot took over after missed deadlines."""
        for seat in self.seats(found):
            if found["seats"][seat]["bot"] is not None:
                self.at_the_table(found["id"], seat, f"seats/{seat}/return", "return_to_seat")
            elif found["terms"]["undo"] != "never" and self.rng.random() < 0.1:
                self.at_the_table(found["id"], seat, "undo", "undo")

    def seats(self, found: dict[str, Any]) -> list[int]:
        """The seats that this player holds."""
        held = [(number, seat["player"]) for number, seat in enumerate(found["seats"]) if seat.get("accepted")]
        return [number for number, player in held if player["id"] == self.id]

    def move(self, game: str, seat: int) -> None:
        """Make a random move in one of several ways."""
        answer = self.connection.call("GET", f"/games/{game}/legal-moves", params={"seat": seat})
        if answer is None or answer.status != 200 or not answer.json()["moves"]:
            return
        legal = answer.json()
        move = self.new_move(game, seat, self.rng.choice(legal["moves"]), legal["version"])
        way = self.rng.random()
        if way < 0.12:
            move.key = None
            self.post(move, cut=self.rng.choice([None, None, "before the answer"]))
        elif way < 0.30:
            self.post(move, cut=self.rng.choice(["within", "before the answer", "before the answer"]))
        elif way < 0.38:
            self.post(move)
            self.post(move)
        elif way < 0.46:
            self._both(move, self.new_move(game, seat, self.rng.choice(legal["moves"]), legal["version"]))
        elif way < 0.52:
            self.post(self.new_move(game, seat, {"type": "nonsense"}, None))
            self.post(self.new_move(game, seat, move.move, legal["version"] + 7))
        else:
            self.post(move)

    def new_move(self, game: str, seat: int, move: dict[str, Any], version: int | None) -> PostedMove:
        """A move with its own key; half of the moves name the version that they were chosen at."""
        self._keys += 1
        named = version if version is None or self.rng.random() < 0.5 or move["type"] == "nonsense" else None
        return PostedMove(game, seat, move, msgspec.json.encode(move), f"{self.name}-{self._keys}", named)

    def post(self, move: PostedMove, cut: Cut | None = None) -> Answer | None:
        """Send a move; one with a key that gets no answer is sent again sooner or later."""
        answer = self.send(move, cut)
        self._keep_if_unknown(move, answer)
        return answer

    def _keep_if_unknown(self, move: PostedMove, answer: Answer | None) -> None:
        if outcome_of(None if answer is None else answer.status) == "unknown" and move.key and move not in self.late:
            self.late.append(move)

    def _both(self, one: PostedMove, other: PostedMove) -> None:
        """Send two moves for the same turn at the same time, on two connections."""
        answers: list[Answer | None] = []
        thread = threading.Thread(target=lambda: answers.append(self.send(other, connection=self.second_connection)))
        thread.start()
        self.post(one)
        thread.join()
        self._keep_if_unknown(other, answers[0])

    def send(self, move: PostedMove, cut: Cut | None = None, connection: Connection | None = None) -> Answer | None:
        """Send a move once."""
        headers = {"Idempotency-Key": move.key, "If-Match": move.tag}
        headers = {name: value for name, value in headers.items() if value is not None}
        move.tries += 1
        sent = now()
        params = {"seat": move.seat, "version": move.version}
        path = f"/games/{move.game}/moves"
        answer = (connection or self.connection).call("POST", path, move.body, cut, params=params, headers=headers)
        self._record(move.game, "move", move.seat, move.move, sent, answer, move.key)
        self.counts["cut off"] += cut is not None
        self.counts["repeated"] += move.tries > 1
        return answer

    def at_the_table(self, game: str, seat: int, path: str, move: str) -> None:
        """Make a move at the table: resign, return to a seat, or undo."""
        sent = now()
        answer = self.connection.call("POST", f"/games/{game}/{path}", params={} if "seats" in path else {"seat": seat})
        self._record(game, "table", seat, {"type": move}, sent, answer, None)

    def _record(
        self, game: str, do: Any, seat: int, move: dict[str, Any], sent: float, answer: Answer | None, key: str | None
    ) -> None:
        outcome = outcome_of(None if answer is None else answer.status)
        is_ok = answer is not None and outcome == "ok"
        self.history.add(
            Request(
                *(self.name, game, do, sent, now(), outcome),
                seat=seat,
                move=move,
                key=key,
                status=None if answer is None else answer.status,
                version=answer.json()["version"] if is_ok else None,
                body=sha256(answer.body).hexdigest() if is_ok else None,
            )
        )
        self.counts[outcome] += 1

    def settle(self) -> bool:
        """Send the unanswered moves again; returns whether all are answered now."""
        for _ in range(len(self.late)):
            self.post(self.late.popleft())
        return not self.late

    def listed(self, status: str | None) -> list[str]:
        """The ids of this player's games, without those that still wait for players."""
        games: list[str] = []
        cursor: str | None = None
        while True:
            params = {"mine": "true", "limit": 100, "status": status, "cursor": cursor}
            answer = self.connection.call("GET", "/games", params=params)
            assert answer is not None, "the service answers by now"
            assert answer.status == 200, answer.body
            page = answer.json()
            games += [game["id"] for game in page["games"] if game["status"] != "waiting"]
            cursor = page["next"]
            if cursor is None:
                return games

    def resign(self, game: str) -> None:
        """Resign every seat that this player still plays."""
        found = self.read(game)
        if found is not None and found["status"] == "running":
            for seat in self.seats(found):
                self.at_the_table(game, seat, "resignation", "resign")
