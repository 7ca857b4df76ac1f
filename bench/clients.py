"""Measures the Python client beside raw httpx, and the runner of bots with many games at once, in CPU time."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from bench.games import make_player, open_repository
from bench.stack import redis, sweep, web, worker
from referee_client import Client
from referee_client.connection import settings

RULESET = "hund-und-katz"
DECISION_S = 60
SECONDS_MAX = 1200
BOT = "def choose(view, moves):\n    return moves[0]\n"


def overhead(calls: int, rounds: int) -> float:
    """Return the share of CPU time that the client adds to the same calls by raw httpx, the median of the rounds."""
    with redis() as url, web(url, "wsgi:app", 1) as port:
        address, (_, key) = f"http://127.0.0.1:{port}", make_player(open_repository(url))
        with Client(address, key) as client, httpx.Client(**settings(address, key, 20)) as raw:
            game = client.create(RULESET, ["me", "open"])
            path = f"/v1/games/{game.id}"
            return statistics.median(
                _cpu_s(game.read, calls) / _cpu_s(lambda: raw.get(path).json(), calls) - 1 for _ in range(rounds)
            )


def _cpu_s(call: Any, times: int) -> float:
    began = time.process_time()
    for _ in range(times):
        call()
    return time.process_time() - began


def many_games(games: int) -> dict[str, float]:
    """Let the runner play this number of games at once; return its CPU time per move, and the deadlines it missed."""
    with ExitStack() as stack:
        url = stack.enter_context(redis())
        port = stack.enter_context(web(url, "wsgi:app"))
        stack.enter_context(worker(url))
        stack.enter_context(sweep(url))
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-bench-")))
        address, (_, key) = f"http://127.0.0.1:{port}", make_player(open_repository(url))
        _configure(directory, address, key, games)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "referee_client.bot.command", "bot.toml"]
        with (directory / "log").open("wb") as log:
            done = subprocess.run(command, cwd=directory, stderr=log, timeout=SECONDS_MAX, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 0, (directory / "log").read_text()[-2000:]
        with Client(address, key) as client:
            commits = [commit for game in client.games(mine=True) for commit in client.game(game["id"]).commits()]
        own = [commit for commit in commits if commit["actor"] == 0]
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        missed = sum(commit["cause"] is not None for commit in own)
        return {"moves": len(own), "cpu_ms_per_move": 1000 * cpu_s / len(own), "missed": missed}


def _configure(directory: Path, address: str, key: str, games: int) -> None:
    (directory / "my_bot.py").write_text(BOT)
    (directory / "bot.toml").write_text(
        f'url = "{address}"\nkey_file = "key"\nbot = "my_bot:choose"\ngames_max = {games}\nstop_after = {games}\n'
        f'[seek]\nrulesets = ["{RULESET}"]\nopponents = ["random"]\ngames = {games}\n'
        f"clock = {{ decision_s = {DECISION_S} }}\n"
    )
    descriptor = os.open(directory / "key", os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
