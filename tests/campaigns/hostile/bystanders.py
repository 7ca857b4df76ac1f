"""Ordinary players during an attack: how long they wait, and whether any of their calls fails."""

import threading
import time
from typing import NamedTuple

import requests

from tests.service import Client, Service

PAUSE_S = 0.1
"""The pause between two moves, so that no player meets a limit."""
TURNS_OF_ONE = 50
"""The turns after which a player leaves, so that none of them meets the low limit."""


class Waits(NamedTuple):
    """The times of calls, in milliseconds."""

    calls: int
    p50_ms: float
    p99_ms: float
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.calls} calls, p50 {self.p50_ms:.0f} ms, p99 {self.p99_ms:.0f} ms"


class Bystanders:
    """A few players, each with a game of their own in a thread."""

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
        """Whether this number of calls was made since the last measurement."""
        return len(self._waits) >= calls

    def taken(self) -> Waits:
        """The times measured since the last call of this function."""
        with self._lock:
            waits, self._waits = sorted(self._waits), []
            failures, self._failures = tuple(self._failures), []
        assert waits, "no call was answered at all"
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
        """Make a move as a client does; returns False if the game is over."""
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
