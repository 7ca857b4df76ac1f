"""Lets several sequencers write one log under load, kills and stops them, and checks that it only ever grows.

`python -m tests.campaigns.sequencers --seconds 60`
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from referee.store.redis_log import RedisLog
from referee.table.record import Entry
from referee.tlog.merkle import leaf_hash, root_of
from referee.tlog.note import read_vkey
from referee.tlog.published import CHECKPOINT, VKEY
from referee.tlog.sequencer import read_signed
from referee.tlog.tiles import read_path
from referee.tlog.tree import Tree
from tests.redis_server import RedisServer
from tests.subjects import ROOT
from tests.tlog import reader
from tests.waiting import eventually

ORIGIN = "referee.example/log"
PERIOD_S = 0.02
"""So short that leases run out while their holder is at work."""
GAMES = 200


class Campaign:
    """A store, sequencers that write its log, players who move, and a reader who looks all the time."""

    def __init__(self, directory: Path, seed: int = 0, sequencers: int = 2) -> None:
        self._server = RedisServer(directory / "redis").start()
        self._redis = self._server.client()
        self._directory = directory / "log"
        self._directory.mkdir()
        self._games = RedisLog(self._redis, logs=True)
        self._luck = random.Random(seed)
        self._processes = [self._start() for _ in range(sequencers)]
        self._done = threading.Event()
        self.versions = [0] * GAMES
        self.moves = self.kills = 0
        self.roots: dict[int, bytes] = {}
        """The root of each size that was ever published."""
        self.sizes: list[int] = []
        self.faults: list[str] = []

    def _start(self) -> subprocess.Popen[bytes]:
        settings = {"LOG_ORIGIN": ORIGIN, "LOG_DIR": str(self._directory), "LOG_SECONDS": str(PERIOD_S)}
        environment = {**os.environ, **settings, "REDIS_URL": self._server.url, "LOG_LEVEL": "CRITICAL"}
        return subprocess.Popen([sys.executable, "-m", "workers.sequencer"], cwd=ROOT, env=environment)

    def run(self, seconds: float) -> "Campaign":
        """Play, look and kill for a time, then let the log catch up and check it."""
        threads = [threading.Thread(target=self._repeat, args=(work,)) for work in (self._move, self._look)]
        for thread in threads:
            thread.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._disturb()
        self._done.set()
        for thread in threads:
            thread.join()
        try:
            self._check()
        finally:
            for process in self._processes:
                process.terminate()
                process.wait(30)
            self._server.stop()
        return self

    def _repeat(self, work: Callable[[], None]) -> None:
        while not self._done.is_set():
            work()

    def _move(self) -> None:
        game = self.moves % GAMES
        version = self.versions[game] + 1
        self._games.append(f"g_{game}", Entry(version, b"{}", _hash(game, version)), None, None)
        self.versions[game] = version
        self.moves += 1

    def _look(self) -> None:
        note, vkey = self._redis.mget(CHECKPOINT, VKEY)
        if not isinstance(note, bytes) or not isinstance(vkey, bytes):
            return
        signed = read_signed(note.decode(), read_vkey(vkey.decode()))
        if self.sizes and signed.size < self.sizes[-1]:
            self.faults.append(f"The checkpoint of {signed.size} leaves followed that of {self.sizes[-1]}.")
        if self.roots.setdefault(signed.size, signed.root) != signed.root:
            self.faults.append(f"Two roots for {signed.size} leaves.")
        self.sizes.append(signed.size)

    def _disturb(self) -> None:
        """Kill a sequencer, or stop it for longer than its lease lasts, once the log has grown since the last time."""
        number = self._luck.randrange(len(self._processes))
        process = self._processes[number]
        roots = len(self.roots)
        eventually(lambda: len(self.roots) > roots, 60)
        time.sleep(self._luck.uniform(0.3, 0.8))  # it works for a random time
        if self._luck.random() < 0.5:
            process.kill()
            process.wait()
            self._processes[number] = self._start()
            self.kills += 1
        else:
            process.send_signal(signal.SIGSTOP)
            time.sleep(10 * PERIOD_S)  # longer than the lease lasts
            process.send_signal(signal.SIGCONT)

    def _check(self) -> None:
        """Read the log as a stranger does: every move that was last is there, and every checkpoint leads to it."""
        wanted = {_hash(game, version) for game, version in enumerate(self.versions) if version}
        entries = eventually(
            lambda: (found := self._read()) and wanted <= {_hash_in(entry) for entry in found} and found
        )
        hashes = [leaf_hash(entry) for entry in entries]
        for size, root in self.roots.items():
            if root_of(hashes[:size]) != root:
                self.faults.append(f"The checkpoint of {size} leaves is not the beginning of the log.")

    def _read(self) -> list[bytes]:
        tree = Tree(self._redis, self._directory)

        def fetch(path: str) -> bytes:
            named = read_path(path)
            found = self._redis.get(CHECKPOINT) if path == "checkpoint" else named and tree.tile(named)
            assert isinstance(found, bytes), path
            return found

        vkey = self._redis.get(VKEY)
        return reader.read_log(fetch, vkey.decode()) if isinstance(vkey, bytes) else []


def _hash(game: int, version: int) -> str:
    return f"{game:032x}{version:032x}"


def _hash_in(entry: bytes) -> str:
    return str(json.loads(entry)["hash"])


def main(arguments: list[str]) -> int:
    """Run the campaign; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.sequencers", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--sequencers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as directory:
        done = Campaign(Path(directory), options.seed, options.sequencers).run(options.seconds)
    print(
        f"seed {options.seed}: {done.moves} moves, {done.kills} sequencers killed, {len(done.roots)} checkpoints seen, "
        f"{max(done.sizes)} leaves, {len(done.faults)} faults"
    )
    for fault in done.faults:
        print(fault)
    return 1 if done.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
