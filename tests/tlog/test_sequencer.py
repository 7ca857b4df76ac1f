"""The log on a real Redis and a real disk: nothing is lost, nothing is told twice, and nothing is signed in doubt."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from referee.store.log import Head, Leaf
from referee.store.redis_log import RedisLog
from referee.table.record import Entry
from referee.tlog.leaf import game_tag
from referee.tlog.leaves import Leaves
from referee.tlog.merkle import consistency_proof, inclusion_proof, is_consistent, is_included, leaf_hash, root_of
from referee.tlog.note import InvalidNote
from referee.tlog.sequencer import ALARM, CHECKPOINT, ROLLED_BACK, RolledBack, Sequencer, read_signed, signer_in
from referee.tlog.tiles import TilePath, entries_in, read_path
from referee.tlog.tree import EDGE, FULL, SIZE, Tree
from tests.redis_server import RedisServer
from tests.subjects import ROOT
from tests.tlog import reader
from tests.waiting import eventually

ORIGIN = "referee.example/log"


class Log:
    """A log with its parts."""

    def __init__(self, redis: Redis, directory: Path) -> None:
        self.redis, self.directory = redis, directory
        self.tree = Tree(redis, directory)
        self.signer = signer_in(directory, ORIGIN)
        self.sequencer = Sequencer(redis, self.tree, self.signer, directory)
        self.games = RedisLog(redis, logs=True)

    def fetch(self, path: str) -> bytes:
        if path == "checkpoint":
            note = self.redis.get(CHECKPOINT)
            assert isinstance(note, bytes)
            return note
        tile = read_path(path)
        assert tile is not None
        found = self.tree.tile(tile)
        assert found is not None, path
        return found

    def read(self) -> list[bytes]:
        return reader.read_log(self.fetch, self.signer.verifier.vkey)


@pytest.fixture
def log(redis: Redis, tmp_path: Path) -> Log:
    return Log(redis, tmp_path / "log")


def entries_of(count: int, begin: int = 0) -> list[bytes]:
    return [b"entry %d" % number for number in range(begin, begin + count)]


@pytest.mark.parametrize("sizes", [(1,), (255, 1, 1), (256,), (300, 300), (1000, 24, 65_536 - 1024, 3)])
def test_an_independent_reader_verifies_trees_of_up_to_three_levels(log: Log, sizes: tuple[int, ...]) -> None:
    written: list[bytes] = []
    for size in sizes:
        assert log.tree.append(entries_of(size, len(written))) == len(written)
        written += entries_of(size, len(written))
        checkpoint = log.sequencer.publish()
        assert checkpoint.size == len(written)
    assert log.read() == written
    edge = log.tree.edge()
    subtree, hashes = log.tree.subtrees(edge), [leaf_hash(entry) for entry in written]
    for index in {0, len(written) // 2, len(written) - 1}:
        proof = inclusion_proof(subtree, index, len(written))
        assert is_included(hashes[index], index, len(written), proof, root_of(hashes))
    for old in {1, len(written) // 3 or 1, len(written)}:
        proof = consistency_proof(subtree, old, len(written))
        assert is_consistent(old, len(written), root_of(hashes[:old]), root_of(hashes), proof)
    assert log.tree.entries(len(written) - 1, len(written)) == written[-1:]


def test_games_leave_a_leaf_when_created_moved_and_ended(log: Log) -> None:
    log.games.create(Head("g_a", 1, b"{}"), leaf=Leaf("created", "c" * 64))
    log.games.change_head(Head("g_a", 2, b"{}"), leaf=Leaf("sealed", "d" * 64))
    log.games.create(Head("g_b", 1, b"{}"), leaf=Leaf("created", "e" * 64))
    for version in (1, 2, 3):
        log.games.append("g_a", Entry(version, b"{}", f"{version}" * 64), None, None)
    assert log.sequencer.round() == 4
    log.games.append("g_a", Entry(4, b"{}", "4" * 64), None, None, leaf="finished")
    log.games.change_head(Head("g_b", 2, b"{}"), leaf=Leaf("annulled", "e" * 64))
    assert log.sequencer.round() == 2
    assert log.sequencer.round() == 0
    leaves = [json.loads(entry) for entry in log.read()]
    told = [(leaf["kind"], leaf["version"], leaf["hash"][0]) for leaf in leaves if leaf["game"] == game_tag("g_a")]
    assert told == [("created", 0, "c"), ("sealed", 0, "d"), ("head", 3, "3"), ("finished", 4, "4")]
    assert [leaf["kind"] for leaf in leaves if leaf["game"] == game_tag("g_b")] == ["created", "annulled"]
    assert [index for index, _ in Leaves(log.redis).of_game("g_b")] == [3, 5]
    assert b"g_a" not in b"".join(log.read())


def test_without_an_origin_games_leave_no_leaf(redis: Redis) -> None:
    games = RedisLog(redis)
    games.create(Head("g_a", 1, b"{}"), leaf=Leaf("created", "c" * 64))
    games.append("g_a", Entry(1, b"{}", "1" * 64), None, None)
    assert Leaves(redis).pending() == []


def test_a_game_that_goes_on_while_it_is_logged_is_logged_again(log: Log) -> None:
    log.games.append("g_a", Entry(1, b"{}", "1" * 64), None, None)
    pending = Leaves(log.redis).pending()
    log.games.append("g_a", Entry(2, b"{}", "2" * 64), None, None)
    Leaves(log.redis).logged(pending, log.tree.append([leaf.entry for leaf in pending]))
    assert [leaf.version for leaf in Leaves(log.redis).pending()] == [2]


def test_a_crash_between_tree_and_forgetting_repeats_a_leaf_and_loses_none(log: Log) -> None:
    log.games.append("g_a", Entry(1, b"{}", "1" * 64), None, None)
    log.tree.append([leaf.entry for leaf in Leaves(log.redis).pending()])
    log.sequencer.round()
    assert len(log.read()) == 2
    assert len(set(log.read())) == 1


def test_sequencers_that_append_at_once_agree_on_one_tree(log: Log) -> None:
    trees = [Tree(log.redis, log.directory) for _ in range(4)]

    def write(number: int) -> None:
        for turn in range(25):
            trees[number % 4].append([b"%d %d %d" % (number, turn, each) for each in range(7)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    log.sequencer.publish()
    found = log.read()
    assert len(found) == len(set(found)) == 8 * 25 * 7


def test_a_full_tile_survives_a_crash_before_the_disk_and_a_loser_changes_nothing(log: Log) -> None:
    log.tree.append(entries_of(200))
    log.tree.append(entries_of(100, 200))
    assert log.redis.hlen(FULL) == 2
    other = Tree(log.redis, log.directory)
    assert other.tile(TilePath(0, 0)) is not None
    other.flush()
    assert log.redis.hlen(FULL) == 0
    log.sequencer.publish()
    assert log.read() == entries_of(300)


def test_a_tree_that_was_set_back_is_not_signed_and_is_restored_from_disk(log: Log) -> None:
    log.tree.append(entries_of(300))
    log.sequencer.publish()
    dump = {key: log.redis.dump(key) for key in (SIZE, EDGE, CHECKPOINT)}
    log.tree.append(entries_of(50, 300))
    signed = log.sequencer.publish()
    for key, value in dump.items():
        log.redis.restore(key, 0, value, replace=True)
    log.games.append("g_a", Entry(1, b"{}", "1" * 64), None, None)
    for _ in range(2):
        with pytest.raises(RolledBack):
            log.sequencer.round()
    assert log.redis.get(ALARM) == ROLLED_BACK.encode()
    assert log.tree.edge().size == 300
    assert log.tree.restore().size == 350
    log.sequencer.round()
    assert log.redis.get(ALARM) is None
    assert log.read()[:350] == entries_of(350)
    edge = log.tree.edge()
    proof = consistency_proof(log.tree.subtrees(edge), signed.size, edge.size)
    assert is_consistent(signed.size, edge.size, signed.root, log.tree.root(edge, edge.size), proof)


def test_another_tree_of_the_same_size_is_not_signed(log: Log) -> None:
    log.tree.append(entries_of(10))
    log.sequencer.publish()
    log.redis.delete(SIZE, EDGE, CHECKPOINT)
    log.tree.append(entries_of(11, 500))
    with pytest.raises(RolledBack):
        log.sequencer.publish()


@pytest.mark.parametrize("level", ["0", "1"])
def test_a_flipped_bit_in_the_edge_stops_signing(log: Log, level: str) -> None:
    log.tree.append(entries_of(700))
    signed = log.sequencer.publish()
    tile = bytearray(log.redis.hget(EDGE, level) or b"")
    tile[5] ^= 1
    log.redis.hset(EDGE, level, bytes(tile))
    log.tree.append(entries_of(1, 700))
    with pytest.raises(RolledBack):
        log.sequencer.publish()
    assert read_signed(log.fetch("checkpoint").decode(), log.signer.verifier) == signed


def test_the_key_is_private_and_of_one_origin(log: Log) -> None:
    assert (log.directory / "key").stat().st_mode & 0o777 == 0o600
    assert signer_in(log.directory, ORIGIN).verifier == log.signer.verifier
    with pytest.raises(InvalidNote):
        signer_in(log.directory, "other.example/log")


def test_a_lease_lets_one_sequencer_work(log: Log) -> None:
    other = Sequencer(log.redis, log.tree, log.signer, log.directory)
    assert log.sequencer.holds_lease(10_000)
    assert log.sequencer.holds_lease(10_000)
    assert not other.holds_lease(10_000)


KILLED = """
import os, sys, traceback
from pathlib import Path
from redis import Redis
from redis.connection import Connection
from referee.tlog import tree
from referee.tlog.sequencer import Sequencer, signer_in

