"""Durability: Redis killed, its file torn, its disk full, its memory full; nothing that was answered is lost.

`make campaign-durability ARGS="--rounds 20"`. Each round does each of them once, to a service that goes on playing.
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

from referee.embedded import socket_path
from tests.campaigns.faults import UNLIMITED
from tests.campaigns.killer import KINDS, pids_of
from tests.campaigns.telling import new_directory, tell
from tests.redis_server import growing_file
from tests.service import Service
from tests.waiting import eventually

ROOM_BYTES = 4_000
"""A full disk takes so much more before it is full."""

BACK_S = 60.0


class Move:
    """A move that was posted with a key, and what it was answered."""

    def __init__(self, key: str, seat: int, move: Any, answer: requests.Response | None, size: int) -> None:
        self.key = key
        self.seat = seat
        self.move = move
        self.answer = answer
        self.size = size
        """How long the append-only file was after the answer."""


class Patient:
    """A game that one player plays alone, and its answered moves; beside it bots play, so that workers have to work."""

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
        """Another game."""
        self.game = self.ada.started("me", "me", ruleset="hund-und-katz")["id"]
        self.answered = []

    def redis(self, part: str = "redis") -> Redis:
        return Redis(unix_socket_path=str(socket_path(self.service.directory / "var" / part)))

    def let_bots_play(self) -> None:
        """Give the workers something to do meanwhile."""
        self.bots.append(self.ada.create({"bot": "random"}, {"bot": "random"}, ruleset="cat-and-fish")["id"])

    def play(self, moves: int) -> None:
        """Make moves, all of which must be answered."""
        for _ in range(moves):
            answer = self.post(self.choose())
            assert answer.status_code == 201, answer.text

    def choose(self) -> Move:
        """A legal move that was not posted yet."""
        game = eventually(lambda: (found := self.ada.game(self.game))["awaited"] and found)
        seat = game["awaited"][0]["seat"]
        self._keys += 1
        return Move(f"k{self._keys}", seat, self.rng.choice(self.ada.legal(self.game, seat)["moves"]), None, 0)

    def post(self, move: Move) -> requests.Response:
        """Post a move, and keep it if it is answered."""
        answer = self.ada.move(self.game, move.move, move.seat, headers={"Idempotency-Key": move.key})
        if answer.status_code == 201:
            move.answer, move.size = answer, self.file.stat().st_size
            self.answered.append(move)
            self.figures["moves answered"] += 1
        return answer

    def require_all(self) -> None:
        """Everything that was answered is there, and is answered again byte for byte."""
        for move in self.answered:
            again = self.ada.move(self.game, move.move, move.seat, headers={"Idempotency-Key": move.key})
            assert move.answer is not None
            assert (again.status_code, again.content) == (201, move.answer.content), (again.text, move.answer.text)

    def require_whole(self) -> None:
        """Every process runs, the bots come to their end, and every game is proved."""
        for kind in KINDS:
            eventually(lambda kind=kind: pids_of(self.service, kind), BACK_S)
        for game in self.bots:
            eventually(lambda game=game: self.ada.game(game)["status"] == "finished", BACK_S, 0.05)
            assert self.ada.audit(game)["verdict"] == "proved"
        self.figures["games of bots"] += len(self.bots)
        self.bots = []
        assert self.ada.audit(self.game)["verdict"] in ("running", "proved")


def restart_redis(patient: Patient) -> None:
    """Kill Redis, and wait until it has been started again and has read its file."""
    old = pids_of(patient.service, "Redis of the logs")
    for pid in old:
        os.kill(pid, signal.SIGKILL)
    eventually(lambda: set(pids_of(patient.service, "Redis of the logs")) - set(old), BACK_S, 0.05)
    eventually(patient.service.is_ready, BACK_S, 0.05)


def kill_redis(patient: Patient) -> None:
    """Redis dies; the supervisor starts it again, and it reads its file."""
    patient.renew()
    patient.play(5)
    patient.let_bots_play()
    restart_redis(patient)
    patient.require_all()
    patient.play(1)
    patient.require_whole()


def tear_the_file(patient: Patient) -> None:
    """Everything dies, and the end of the file is torn off at any byte: only what lay behind it is lost."""
    patient.renew()
    patient.play(12)
    patient.service.kill()
    sizes = [move.size for move in patient.answered]
    cut = patient.rng.randrange(sizes[3], sizes[-1])
    os.truncate(patient.file, cut)
    patient.service.start()
    kept = [move for move in patient.answered if move.size <= cut]
    version = patient.ada.game(patient.game)["version"]
    seen = [move for move in patient.answered if move.answer and move.answer.json()["version"] <= version]
    assert seen[: len(kept)] == kept, f"cut at {cut}: {len(kept)} moves were whole, {len(seen)} are there"
    patient.figures["moves torn off"] += len(patient.answered) - len(seen)
    patient.require_all()
    patient.play(2)
    restart_redis(patient)
    patient.require_all()
    patient.require_whole()


def outage(patient: Patient, cause: Callable[[], None], cure: Callable[[], None], why: str) -> None:
    """Something keeps the log from being written: everybody is told so, nothing is lost, and it ends with the cause."""
    patient.renew()
    patient.play(3)
    patient.let_bots_play()
    cause()
    waiting, refused = eventually(lambda: _refused(patient), BACK_S)
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert (refused.json()["code"], int(refused.headers["Retry-After"]) > 0) == ("unavailable", True)
    _require_red(patient.service, why)
    cure()
    eventually(patient.service.is_ready, BACK_S, 0.05)
    patient.require_all()
    answer = patient.post(waiting)
    assert answer.status_code == 201, answer.text
    patient.require_all()
    patient.play(1)
    patient.require_whole()


def _refused(patient: Patient) -> tuple[Move, requests.Response] | None:
    """A move that is answered 503, and waits for better times; what is still accepted until then counts."""
    while True:
        try:
            move = patient.choose()
        except AssertionError:
            return None
        answer = patient.post(move)
        if answer.status_code != 201:
            assert answer.status_code == 503, answer.text
            return move, answer


def _require_red(service: Service, why: str) -> None:
    """`/readyz` tells why, and `/healthz` that the process lives all the same."""

    def reds() -> bool:
        answer = requests.get(f"{service.url}/readyz", timeout=20)
        return answer.status_code == 503 and why in answer.json()["detail"] and "Retry-After" in answer.headers

    eventually(reds, BACK_S)
    assert requests.get(f"{service.url}/healthz", timeout=20).status_code == 200


def fill_the_memory(patient: Patient) -> None:
    """`maxmemory` is reached."""
    redis = patient.redis()
    outage(
        patient,
        lambda: redis.config_set("maxmemory", 1),
        lambda: redis.config_set("maxmemory", 0),
        "The memory of the log is full",
    )


def fill_the_memory_of_the_queue(patient: Patient) -> None:
    """The Redis of the queue takes no jobs: moves go on, and what workers owe is done when it takes them again."""
    redis = patient.redis("queue")
    patient.renew()
    redis.config_set("maxmemory", 1)
    try:
        patient.play(3)
        patient.let_bots_play()
        patient.play(1)
    finally:
        redis.config_set("maxmemory", 0)
    patient.require_all()
    patient.require_whole()


def fill_the_disk(patient: Patient) -> None:
    """Files may not grow any more: Redis ends rather than answer what it cannot keep, until they may."""
    service = patient.service
    assert service.process is not None

    def limit(size: int) -> None:
        for pid in (service.process.pid, *pids_of(service, "Redis of the logs")):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def cure() -> None:
        eventually(lambda: (limit(resource.RLIM_INFINITY), service.is_ready())[1], BACK_S, 0.05)

    outage(patient, lambda: limit(patient.file.stat().st_size + ROOM_BYTES), cure, "The log cannot be reached")
    assert "AOF file" in service.log(), "the supervisor tells why Redis ended"


ILLS: dict[str, Callable[[Patient], None]] = {
    "Redis killed": kill_redis,
    "file torn": tear_the_file,
    "memory full": fill_the_memory,
    "memory of the queue full": fill_the_memory_of_the_queue,
    "disk full": fill_the_disk,
}


def healthy(directory: Path) -> Service:
    """A service to be treated badly."""
    return Service(directory, LOG_LEVEL="WARNING", **UNLIMITED).start()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make campaign-durability", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", default=str(random.randrange(10**6)))
    given = parser.parse_args(arguments)
    service = healthy(new_directory("durability", given.seed))
    try:
        patient = Patient(service, random.Random(given.seed))
        for number in range(given.rounds):
            for name, ill in ILLS.items():
                print(f"round {number + 1}: {name}", flush=True)
                ill(patient)
                patient.figures[name] += 1
    finally:
        service.kill()
    return tell(patient.figures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
