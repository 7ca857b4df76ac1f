"""Hostile clients against the whole service while others play: how long the others wait, and what is left behind."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.campaigns.hostile import attacks, promises
from tests.campaigns.hostile.bystanders import Bystanders
from tests.service import Service
from tests.waiting import eventually

CLIENT_S = 3
SLACK_S = 12.0
STREAM_BYTES_MAX = 65536
GROWTH_BYTES_MAX = 64 << 20
FACTOR_MAX = 10.0

RATE_PLAYER = 1500

SETTINGS = {
    "CLIENT_SECONDS": str(CLIENT_S),
    "HEARTBEAT_SECONDS": "2",
    "STREAMS_PLAYER": "0",
    "STREAMS_ADDRESS": "0",
    "RATE_PLAYER": str(RATE_PLAYER),
}


PARTS = {"gunicorn": "web processes", "workers.": "workers and sweep"}
"""The processes whose memory is watched, by a part of their command line."""


class Effort(NamedTuple):
    """The size of each attack."""

    slow: int = 600
    big_rounds: int = 20
    nonsense: int = 60
    idle: int = 3000
    unread: int = 100
    flood_s: float = 15.0
    patience_ms: float = 250.0
    """A wait of bystanders that always passes, because a tenth of a second means nothing on a busy machine."""


class Siege:
    """Runs the attacks one after the other and collects their figures and faults."""

    def __init__(self, directory: Path, seed: str, effort: Effort) -> None:
        log = {"LOG_ORIGIN": "referee.example/log", "LOG_DIR": str(directory / "log"), "LOG_SECONDS": "1"}
        self._service = Service(directory, **SETTINGS, **log)
        self._rng = random.Random(seed)
        self._effort = effort
        self.figures: list[str] = []
        self.faults: list[str] = []

    def run(self) -> None:
        """Run all attacks, with bystanders from beginning to end."""
        self._service.start()
        try:
            self._run()
        finally:
            self._service.stop()

    def _run(self) -> None:
        service, effort = self._service, self._effort
        with Bystanders(service, 2) as bystanders:
            # The first round warms everything up: caches, connections, and memory that processes never free.
            for _ in range(2):
                eventually(lambda: bystanders.has_played(30), 60)
                calm = bystanders.taken()
            self.figures.append(f"bystanders in peace: {calm}")
            processes = sorted(service.pids(""))
            before = {part: attacks.resident_bytes(service, part) for part in PARTS}
            for attack in self._attacks(effort):
                figures, faults = attack()
                waits = bystanders.taken()
                worst = max(effort.patience_ms, FACTOR_MAX * calm.p99_ms)
                self.figures.append(f"{figures}; bystanders meanwhile: {waits}")
                self.faults += [*faults, *waits.failures]
                if waits.p99_ms > worst:
                    self.faults.append(f"bystanders waited {waits.p99_ms:.0f} ms (p99) meanwhile: {figures}")
        self._look_back(processes, before)

    def _attacks(self, effort: Effort) -> tuple[Callable[[], attacks.Report], ...]:
        service = self._service
        return (
            lambda: attacks.slow_clients(service, service.player("slow"), effort.slow, CLIENT_S + SLACK_S),
            lambda: attacks.big_requests(service, service.player("big"), effort.big_rounds),
            lambda: attacks.nonsense(service, service.player("nonsense"), effort.nonsense, self._rng),
            lambda: promises.nonsense(service, 10 * effort.nonsense, self._rng),
            lambda: attacks.idle_streams(service, service.player("idle"), effort.idle, STREAM_BYTES_MAX),
            lambda: attacks.unread_streams(service, service.player("unread"), effort.unread),
            lambda: attacks.flood(service, service.player("flood"), effort.flood_s, RATE_PLAYER),
        )

    def _look_back(self, processes: list[int], before: dict[str, int]) -> None:
        """The faults left behind: dead processes, lost memory, 5xx answers, logged tracebacks."""
        service = self._service
        for part, name in PARTS.items():
            grown = attacks.resident_bytes(service, part) - before[part]
            self.figures.append(f"{name}: {before[part] >> 20} MiB before, {grown >> 10} KiB more after")
            if grown > GROWTH_BYTES_MAX:
                self.faults.append(f"the {name} have grown by {grown >> 20} MiB")
        if not set(service.pids("gunicorn")) <= set(processes):
            self.faults.append("a web process was started again")
        for line in service.nobody().call("GET", "/metrics").text.splitlines():
            if line.startswith("referee_requests_total") and 'status="5' in line:
                self.faults.append(line)
        if "Traceback" in service.log():
            self.faults.append(service.log()[service.log().index("Traceback") :][:2000])
