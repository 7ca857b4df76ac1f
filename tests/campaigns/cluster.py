"""`make campaign-cluster`: games go on while masters are killed, cut off and stopped, and while slots move.

Everything that was answered 201 must be in the log at the end, with the same hash. With `--replicas-needed 0` nothing
waits for replicas: then the campaign must fail and name lost moves.
"""

import argparse
import json
import os
import random
import secrets
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import requests

from referee.ops.cluster import Bed
from referee.ops.nodes import free_port
from referee.ops.private import UMASK
from referee.store.redis_log import RedisLog
from referee.table.record import Entry
from referee.wiring import connect

PLAYERS = 4
GAMES_EACH = 2
CALM_S = 4.0
HARM_S = 3.0
SETTLED_S_MAX = 90
RULESET = "hund-und-katz"


@dataclass
class Table:
    """A game of one player, and what was answered 201 in it."""

    id: str
    answered: dict[int, Any] = field(default_factory=dict)


class Player(threading.Thread):
    """Plays both seats of games against oneself, and repeats with the same key what was not answered 201."""

    def __init__(self, url: str, over: threading.Event) -> None:
        super().__init__(daemon=True)
        self._url = url
        self._over = over
        self._session = requests.Session()
        self.tables: list[Table] = []
        self.statuses: Counter[int] = Counter()
        self.accepted_at: list[float] = []

    def run(self) -> None:
        player = self._call("POST", "/players", json={"name": "ada"})
        self._session.headers["Authorization"] = f"Bearer {player['key']}"
        newest: list[Table] = []
        while not self._over.is_set():
            if len(newest) < GAMES_EACH:
                newest.append(self._new())
            table = random.choice(newest)
            if not self._move(table):
                newest.remove(table)

    def _new(self) -> Table:
        game = self._call("POST", "/games", json={"ruleset": RULESET, "seats": ["me", "me"]})
        table = Table(game.get("id", ""))
        if table.id:
            self.tables.append(table)
        return table

    def _move(self, table: Table) -> bool:
        """Make any legal move of any seat; returns whether the game goes on."""
        for seat in (0, 1):
            legal = self._call("GET", f"/games/{table.id}/legal-moves", params={"seat": seat})
            if legal.get("moves"):
                move = random.choice(legal["moves"])
                key = {"Idempotency-Key": secrets.token_hex(8)}
                path = f"/games/{table.id}/moves"
                made = self._call("POST", path, json=move, params={"seat": seat}, headers=key)
                if "events" in made:
                    table.answered[made["version"]] = move
                    self.accepted_at.append(time.monotonic())
                return True
        game = self._call("GET", f"/games/{table.id}")
        return bool(game.get("status") in ("running", "revealing"))

    def _call(self, method: str, path: str, **arguments: Any) -> dict[str, Any]:
        """Call until the answer is neither a 5xx nor a broken connection; nothing, if the campaign is over by then."""
        while not self._over.is_set():
            try:
                answer = self._session.request(method, f"{self._url}/v1{path}", timeout=20, **arguments)
            except requests.RequestException:
                self.statuses[0] += 1
                time.sleep(0.05)
                continue
            self.statuses[answer.status_code] += 1
            if answer.status_code < 500:
                found: dict[str, Any] = answer.json()
                return found
            time.sleep(0.05)
        return {}


def nemeses(bed: Bed) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """What is done to the cluster, and how it is undone; a server that was killed is started again by the bed."""
    victims: list[int] = []

    def master() -> int:
        victims.append(random.choice(bed.cluster.masters() or [0]))
        return victims[-1]

    def lagging() -> None:
        number = master()
        bed.cluster.isolate(bed.cluster.replica_of(number))
        time.sleep(HARM_S)
        bed.cluster.isolate(number, bed.cluster.replica_of(number))

    def freeze() -> None:
        bed.cluster.servers[master()].send_signal(signal.SIGSTOP)

    return {
        "kill": (lambda: bed.cluster.servers[master()].kill(), lambda: None),
        "isolate": (lambda: bed.cluster.isolate(master()), bed.cluster.isolate),
        "lag": (lagging, bed.cluster.isolate),
        "zombie": (freeze, lambda: bed.cluster.servers[victims[-1]].send_signal(signal.SIGCONT)),
        "reshard": (bed.cluster.move_share, lambda: None),
    }


