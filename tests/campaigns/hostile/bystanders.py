"""People who only want to play, while others do their worst: how long they wait, and whether anything fails them."""

import threading
import time
from typing import NamedTuple

import requests

from tests.service import Client, Service

PAUSE_S = 0.1
"""Between two moves; so nobody meets a limit."""
TURNS_OF_ONE = 50
"""A player goes home after this many turns: the limit is set low, and nobody else should meet it."""


class Waits(NamedTuple):
    """How long calls took, in milliseconds."""

    calls: int
    p50_ms: float
    p99_ms: float
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.calls} calls, p50 {self.p50_ms:.0f} ms, p99 {self.p99_ms:.0f} ms"


class Bystanders:
    """A few players at tables of their own, each in a thread."""

    def __init__(self, service: Service, count: int) -> None:
        self._service = service
        self._stops = threading.Event()
        self._lock = threading.Lock()
        self._waits: list[float] = []
        self._failures: list[str] = []
        self._threads = [threading.Thread(target=self._play, args=(number,)) for number in range(count)]

    def __enter__(self) -> "Bystanders":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stops.set()
        for thread in self._threads:
            thread.join()

    def has_played(self, calls: int) -> bool:
        """Whether so many calls were made since the last time."""
        return len(self._waits) >= calls

    def taken(self) -> Waits:
        """What was measured since the last time."""
        with self._lock:
            waits, self._waits = sorted(self._waits), []
            failures, self._failures = tuple(self._failures), []
        assert waits, "nobody was served at all"
        return Waits(len(waits), waits[len(waits) // 2], waits[int(len(waits) * 0.99)], failures)

    def _play(self, number: int) -> None:
        turns = 0
        while not self._stops.wait(PAUSE_S):
            try:
                if turns % TURNS_OF_ONE == 0:
                    player = self._service.player(f"bystander {number}")
                    id = player.started("me", "me")["id"]
                turns += 1
                if not self._turn(player, id):
                    id = player.started("me", "me")["id"]
            except (requests.RequestException, AssertionError) as error:
                with self._lock:
                    self._failures.append(str(error))

    def _turn(self, player: Client, id: str) -> bool:
        """A move as a client makes it; False if the game is over."""
        game = self._timed(player, "GET", f"/games/{id}")
        if not game["awaited"]:
            return game["status"] == "running"
        seat = game["awaited"][0]["seat"]
        legal = self._timed(player, "GET", f"/games/{id}/legal-moves?seat={seat}")
        if legal["moves"]:
            self._timed(player, "POST", f"/games/{id}/moves?seat={seat}", legal["moves"][0])
        return True

    def _timed(self, player: Client, method: str, path: str, body: object = None) -> dict:
        began = time.perf_counter()
        answer = player.call(method, f"/v1{path}", json=body)
        with self._lock:
            self._waits.append((time.perf_counter() - began) * 1000)
        assert answer.status_code in (200, 201, 409), f"{answer.status_code} {answer.text}"
        return answer.json()
