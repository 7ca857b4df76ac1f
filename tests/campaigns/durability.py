"""Durability: Redis is killed, its file torn, its disk and memory filled, and no answered move is lost.

`make campaign-durability ARGS="--rounds 20"`. Each round does each of these once, to a service that keeps running.
"""

import argparse
import contextlib
import os
import random
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import requests
from redis import Redis
from redis.exceptions import ConnectionError

from referee.ops.embedded import socket_path
from tests.campaigns.faults import UNLIMITED
from tests.campaigns.killer import KINDS, pids_of
from tests.campaigns.reports import new_directory, tell
from tests.redis_server import growing_file
from tests.service import Service
from tests.waiting import eventually

ROOM_BYTES = 4_000
"""The bytes that can still be written before the disk counts as full."""

BACK_S = 60.0


class Move:
    """A move that was posted with a key, and its answer."""

    def __init__(self, key: str, seat: int, move: Any, answer: requests.Response | None, size: int) -> None:
        self.key = key
        self.seat = seat
        self.move = move
        self.answer = answer
        self.size = size
        """The length of the append-only file after the answer."""


class Target:
    """A game that one player plays alone, with its answered moves, and games of bots that keep the workers busy."""

    def __init__(self, service: Service, rng: random.Random) -> None:
        self.service = service
        self.rng = rng
        self.figures: Counter[str] = Counter()
        self.answered: list[Move] = []
        self._keys = 0
        self.ada = service.player("ada")
        self.bots: list[str] = []
        self.renew()

    @property
    def file(self) -> Path:
        """The append-only file that grows."""
        return growing_file(self.service.directory / "var" / "redis")

    def renew(self) -> None:
        """Start another game."""
        self.game = self.ada.started("me", "me", ruleset="hund-und-katz")["id"]
        self.answered = []

    def redis(self, part: str = "redis") -> Redis:
        return Redis(unix_socket_path=str(socket_path(self.service.directory / "var" / part)))

    def let_bots_play(self) -> None:
        """Start a game of bots to keep the workers busy."""
        self.bots.append(self.ada.create({"bot": "random"}, {"bot": "random"}, ruleset="cat-and-fish")["id"])

    def play(self, moves: int) -> None:
        """Make moves, all of which must be answered."""
        for _ in range(moves):
            answer = self.post(self.choose())
            assert answer.status_code == 201, answer.text

    def choose(self) -> Move:
        """A legal move, not posted yet."""
        game = eventually(lambda: (found := self.ada.game(self.game))["awaited"] and found)
        seat = game["awaited"][0]["seat"]
        self._keys += 1
        return Move(f"k{self._keys}", seat, self.rng.choice(self.ada.legal(self.game, seat)["moves"]), None, 0)

    def post(self, move: Move) -> requests.Response:
        """Post a move, and record it if it is answered."""
        answer = self.ada.move(self.game, move.move, move.seat, headers={"Idempotency-Key": move.key})
        if answer.status_code == 201:
            move.answer, move.size = answer, self.file.stat().st_size
            self.answered.append(move)
            self.figures["moves answered"] += 1
        return answer

    def require_all(self) -> None:
        """Assert that every answered move is there, and that a repetition gets the same bytes."""
        for move in self.answered:
            again = self.ada.move(self.game, move.move, move.seat, headers={"Idempotency-Key": move.key})
            assert move.answer is not None
            assert (again.status_code, again.content) == (201, move.answer.content), (again.text, move.answer.text)

    def require_whole(self) -> None:
        """Assert that every process runs, the games of bots end, and every game is proved."""
        for kind in KINDS:
            eventually(lambda kind=kind: pids_of(self.service, kind), BACK_S)
        for game in self.bots:
            eventually(lambda game=game: self.ada.game(game)["status"] == "finished", BACK_S, 0.05)
            assert self.ada.audit(game)["verdict"] == "proved"
        self.figures["games of bots"] += len(self.bots)
        self.bots = []
        assert self.ada.audit(self.game)["verdict"] in ("running", "proved")


def restart_redis(target: Target) -> None:
    """Kill Redis, and wait until it has restarted and read its file."""
    old = pids_of(target.service, "Redis of the logs")
    for pid in old:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: set(pids_of(target.service, "Redis of the logs")) - set(old), BACK_S, 0.05)
    eventually(lambda: _answers(target.redis()), BACK_S, 0.05)  # the service may call itself ready a second too long
    eventually(target.service.is_ready, BACK_S, 0.05)


def _answers(redis: Redis) -> bool:
    """Whether Redis takes connections and has read its file."""
    try:
        return bool(redis.ping())
    except ConnectionError:
        return False


def kill_redis(target: Target) -> None:
    """Kill Redis: the supervisor restarts it, and it reads its file."""
    target.renew()
    target.play(5)
    target.let_bots_play()
    restart_redis(target)
    target.require_all()
    target.play(1)
    target.require_whole()


