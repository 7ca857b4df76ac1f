"""Kills processes of a running service without warning; its supervisor restarts them."""

import contextlib
import os
import random
import signal
import threading
from collections import Counter
from pathlib import Path

from tests.campaigns.history import now
from tests.service import Service

KINDS = {
    "web process": 5,
    "gunicorn": 1,
    "worker nudges": 2,
    "worker quick-bots": 2,
    "worker bots": 2,
    "worker audits": 1,
    "sweep": 2,
    "Redis of the logs": 3,
    "Redis of the queue": 2,
}
"""What is killed, with the relative frequency of each kind."""

MARKS = {
    "worker nudges": "workers.worker nudges",
    "worker quick-bots": "workers.worker quick-bots",
    "worker bots": "workers.worker bots",
    "worker audits": "workers.worker audits",
    "sweep": "workers.sweep",
    "Redis of the logs": "var/redis/",
    "Redis of the queue": "var/queue/",
}


def _parent(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def pids_of(service: Service, kind: str) -> list[int]:
    """The processes of a kind."""
    assert service.process is not None
    if kind in MARKS:
        return service.pids(MARKS[kind])
    masters = {pid for pid in service.pids("gunicorn") if _parent(pid) == service.process.pid}
    if kind == "gunicorn":
        return sorted(masters)
    return [pid for pid in service.pids("gunicorn") if _parent(pid) in masters]


class Killer:
    """Kills random processes, about `kills` times in `seconds`, until it is done or stopped."""

    def __init__(self, service: Service, rng: random.Random, kills: int, seconds: float) -> None:
        self.kills: Counter[str] = Counter()
        self._service = service
        self._rng = rng
        self._wanted = kills
        self._pause_s = seconds / max(1, kills)
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> "Killer":
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        began = now()
        while self.kills.total() < self._wanted:
            following = began + self.kills.total() * self._pause_s + self._rng.random() * self._pause_s
            if self._stopped.wait(max(0.0, following - now())):
                return
            self.kill(self._rng.choices(list(KINDS), list(KINDS.values()))[0])

    def kill(self, kind: str) -> None:
        """Kill one process of a kind, or all of them at once; there may be none while they are being started."""
        found = pids_of(self._service, kind)
        some = found if self._rng.random() < 0.2 else found[:1]
        for pid in some:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.kills[kind] += 1
