"""A long game is as quick as a short one; a cold open replays it."""

import statistics
import time

from bench.games import Pair, Row, open_desk
from bench.load import request, run
from bench.stack import redis, web

CONNECTIONS = 8
ROUNDS = 3


def measure(seconds: float, long: int = 2000, rounds: int = ROUNDS) -> dict[str, float]:
    """Moves a second on games of 10 and of many commits, interleaved; the time to open the many cold."""
    with redis() as url, web(url, "wsgi:app") as port:
        desk = open_desk(url)
        pair = Pair(desk)
        rates: dict[int, list[float]] = {10: [], long: []}
        for _ in range(rounds):
            for length in rates:
                rows = [Row(desk, pair, seed) for seed in range(CONNECTIONS)]
                for row in rows:
                    row.commit(length - 1)
                for _ in range(4):
                    run(port, [iter(_reads(row)) for row in rows], 5)
                found = run(port, [iter(row.requests(int(200 * seconds))) for row in rows], seconds)
                assert set(found.statuses) == {"201"}, found.statuses
                rates[length].append(found.per_second)
        row = Row(desk, pair, 99)
        row.commit(long - 1)
        opened = []
        for _ in range(5):
            cold = open_desk(url)
            game = cold.game(row.game.id)
            began = time.perf_counter()
            assert cold.newest(game).version == long
            opened.append((time.perf_counter() - began) * 1000)
    return {
        "rate_short": statistics.median(rates[10]),
        "rate_long": statistics.median(rates[long]),
        "cold_open_ms": statistics.median(opened),
    }


def _reads(row: Row) -> list[bytes]:
    return [request("GET", f"/v1/games/{row.game.id}", row.keys[0])]
