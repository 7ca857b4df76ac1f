"""Measures whether moves in a long game are as fast as in a short one, and how long a cold start takes."""

import statistics
import time

from bench.games import Pair, ScriptedGame, open_repository
from bench.load import request, run
from bench.stack import redis, web

CONNECTIONS = 8
ROUNDS = 3


def measure(seconds: float, long: int = 2000, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the moves per second in games of 10 and of many commits, and the time to load a long game."""
    with redis() as url, web(url, "wsgi:app") as port:
        repository = open_repository(url)
        pair = Pair(repository)
        rates: dict[int, list[float]] = {10: [], long: []}
        for _ in range(rounds):
            for length in rates:
                games = [ScriptedGame(repository, pair, seed) for seed in range(CONNECTIONS)]
                for game in games:
                    game.commit(length - 1)
                for _ in range(4):
                    run(port, [iter(_reads(game)) for game in games], 5)
                found = run(port, [iter(game.requests(int(200 * seconds))) for game in games], seconds)
                assert set(found.statuses) == {"201"}, found.statuses
                rates[length].append(found.per_second)
        scripted = ScriptedGame(repository, pair, 99)
        scripted.commit(long - 1)
        opened = []
        for _ in range(5):
            cold = open_repository(url)
            game = cold.game(scripted.game.id)
            began = time.perf_counter()
            assert cold.newest(game).version == long
            opened.append((time.perf_counter() - began) * 1000)
    return {
        "rate_short": statistics.median(rates[10]),
        "rate_long": statistics.median(rates[long]),
        "cold_open_ms": statistics.median(opened),
    }


def _reads(game: ScriptedGame) -> list[bytes]:
    return [request("GET", f"/v1/games/{game.game.id}", game.keys[0])]