def dying(left):
    def die_at(function):
        def called(*args, **kwargs):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), 9)
            return function(*args, **kwargs)
        return called
    return die_at

def sequence(write):
    die_at = dying([write])
    tree.os.fsync = die_at(os.fsync)
    Connection.send_packed_command = die_at(Connection.send_packed_command)
    Path.replace = die_at(Path.replace)
    redis, directory = Redis.from_url(sys.argv[1]), Path(sys.argv[2])
    Sequencer(redis, tree.Tree(redis, directory), signer_in(directory, "referee.example/log"), directory).round()

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            sequence(int(line))
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Sequencers, each of which is killed before one of its writes: to the disk, to Redis, or of a name."""


def test_a_sequencer_killed_at_any_write_loses_no_leaf_and_never_signs_two_roots(log: Log, server: RedisServer) -> None:
    roots: dict[int, bytes] = {}
    written, was_killed = set[str](), 0
    command = [sys.executable, "-c", KILLED, server.url, str(log.directory)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as killed:
        assert killed.stdin is not None and killed.stdout is not None
        for write in range(1, 40):
            for number in range(90):
                hash = f"{write:032x}{number:032x}"
                log.games.append(f"g_{write}_{number}", Entry(1, b"{}", hash), None, None)
                written.add(hash)
            killed.stdin.write(f"{write}\n")
            killed.stdin.flush()
            status = int(killed.stdout.readline())
            assert status in (0, -signal.SIGKILL)
            was_killed += status != 0
            note = log.redis.get(CHECKPOINT)
            files = [file.read_text() for file in (log.directory / "checkpoint",) if file.exists()]
            for each in [*files, *([note.decode()] if isinstance(note, bytes) else [])]:
                signed = read_signed(each, log.signer.verifier)
                assert roots.setdefault(signed.size, signed.root) == signed.root
            if status == 0:
                break
    assert was_killed > 10
    log.sequencer.round()
    assert {json.loads(entry)["hash"] for entry in log.read()} == written


ROUNDS = """
import logging, sys
from resource import RLIM_INFINITY, RLIMIT_FSIZE, setrlimit
from workers.sequencer import make_sequencer, try_round
from referee.settings import read_settings

