"""Races: many clients post to the same version, or with the same key, on several web processes, some of which crash.

`make campaign-races ARGS="--minutes 5"`. A web process is killed exactly when its append has been written and the
answer has not been read, so that the log has a move that was never answered.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from referee.ops.embedded import socket_path
from referee.rulesets import LATEST
from tests.campaigns.checker import check
from tests.campaigns.connection import Answer, Connection
from tests.campaigns.crashes import Crossing
from tests.campaigns.faults import UNLIMITED, fetch_records
from tests.campaigns.history import History, now
from tests.campaigns.killer import pids_of
from tests.campaigns.players import Player
from tests.campaigns.reports import new_directory, tell
from tests.redis_server import RedisServer
from tests.service import Service
from tests.waiting import eventually

WEB_PROCESSES = 3


class Races:
    """A service behind a crossing, one player with many clients at once, and games that the player plays alone."""

    def __init__(self, directory: Path, seed: str, clients: int = 12) -> None:
        self.directory = directory
        self.rng = random.Random(seed)
        self.redis = RedisServer(directory / "redis")
        self.history = History(directory / "history.jsonl")
        self.figures: Counter[str] = Counter()
        self.faults: list[str] = []
        self.clients: list[Player] = []
        self.web: set[int] = set()
        self._wanted = clients
        self._pool = ThreadPoolExecutor(clients)

    def run(self, seconds: float) -> list[str]:
        """Race until the time is over; returns the faults."""
        self.redis.start()
        (self.directory / "crossing").mkdir()
        self.crossing = Crossing(socket_path(self.directory / "crossing"), self.redis.url.removeprefix("unix://"))
        settings = {"WEB_PROCESSES": str(WEB_PROCESSES), "REDIS_URL": self.crossing.url, **UNLIMITED}
        self.service = Service(self.directory, LOG_LEVEL="WARNING", **settings).start()
        try:
            account = self.service.player("ada")
            known = {"player": account.player, "key": account.key}
            self.clients = [
                Player(self.service.url, f"c{number}", known, self.history, random.Random(self.rng.random()))
                for number in range(self._wanted)
            ]
            self._race(now() + seconds)
            return [*self.faults, *self._look()]
        finally:
            self.history.close()
            self._pool.shutdown()
            self.service.kill()
            self.crossing.close()
            self.redis.stop()

    def _race(self, deadline: float) -> None:
        ada = self.clients[0]
        self.games = [self._begin(ada, slug) for slug in LATEST]
        rounds = [self.race_for_a_version, self.race_with_a_key, self.crash_after_the_append]
        turn = 0
        while turn < len(rounds) * len(self.games) or now() < deadline:
            number = (turn // len(rounds)) % len(self.games)
            found = self._awaiting(ada, self.games[number])
            if found["status"] == "finished":
                self.games.append(self._begin(ada, found["ruleset"]))
                self.games[number], self.games[-1] = self.games[-1], self.games[number]
                continue
            seat = self.rng.choice(found["awaited"])["seat"]
            legal = ada.connection.call("GET", f"/games/{found['id']}/legal-moves", params={"seat": seat})
            if legal is not None and legal.status == 200 and legal.json()["moves"]:
                rounds[turn % len(rounds)](found["id"], seat, legal.json())
                turn += 1

    def _begin(self, ada: Player, slug: str) -> str:
        """A new game in which the player holds every seat."""
        new_game = {"ruleset": slug, "seats": ["me"] * LATEST[slug].seats.start, "on_resignation": "end"}
        answer = eventually(lambda: ada.connection.call("POST", "/games", msgspec.json.encode(new_game)))
        assert answer.status == 201, answer.body
        return str(answer.json()["id"])

    def _awaiting(self, ada: Player, game: str) -> dict[str, Any]:
        """A game that waits for a seat, or is over."""
        return eventually(
            lambda: (found := ada.read(game)) and (found["awaited"] or found["status"] == "finished") and found, 60
        )

    def _at_once(self, post: Callable[[Player], Answer | None]) -> list[Answer | None]:
        return list(self._pool.map(post, self.clients))

    def race_for_a_version(self, game: str, seat: int, legal: dict[str, Any]) -> None:
        """Let all clients post a move for the same version: one is accepted, the others get the newer version."""
        version = legal["version"]
        tag = f'"{version}.s{seat}"' if self.rng.random() < 0.5 else None

        def post(client: Player) -> Answer | None:
            move = client.new_move(game, seat, client.rng.choice(legal["moves"]), None)
            move.key, move.version, move.tag = None, None if tag else version, tag
            return client.send(move)

        answers = self._at_once(post)
        won = [answer for answer in answers if answer is not None and answer.status == 201]
        lost = [answer for answer in answers if answer is not None and answer.status != 201]
        self._expect(len(won) == 1 and won[0].json()["version"] == version + 1, f"{game}: {len(won)} won {version + 1}")
        for answer in lost:
            problem = answer.json()
            found = answer.status, problem["code"], problem.get("version", 0) > version
            self._expect(
                found == (*((412, "if-match-failed") if tag else (409, "stale-version")), True),
                f"{game}: a loser got {problem}",
            )
        self._expect(len(won) + len(lost) == len(answers), f"{game}: a racer got no answer")
        self.figures["races for a version"] += 1
        self.figures["racers"] += len(answers)

    def race_with_a_key(self, game: str, seat: int, legal: dict[str, Any]) -> None:
        """Let all clients post the same move with the same key: one commit, and the same bytes for all."""
        move = self.clients[0].new_move(game, seat, self.rng.choice(legal["moves"]), legal["version"])
        answers = self._at_once(lambda client: client.send(move))
        different = {(answer.status, answer.body) for answer in answers if answer is not None}
        self._expect(len(different) == 1 and next(iter(different))[0] == 201, f"{game}: a key got {different}")
        self._expect(None not in answers, f"{game}: a key got no answer")
        self.figures["races with a key"] += 1
        self.figures["racers"] += len(answers)

    def crash_after_the_append(self, game: str, seat: int, legal: dict[str, Any]) -> None:
        """Kill a web process between append and answer while all clients post with one key; then all repeat it."""
        move = self.clients[0].new_move(game, seat, self.rng.choice(legal["moves"]), legal["version"])
        before = len(self.crossing.struck)
        self.web |= (processes := set(pids_of(self.service, "web process")))
        self.crossing.strike(*processes)
        self._at_once(lambda client: client.send(move))
        self._expect(len(self.crossing.struck) == before + 1, f"{game}: no process was struck")
        found = eventually(lambda: self.clients[0].read(game), 60)
        self._expect(found["version"] > legal["version"], f"{game}: what was appended is not there")
        eventually(lambda: all(answer is not None for answer in self._at_once(lambda client: client.send(move))), 60)
        self.figures["crashes between append and answer"] += 1

    def _expect(self, holds: bool, fault: str) -> None:
        if not holds:
            self.faults.append(fault)

    def _look(self) -> list[str]:
        """End every game, audit it, and compare its log with the answers that the clients got."""
        ada = self.clients[0]
        for game in self.games:
            eventually(lambda game=game: self._is_ended(ada, game), 60, 0.05)
        logs, faults = fetch_records(Connection(self.service.url, ada.key), self.games, self.directory / "records")
        self.figures |= {"games": len(logs), "commits": sum(map(len, logs.values()))}
        self.figures["web processes that appended"] = len(self.web & set(self.crossing.appends))
        return [*faults, *check(self.history.requests, logs)]

    def _is_ended(self, ada: Player, game: str) -> bool:
        ada.resign(game)
        found = ada.read(game)
        return found is not None and found["status"] == "finished"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make campaign-races", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--seed", default=str(random.randrange(10**6)))
    given = parser.parse_args(arguments)
    races = Races(new_directory("races", given.seed), given.seed, given.clients)
    faults = races.run(given.minutes * 60)
    return tell(races.figures, faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
