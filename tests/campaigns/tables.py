"""The tables of a campaign: always some of every title, with players and bots and all kinds of terms."""

import random
import threading
from itertools import cycle
from typing import Any

import msgspec

from referee.rulesets import LATEST
from tests.campaigns.players import Player

SHORT_MAX = 5000
"""In titles with longer games a resignation ends the game, so that no bot has to play it to the end."""


class Tables:
    """The games in progress, and their players."""

    def __init__(self, players: list[Player], most: int, rng: random.Random) -> None:
        self.players = players
        self.seated: dict[str, tuple[Player, ...]] = {}
        """Every game of the campaign, with its players."""
        self.running: set[str] = set()
        self._opening = 0
        self._most = most
        self._rng = rng
        self._titles = cycle(LATEST)
        self._lock = threading.Lock()

    def game_of(self, player: Player) -> str | None:
        """A game of this player; opens a new one if there are too few."""
        with self._lock:
            title = None
            if len(self.running) + self._opening < self._most:
                title = next(self._titles)
                self._opening += 1
            mine = [game for game in sorted(self.running) if player in self.seated[game]]
        if title is not None:
            self._open(player, title)
        return player.rng.choice(mine) if mine else None

    def over(self, game: str) -> None:
        """Record that a game has ended."""
        with self._lock:
            self.running.discard(game)

    def is_over(self, game: str) -> bool:
        """Whether a game has ended, as any reader sees it."""
        found = self.players[0].read(game)
        return found is not None and found["status"] == "finished"

    def title_of(self, game: str) -> str:
        """The title of a game."""
        found = self.players[0].read(game)
        assert found is not None
        return str(found["ruleset"])

    def _open(self, player: Player, title: str) -> None:
        rules, rng = LATEST[title], self._rng
        with self._lock:
            other = rng.choice([each for each in self.players if each is not player])
            size = rng.choice(list(rules.seats)[:3])
            joins = rng.random() < 0.4
            request = new_game(title, size, other, joins, rng)
        answer = player.connection.call("POST", "/games", msgspec.json.encode(request))
        with self._lock:
            self._opening -= 1
            if answer is None or answer.status >= 500:
                return
            assert answer.status == 201, answer.body
            game: str = answer.json()["id"]
            self.seated[game] = (player, other)
            self.running.add(game)


def new_game(title: str, size: int, other: Player, joins: bool, rng: random.Random) -> dict[str, Any]:
    """A request for a new game with two players, and bots on the other seats."""
    guest = "open" if joins else {"player": other.id}
    bots = [{"bot": rng.choice(["random", "greedy"])} for _ in range(size - 2)]
    end = "end" if LATEST[title].commits_max > SHORT_MAX else rng.choice(["end", "bot"])
    request = {"ruleset": title, "seats": ["me", guest, *bots], "on_resignation": end}
    request["undo"] = rng.choice(["never", "free"])
    if rng.random() < 0.5:
        request["clock"] = {"decision_s": rng.choice([1, 3]), "bank_s": rng.choice([0, 10]), "missed_deadlines_max": 2}
    return request