def tear_the_file(target: Target) -> None:
    """Kill everything and cut the end off the file at any byte: only what came after the cut is lost."""
    target.renew()
    target.play(12)
    target.service.kill()
    sizes = [move.size for move in target.answered]
    cut = target.rng.randrange(sizes[3], sizes[-1])
    os.truncate(target.file, cut)
    target.service.start()
    kept = [move for move in target.answered if move.size <= cut]
    version = target.ada.game(target.game)["version"]
    seen = [move for move in target.answered if move.answer and move.answer.json()["version"] <= version]
    assert seen[: len(kept)] == kept, f"cut at {cut}: {len(kept)} moves were whole, {len(seen)} are there"
    target.figures["moves torn off"] += len(target.answered) - len(seen)
    target.require_all()
    target.play(2)
    restart_redis(target)
    target.require_all()
    target.require_whole()


def outage(target: Target, cause: Callable[[], None], cure: Callable[[], None], why: str) -> None:
    """Keep the log from being written: calls get a 503, no answered move is lost, and the service recovers."""
    target.renew()
    target.play(3)
    target.let_bots_play()
    cause()
    waiting, refused = eventually(lambda: _refused(target), BACK_S)
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert (refused.json()["code"], int(refused.headers["Retry-After"]) > 0) == ("unavailable", True)
    _require_red(target.service, why)
    cure()
    eventually(target.service.is_ready, BACK_S, 0.05)
    target.require_all()
    answer = target.post(waiting)
    assert answer.status_code == 201, answer.text
    target.require_all()
    target.play(1)
    target.require_whole()


def _refused(target: Target) -> tuple[Move, requests.Response] | None:
    """A move that is answered with 503, to be sent again later; moves that are accepted before it count."""
    while True:
        try:
            move = target.choose()
        except AssertionError:
            return None
        answer = target.post(move)
        if answer.status_code != 201:
            assert answer.status_code == 503, answer.text
            return move, answer


def _require_red(service: Service, why: str) -> None:
    """Assert that `/readyz` reports the cause while `/healthz` stays green."""

    def reds() -> bool:
        answer = requests.get(f"{service.url}/readyz", timeout=20)
        return answer.status_code == 503 and why in answer.json()["detail"] and "Retry-After" in answer.headers

    eventually(reds, BACK_S)
    assert requests.get(f"{service.url}/healthz", timeout=20).status_code == 200


def fill_the_memory(target: Target) -> None:
    """Fill the memory of the log up to `maxmemory`."""
    redis = target.redis()
    outage(
        target,
        lambda: redis.config_set("maxmemory", 1),
        lambda: redis.config_set("maxmemory", 0),
        "The memory of the log is full",
    )


def fill_the_memory_of_the_queue(target: Target) -> None:
    """Fill the memory of the queues' Redis: moves are still accepted, and the workers catch up afterwards."""
    redis = target.redis("queue")
    target.renew()
    redis.config_set("maxmemory", 1)
    try:
        target.play(3)
        target.let_bots_play()
        target.play(1)
    finally:
        redis.config_set("maxmemory", 0)
    target.require_all()
    target.require_whole()


def fill_the_disk(target: Target) -> None:
    """Keep files from growing: Redis exits rather than answer what it cannot store, until they may grow again."""
    service = target.service
    assert service.process is not None

    def limit(size: int) -> None:
        for pid in (service.process.pid, *pids_of(service, "Redis of the logs")):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def cure() -> None:
        eventually(lambda: (limit(resource.RLIM_INFINITY), service.is_ready())[1], BACK_S, 0.05)

    outage(target, lambda: limit(target.file.stat().st_size + ROOM_BYTES), cure, "The log cannot be reached")
    assert "AOF file" in service.log(), "the supervisor logs why Redis exited"


ILLS: dict[str, Callable[[Target], None]] = {
    "Redis killed": kill_redis,
    "file torn": tear_the_file,
    "memory full": fill_the_memory,
    "memory of the queue full": fill_the_memory_of_the_queue,
    "disk full": fill_the_disk,
}


def healthy(directory: Path) -> Service:
    """A running service."""
    return Service(directory, LOG_LEVEL="WARNING", **UNLIMITED).start()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make campaign-durability", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", default=str(random.randrange(10**6)))
    given = parser.parse_args(arguments)
    service = healthy(new_directory("durability", given.seed))
    try:
        target = Target(service, random.Random(given.seed))
        for number in range(given.rounds):
            for name, ill in ILLS.items():
                print(f"round {number + 1}: {name}", flush=True)
                ill(target)
                target.figures[name] += 1
    finally:
        service.kill()
    return tell(target.figures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
