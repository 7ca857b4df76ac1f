"""Measures the transparency log: a round of the sequencer, proofs in a large tree, disk per leaf; and sealed starts."""

import secrets
import statistics
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.games import make_player, open_repository
from bench.stack import redis, web, worker
from bench.workers import _await, _post, commits
from referee.kernel.canon import canonical
from referee.store.redis_log import RedisLog
from referee.table.record import Entry, seal_of
from referee.table.times import milliseconds
from referee.tlog.merkle import consistency_proof, inclusion_proof, is_consistent, is_included, leaf_hash
from referee.tlog.sequencer import Sequencer, signer_in
from referee.tlog.tree import EDGE, SIZE, Edge, Tree, _stored, grown
from referee.wiring import connect

ORIGIN = "referee.example/log"
BATCH = 8192


def rounds(games: int = 1000, count: int = 5) -> dict[str, float]:
    """Return the median milliseconds of a round in which this number of games have changed, as CPU time and in all."""
    cpu, wall = [], []
    with redis() as url, tempfile.TemporaryDirectory() as name:
        directory, connected = Path(name), connect(url)
        sequencer = Sequencer(connected, Tree(connected, directory), signer_in(directory, ORIGIN), directory)
        log = RedisLog(connected, logs=True)
        for turn in range(1, count + 1):
            for game in range(games):
                log.append(f"g_{game}", Entry(turn, b"{}", f"{turn:032x}{game:032x}"), None, None)
            began = time.process_time(), time.perf_counter()
            assert sequencer.round() == games
            cpu.append(time.process_time() - began[0])
            wall.append(time.perf_counter() - began[1])
    return {"cpu_ms": statistics.median(cpu) * 1000, "wall_ms": statistics.median(wall) * 1000}


def entry_of(number: int) -> bytes:
    """Return a leaf as games leave it."""
    hash = sha256(b"%d" % number).hexdigest()
    return canonical({"game": hash[:32], "hash": hash, "kind": "head", "version": number % 200})


def proofs(leaves: int = 1_000_000, samples: int = 200) -> dict[str, float]:
    """Return the median microseconds of CPU time to make and to check proofs, and the bytes of disk per leaf."""
    with redis() as url, tempfile.TemporaryDirectory() as name:
        directory, connected = Path(name), connect(url)
        edge = _planted(directory, leaves)
        connected.set(SIZE, edge.size)
        connected.hset(EDGE, mapping={str(level): tile for level, tile in edge.tiles.items()})
        tree = Tree(connected, directory)
        tree.flush()
        root = tree.root(edge, leaves)
        places = [number * leaves // samples for number in range(1, samples)]
        included = [_timed(lambda at=at: inclusion_proof(tree.subtrees(tree.edge()), at, leaves)) for at in places]
        grew = [_timed(lambda at=at: consistency_proof(tree.subtrees(tree.edge()), at, leaves)) for at in places]
        roots = {at: tree.root(edge, at) for at in places}
        hashes = {at: leaf_hash(entry_of(at)) for at in places}
        checked = [
            _timed(lambda at=at, proof=proof: is_included(hashes[at], at, leaves, proof, root))
            for at, (_, proof) in zip(places, included, strict=True)
        ]
        compared = [
            _timed(lambda at=at, proof=proof: is_consistent(at, leaves, roots[at], root, proof))
            for at, (_, proof) in zip(places, grew, strict=True)
        ]
        assert all(holds for _, holds in (*checked, *compared))
        disk = sum(file.stat().st_blocks * 512 for file in directory.rglob("*") if file.is_file())
        bytes_in_files = sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())
    figures = {"included_us": included, "consistent_us": grew, "checked_us": checked, "compared_us": compared}
    medians = {key: statistics.median(seconds for seconds, _ in found) * 1e6 for key, found in figures.items()}
    return {**medians, "disk_bytes_per_leaf": disk / leaves, "file_bytes_per_leaf": bytes_in_files / leaves}


def _planted(directory: Path, leaves: int) -> Edge:
    """Write the full tiles of a tree as the sequencer does, without syncing each; returns its edge."""
    edge = Edge(0, {})
    for begin in range(0, leaves, BATCH):
        edge, full = grown(edge, [entry_of(number) for number in range(begin, min(begin + BATCH, leaves))])
        for path, tile in full.items():
            file = directory / path.text
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(_stored(path.text.encode(), tile))
    return edge


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.process_time()
    done = work()
    return time.process_time() - began, done


def sealed_starts(samples: int = 50) -> list[float]:
    """Return the milliseconds from the last seat to the first commit, in games of a player who seals and a bot."""
    delays = []
    with redis() as url, web(url, "wsgi:app") as port, worker(url):
        repository = open_repository(url)
        _, key = make_player(repository)
        body = {"ruleset": "catham-city", "seats": ["open", {"bot": "random"}]}
        for _ in range(samples):
            id = _post(port, "/v1/games", key, body)["id"]
            link = secrets.token_hex(32)
            full = _post(port, f"/v1/games/{id}/seats", key, {"seal": seal_of(id, link)})
            taken = milliseconds(full["reveal_until"]) - full["terms"]["reveal_s"] * 1000
            _post(port, f"/v1/games/{id}/seats/0/reveal", key, {"link": link})
            _await(lambda id=id: repository.log.read(id, 0, 1))
            repository.games.forget(id)
            delays.append(milliseconds(commits(repository, id)[0].at) - taken)
    return delays
