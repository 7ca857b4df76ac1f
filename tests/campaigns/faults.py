"""Exactly once despite failures: clients and bots play all titles while processes are killed and connections are cut.

`make campaign-faults ARGS="--minutes 30 --kills 200"`. The directory that is printed at the start gets the requests of
the clients (`history.jsonl`), the service's log and, at the end, the records of all games.
"""

import argparse
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from referee.audit.record import read_record
from referee.audit.verify import audit
from tests.campaigns.checker import Commit, check
from tests.campaigns.connection import Connection
from tests.campaigns.history import History, now
from tests.campaigns.killer import Killer
from tests.campaigns.players import Player
from tests.campaigns.reports import new_directory, tell
from tests.campaigns.tables import Tables
from tests.service import Service
from tests.waiting import eventually

LIMITS = (
    "RATE_PLAYER",
    "RATE_ADDRESS",
    "RATE_REGISTRATIONS",
    "STREAMS_PLAYER",
    "STREAMS_ADDRESS",
    "OPEN_GAMES",
    "BOT_GAMES",
)
UNLIMITED = dict.fromkeys(LIMITS, "0")
SETTLE_S = 180.0
LISTED_S = 10.0


class Campaign:
    """A service, its players, their tables, and a killer of processes."""

    def __init__(self, directory: Path, seed: str, players: int, tables: int) -> None:
        self.directory = directory
        self.rng = random.Random(seed)
        self.service = Service(directory, LOG_LEVEL="WARNING", **UNLIMITED)
        self.history = History(directory / "history.jsonl")
        self.kills: Counter[str] = Counter()
        self.figures: dict[str, Any] = {"seed": seed}
        self._wanted = players, tables

    def run(self, seconds: float, kills: int) -> list[str]:
        """Play while processes are killed, let every game end, and check everything; returns the faults."""
        self.service.start()
        try:
            count, most = self._wanted
            players = [self._player(number) for number in range(count)]
            tables = Tables(players, most, self.rng)
            self._play(tables, kills, seconds)
            return [*self._settle(tables), *self._look(tables)]
        finally:
            self.history.close()
            self.service.kill()

    def _player(self, number: int) -> Player:
        client = self.service.player(f"player {number}")
        account = {"player": client.player, "key": client.key}
        return Player(self.service.url, f"p{number}", account, self.history, random.Random(self.rng.random()))

    def _play(self, tables: Tables, kills: int, seconds: float) -> None:
        killer = Killer(self.service, self.rng, kills, seconds)
        over = threading.Event()
        deadline = now() + seconds

        def play(player: Player) -> None:
            while not over.is_set() and now() < deadline:
                game = tables.game_of(player)
                found = None if game is None else player.step(game)
                if found is not None and found["status"] == "finished":
                    tables.over(found["id"])

        with ThreadPoolExecutor(len(tables.players)) as pool:
            killer.start()
            try:
                list(pool.map(play, tables.players))
            finally:
                over.set()
                killer.stop()
        self.kills = killer.kills

    def _settle(self, tables: Tables) -> list[str]:
        """Repeat requests until all are answered, then let all players resign: every game must end by itself."""
        began = now()
        eventually(self.service.is_ready, SETTLE_S, 0.1)
        for player in tables.players:
            eventually(player.settle, SETTLE_S, 0.1)
        games = {game for player in tables.players for game in player.listed(None)} | set(tables.seated)
        for player in tables.players:
            for game in sorted(games):
                player.resign(game)
        stuck = [game for game in sorted(games) if not within(lambda game=game: tables.is_over(game), SETTLE_S)]
        listed = within(lambda: not any(player.listed("running") for player in tables.players), LISTED_S)
        self.games = sorted(games - set(stuck))
        self.figures |= {"games": len(games), "settled_s": round(now() - began, 1)}
        return [*(f"{game}: stuck" for game in stuck), *([] if listed else ["a finished game is listed as running"])]

    def _look(self, tables: Tables) -> list[str]:
        """Audit every game, and compare its log with the answers that the players got."""
        logs, faults = fetch_records(tables.players[0].connection, self.games, self.directory / "records")
        self._count(tables, logs)
        return [*faults, *check(self.history.requests, logs), *self._broken(tables)]

    def _broken(self, tables: Tables) -> list[str]:
        connections = [each for player in tables.players for each in (player.connection, player.second_connection)]
        return [f"{number} times {what}" for each in connections for what, number in each.broken.items()]

    def _count(self, tables: Tables, logs: dict[str, list[Commit]]) -> None:
        counts = sum((player.counts for player in tables.players), Counter())
        keyed = [request for request in self.history.requests if request.key is not None]
        unknown = {request.key for request in keyed if request.outcome == "unknown"}
        accepted = {request.key for request in keyed if request.outcome == "ok"}
        titles = Counter(tables.title_of(game) for game in self.games)
        self.figures |= {
            "kills": self.kills.total(),
            "killed": dict(self.kills),
            "titles": dict(titles),
            "commits": sum(map(len, logs.values())),
            "clock_moves": sum("deadline" in (commit["cause"] or {}) for log in logs.values() for commit in log),
            "undone": sum(commit["move"]["type"] == "undo" for log in logs.values() for commit in log),
            "requests": {name: counts[name] for name in ("ok", "refused", "unknown", "cut off", "repeated")},
            "unknown_then_accepted": len(unknown & accepted),
        }


def within(ask: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition becomes true in time."""
    try:
        return eventually(ask, seconds, 0.05)
    except AssertionError:
        return False


def fetch_records(
    connection: Connection, games: list[str], directory: Path
) -> tuple[dict[str, list[Commit]], list[str]]:
    """Store the records of finished games and audit them; returns their commits, and the faults."""
    directory.mkdir()
    faults: list[str] = []
    logs: dict[str, list[Commit]] = {}
    for game in games:
        answer = connection.call("GET", f"/games/{game}/record")
        assert answer is not None and answer.status == 200, game
        (directory / f"{game}.jsonl").write_bytes(answer.body)
        report = audit(read_record(answer.body.splitlines(keepends=True)))
        if report.verdict != "proved":
            faults.append(f"{game}: the audit says {report}")
        lines = [msgspec.json.decode(line) for line in answer.body.splitlines()]
        logs[game] = [line["commit"] for line in lines if "commit" in line]
    return logs, faults


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make campaign-faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--tables", type=int, default=20, help="games that are played at the same time")
    parser.add_argument("--seed", default=str(random.randrange(10**6)))
    given = parser.parse_args(arguments)
    campaign = Campaign(new_directory("faults", given.seed), given.seed, given.players, given.tables)
    faults = campaign.run(given.minutes * 60, given.kills)
    return tell(campaign.figures, faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