def lost(url: str, players: list[Player]) -> list[str]:
    """The moves that were answered 201 and are not in the log, and games whose chain is broken."""
    found: list[str] = []
    log = RedisLog(connect(url))
    for table in (table for player in players for table in player.tables):
        entries: list[Entry] = []
        while more := log.read(table.id, len(entries)):
            entries.extend(more)
        commits = {entry.version: json.loads(entry.body) for entry in entries}
        for version, move in sorted(table.answered.items()):
            if version not in commits or commits[version]["move"] != move:
                found.append(f"{table.id} version {version}")
        prevs = [commits[entry.version]["prev"] for entry in entries[1:]]
        if prevs != [entry.hash for entry in entries[:-1]]:
            found.append(f"{table.id} has a forked chain")
    return found


def settle(bed: Bed) -> bool:
    """Wait until every server is back; returns whether that happened."""
    deadline = time.monotonic() + SETTLED_S_MAX
    while not bed.cluster.is_whole():
        bed.tend()
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True


def campaign(bed: Bed, minutes: float, kinds: list[str]) -> int:
    """Harm the cluster in turn while games are played, then compare; returns the exit status."""
    over = threading.Event()
    players = [Player(bed.balancer.url, over) for _ in range(PLAYERS)]
    for player in players:
        player.start()
    done: Counter[str] = Counter()
    harms = nemeses(bed)
    began = time.monotonic()
    while time.monotonic() < began + 60 * minutes:
        time.sleep(CALM_S)
        kind = kinds[done.total() % len(kinds)]
        begin, end = harms[kind]
        begin()
        time.sleep(HARM_S)
        end()
        done[kind] += 1
        if not settle(bed):
            print(f"the cluster did not become whole again within {SETTLED_S_MAX} seconds after: {kind}")
            break
    time.sleep(CALM_S)
    over.set()
    for player in players:
        player.join(30)
    return report(bed, players, done)


def report(bed: Bed, players: list[Player], done: Counter[str]) -> int:
    """Print the figures; returns the exit status."""
    accepted = sorted(at for player in players for at in player.accepted_at)
    pause = max((later - at for at, later in pairwise(accepted)), default=0.0)
    statuses = sum((player.statuses for player in players), Counter[int]())
    missing = lost(bed.cluster.url, players)
    games = sum(len(player.tables) for player in players)
    print(", ".join(f"{kind} {count}" for kind, count in done.items()))
    print(f"games {games}, accepted {len(accepted)}, answers {dict(sorted(statuses.items()))}")
    print(f"longest time without an accepted move: {pause:.1f} s")
    for each in missing[:20]:
        print(f"  lost: {each}")
    print(f"lost {len(missing)}", flush=True)
    return 1 if missing or not accepted else 0


def main(arguments: list[str]) -> int:
    """Run a campaign; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.cluster", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replicas", type=int, default=1, help="replicas of each master")
    parser.add_argument("--replicas-needed", type=int, default=1, help="replicas that must confirm a move")
    parser.add_argument("--nemeses", default="kill,isolate,lag,zombie,reshard")
    options = parser.parse_args(arguments)
    random.seed(options.seed)
    os.umask(UMASK)
    limits = ("RATE_PLAYER", "RATE_ADDRESS", "RATE_REGISTRATIONS", "OPEN_GAMES")
    os.environ |= dict.fromkeys(limits, "0") | {"LOG_LEVEL": "ERROR", "REDIS_REPLICAS_TIMEOUT_MS": "500"}
    os.environ["REDIS_REPLICAS"] = str(options.replicas_needed)
    with tempfile.TemporaryDirectory() as directory:
        bed = Bed(Path(directory), options.replicas, free_port())
        with bed.running():
            return campaign(bed, options.minutes, options.nemeses.split(","))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
