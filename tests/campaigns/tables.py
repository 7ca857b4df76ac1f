"""The tables of a campaign: always some of every title, with players and bots, and with what can be agreed on."""

import random
import threading
from itertools import cycle
from typing import Any

import msgspec

from referee.rulesets import LATEST
from tests.campaigns.players import Player

SHORT_MAX = 5000
"""A title whose games can have more moves is conceded, not played to its end by a bot."""


class Tables:
    """Which games are played now, and by whom."""

    def __init__(self, players: list[Player], most: int, rng: random.Random) -> None:
        self.players = players
        self.seated: dict[str, tuple[Player, ...]] = {}
        """Every game that was ever begun, with its players."""
        self.running: set[str] = set()
        self._opening = 0
        self._most = most
        self._rng = rng
        self._titles = cycle(LATEST)
        self._lock = threading.Lock()

    def game_of(self, player: Player) -> str | None:
        """A game that this player sits at; a new one, if there are too few."""
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
        """A game has ended."""
        with self._lock:
            self.running.discard(game)

    def is_over(self, game: str) -> bool:
        """Whether a game has ended, as anybody may see."""
        found = self.players[0].read(game)
        return found is not None and found["status"] == "finished"

    def title_of(self, game: str) -> str:
        """What is played in a game."""
        found = self.players[0].read(game)
        assert found is not None
        return str(found["ruleset"])

    def _open(self, player: Player, title: str) -> None:
        rules, rng = LATEST[title], self._rng
        with self._lock:
            other = rng.choice([each for each in self.players if each is not player])
            size = rng.choice(list(rules.seats)[:3])
            joins = rng.random() < 0.4
            wish = wished(title, size, other, joins, rng)
        answer = player.wire.call("POST", "/games", msgspec.json.encode(wish))
        with self._lock:
            self._opening -= 1
            if answer is None or answer.status >= 500:
                return
            assert answer.status == 201, answer.body
            game: str = answer.json()["id"]
            self.seated[game] = (player, other)
            self.running.add(game)


def wished(title: str, size: int, other: Player, joins: bool, rng: random.Random) -> dict[str, Any]:
    """What is asked for to open a table: two players, and bots on the other seats."""
    guest = "open" if joins else {"player": other.id}
    bots = [{"bot": rng.choice(["random", "greedy"])} for _ in range(size - 2)]
    end = "end" if LATEST[title].moves_max > SHORT_MAX else rng.choice(["end", "bot"])
    wish = {"ruleset": title, "seats": ["me", guest, *bots], "on_resignation": end}
    wish["undo"] = rng.choice(["never", "free"])
    if rng.random() < 0.5:
        wish["clock"] = {"decision_s": rng.choice([1, 3]), "bank_s": rng.choice([0, 10]), "lapses": 2}
    return wish