logging.basicConfig(stream=sys.stdout, format="%(message)s")
for line in sys.stdin:
    sequencer = make_sequencer(read_settings())
    setrlimit(RLIMIT_FSIZE, (int(line), RLIM_INFINITY))
    try_round(sequencer, 1)
    print("done", flush=True)
"""
"""Rounds of new sequencers, whose files may have at most the given size."""


def test_a_full_disk_stops_checkpoints_and_not_moves(log: Log, server: RedisServer) -> None:
    settings = {"LOG_ORIGIN": ORIGIN, "LOG_DIR": str(log.directory), "REDIS_URL": server.url}
    command, environment = [sys.executable, "-c", ROUNDS], {**os.environ, **settings}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as rounds:
        assert rounds.stdin is not None and rounds.stdout is not None
        stdin, stdout = rounds.stdin, rounds.stdout

        def sequence(bytes_max: int) -> str:
            """One round of a sequencer; returns what it logs."""
            stdin.write(f"{bytes_max}\n")
            stdin.flush()
            return "".join(iter(stdout.readline, "done\n"))

        sequence(10**6)
        signed = log.fetch("checkpoint")
        for turn in range(3):
            for number in range(300):
                log.games.append(f"g_{turn}_{number}", Entry(1, b"{}", f"{turn:032x}{number:032x}"), None, None)
            assert "no checkpoint now" in sequence(1000)
            eventually(lambda: not log.redis.exists("{tlog}:lease"))
        assert log.fetch("checkpoint") == signed
        assert Leaves(log.redis).pending() == []
        assert sequence(10**6) == ""
    assert len(log.read()) == 900


@pytest.mark.parametrize(
    "path",
    [
        *("tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/999", "tile/0/000.p/01", "tile/64/000", "tile/-1/000"),
        *("tile/0/-01", "tile/0/00", "tile/0/0000", "tile/0/x000/000", "tile/0/x001", "tile/0/../key", "tile/0/000.p"),
        *("tile/00/000", "tile/0/\uff10\uff10\uff10", "tile/entries", "tile/entries/000.p/", "../key", "key", "edge"),
        *("tile/0/" + "x001/" * 60 + "000", "tile/0/000/", "/tile/0/000", "tile//0/000"),
    ],
)
def test_a_path_that_the_specification_does_not_have_is_no_tile(path: str) -> None:
    assert read_path(path) is None


def test_paths_are_spelled_as_the_specification_spells_them(log: Log) -> None:
    assert TilePath(2, 1_234_067, 7).text == "tile/2/x001/x234/067.p/7"
    assert read_path("tile/entries/x001/x234/067") == TilePath(-1, 1_234_067)
    log.tree.append(entries_of(300))
    assert log.tree.tile(TilePath(0, 1, 44)) is not None
    assert log.tree.tile(TilePath(0, 0, 10)) is not None
    assert entries_in(log.tree.tile(TilePath(-1, 1, 3)) or b"") == entries_of(3, 256)
    for beyond in (TilePath(0, 1, 45), TilePath(0, 2, 1), TilePath(0, 1), TilePath(5, 0), TilePath(5, 0, 1)):
        assert log.tree.tile(beyond) is None
