"""Clients that play at random over broken wires: they are cut off, repeat, come late, and ask for what is refused."""

import random
import threading
from collections import Counter, deque
from hashlib import sha256
from typing import Any

import msgspec

from tests.campaigns.history import History, Request, now, outcome_of
from tests.campaigns.wire import Answer, Cut, Wire

PATIENCE = threading.Event()
"""Never set: waiting for it is a pause."""

BUSY_S = 0.05
IDLE_S = 0.01
LATE_MAX = 5
"""So many moves may be under way, unanswered, while their player goes on."""


class Wish(msgspec.Struct):
    """A move as it is posted, which can be posted again byte for byte."""

    game: str
    seat: int
    move: dict[str, Any]
    body: bytes
    key: str | None = None
    version: int | None = None
    tag: str | None = None
    """An ETag to name the version with, instead."""
    tries: int = 0


class Player:
    """One client: a key, a wire, and what it has asked for without an answer."""

    def __init__(self, url: str, name: str, account: dict[str, Any], history: History, rng: random.Random) -> None:
        self.name = name
        self.id: str = account["player"]["id"]
        self.key: str = account["key"]
        self.wire = Wire(url, self.key)
        self.other_wire = Wire(url, self.key)
        self.history = history
        self.rng = rng
        self.late: deque[Wish] = deque()
        self.counts: Counter[str] = Counter()
        self._keys = 0

    def read(self, game: str) -> dict[str, Any] | None:
        """The game as this player sees it, if the service answers."""
        sent = now()
        answer = self.wire.call("GET", f"/games/{game}")
        if answer is None or answer.status != 200:
            return None
        found: dict[str, Any] = answer.json()
        self.history.add(Request(self.name, game, "read", sent, now(), "ok", status=200, version=found["version"]))
        return found

    def step(self, game: str) -> dict[str, Any] | None:
        """Sit down if a seat is left, move if it is this player's turn; gives the game as it was before."""
        if self.late and (len(self.late) >= LATE_MAX or self.rng.random() < 0.3):
            self.post(self.late.popleft())
        found = self.read(game)
        if found is None:
            PATIENCE.wait(BUSY_S)
            return None
        seats = [each["seat"] for each in found["awaited"] if each["seat"] in self.seats(found)]
        if found["status"] == "waiting" and not self.seats(found):
            self.wire.call("POST", f"/games/{game}/seats", b"{}")
        elif found["status"] == "running" and seats:
            self.move(game, self.rng.choice(seats))
            self._at_times(found)
        else:
            PATIENCE.wait(IDLE_S)
        return found

    def _at_times(self, found: dict[str, Any]) -> None:
        """Take a move back, or return to a seat that a bot plays for because the clock ran out."""
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
        """Make a random move, one way or another."""
        answer = self.wire.call("GET", f"/games/{game}/legal-moves", params={"seat": seat})
        if answer is None or answer.status != 200 or not answer.json()["moves"]:
            return
        legal = answer.json()
        wish = self.wish(game, seat, self.rng.choice(legal["moves"]), legal["version"])
        way = self.rng.random()
        if way < 0.12:
            wish.key = None
            self.post(wish, cut=self.rng.choice([None, None, "before the answer"]))
        elif way < 0.30:
            self.post(wish, cut=self.rng.choice(["within", "before the answer", "before the answer"]))
        elif way < 0.38:
            self.post(wish)
            self.post(wish)
        elif way < 0.46:
            self._both(wish, self.wish(game, seat, self.rng.choice(legal["moves"]), legal["version"]))
        elif way < 0.52:
            self.post(self.wish(game, seat, {"type": "nonsense"}, None))
            self.post(self.wish(game, seat, wish.move, legal["version"] + 7))
        else:
            self.post(wish)

    def wish(self, game: str, seat: int, move: dict[str, Any], version: int | None) -> Wish:
        """A move with a key of its own; half of them name the version that they were chosen at."""
        self._keys += 1
        named = version if version is None or self.rng.random() < 0.5 or move["type"] == "nonsense" else None
        return Wish(game, seat, move, msgspec.json.encode(move), f"{self.name}-{self._keys}", named)

    def post(self, wish: Wish, cut: Cut | None = None) -> Answer | None:
        """Send a move. One that has a key and no answer is kept, to be sent again sooner or later."""
        answer = self.send(wish, cut)
        self._keep_if_unknown(wish, answer)
        return answer

    def _keep_if_unknown(self, wish: Wish, answer: Answer | None) -> None:
        if outcome_of(None if answer is None else answer.status) == "unknown" and wish.key and wish not in self.late:
            self.late.append(wish)

    def _both(self, one: Wish, other: Wish) -> None:
        """Two moves for the same turn at the same time, on two connections."""
        answers: list[Answer | None] = []
        thread = threading.Thread(target=lambda: answers.append(self.send(other, wire=self.other_wire)))
        thread.start()
        self.post(one)
        thread.join()
        self._keep_if_unknown(other, answers[0])

    def send(self, wish: Wish, cut: Cut | None = None, wire: Wire | None = None) -> Answer | None:
        """Send a move once."""
        headers = {"Idempotency-Key": wish.key, "If-Match": wish.tag}
        headers = {name: value for name, value in headers.items() if value is not None}
        wish.tries += 1
        sent = now()
        params = {"seat": wish.seat, "version": wish.version}
        path = f"/games/{wish.game}/moves"
        answer = (wire or self.wire).call("POST", path, wish.body, cut, params=params, headers=headers)
        self._note(wish.game, "move", wish.seat, wish.move, sent, answer, wish.key)
        self.counts["cut off"] += cut is not None
        self.counts["repeated"] += wish.tries > 1
        return answer

    def at_the_table(self, game: str, seat: int, path: str, move: str) -> None:
        """Ask for what is no move of the rules: to concede, to return to a seat, to take a move back."""
        sent = now()
        answer = self.wire.call("POST", f"/games/{game}/{path}", params={} if "seats" in path else {"seat": seat})
        self._note(game, "table", seat, {"type": move}, sent, answer, None)

    def _note(
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
        """Send again what has no answer yet; says whether everything is known now."""
        for _ in range(len(self.late)):
            self.post(self.late.popleft())
        return not self.late

    def listed(self, status: str | None) -> list[str]:
        """The ids of this player's games, those that still wait for players aside."""
        games: list[str] = []
        cursor: str | None = None
        while True:
            params = {"mine": "true", "limit": 100, "status": status, "cursor": cursor}
            answer = self.wire.call("GET", "/games", params=params)
            assert answer is not None, "the service is settled"
            assert answer.status == 200, answer.body
            page = answer.json()
            games += [game["id"] for game in page["games"] if game["status"] != "waiting"]
            cursor = page["next"]
            if cursor is None:
                return games

    def concede(self, game: str) -> None:
        """Concede every seat that this player still plays for."""
        found = self.read(game)
        if found is not None and found["status"] == "running":
            for seat in self.seats(found):
                self.at_the_table(game, seat, "resignation", "resign")
