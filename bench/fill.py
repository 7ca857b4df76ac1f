"""`python -m bench.fill`: finished games, as they are and packed: memory per game, a page of the list, the first read.

The games are copies of stored ones, each with an id, a header and a chain of hashes of its own. So each one compresses
as by itself, and is read by the service as any other.
"""

import argparse
import itertools
import json
import secrets
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from http.client import HTTPConnection
from typing import Any, NamedTuple

from msgspec.structs import replace
from redis import Redis

from bench.games import open_repository
from bench.stack import redis, web
from referee.audit.record import Record, write_record
from referee.kernel.canon import canonical, digest, steady
from referee.service.finding import Filter, find_games, lists_of
from referee.service.game import Game, Holder, encode_game
from referee.service.players import NOBODY
from referee.store.packed_game import FinishedGame, Packed
from referee.store.redis_log import key_of
from referee.table.record import Entry
from referee.table.times import milliseconds
from tests.corpus.stored_games import files, read_game

USED_SHARE = 0.7
"""The share of commits that came with an idempotency key."""
BATCH = 50
READS = 200


class Filled(NamedTuple):
    """A finished game that is stored."""

    game: Game
    entries: tuple[Entry, ...]


def copies(count: int) -> Iterator[Filled]:
    """Yield games one after the other; the stored ones take turns."""
    records = [read_game(file) for file in files()]
    finished = [each for each in records if each.secret is not None and each.header.position is None]
    for record in itertools.islice(itertools.cycle(finished), count):
        yield copy_of(record)


def copy_of(record: Record) -> Filled:
    """Return a game with the moves of a record, and with an id and a secret of its own."""
    secret = replace(record.secret, seed=secrets.token_hex(32), salt=secrets.token_hex(32))
    header, at = record.header, json.loads(record.entries[0].body)["at"]
    seats = tuple(
        Holder(f"p_{secrets.token_hex(12)}", nonce=nonce, seal=seal, salt=secrets.token_hex(32))
        for nonce, seal in zip(header.nonces, header.seals, strict=True)
    )
    game = Game(
        id=f"g_{secrets.token_hex(12)}",
        ruleset=header.ruleset,
        version=header.version,
        edition=header.edition,
        options=header.options,
        seats=seats,
        created_at=at,
        created_by=str(seats[0].player),
        secret=secret,
        terms=header.terms,
        status="finished",
    )
    before, entries = game.header.hash, []
    for entry in record.entries:
        commit = json.loads(entry.body)
        body = canonical({**commit, "prev": before, "salt": secret.blind(entry.version)})
        before = digest(body)
        entries.append(Entry(entry.version, body, before))
    return Filled(game, tuple(entries))


def _note() -> bytes:
    return steady({"awaited": [{"seat": 0, "obliged": True, "moves": ["take_cards"]}], "deadlines": [], "due": None})


def beside(filled: Filled) -> dict[str, dict[Any, Any]]:
    """Return what lies beside the log of a game: used keys and its audit."""
    used = {
        f"0:{secrets.token_hex(16)}": b"%d %s %s" % (entry.version, secrets.token_hex(16).encode(), _note())
        for entry in filled.entries[: round(USED_SHARE * len(filled.entries))]
    }
    checks = [{"name": name, "passed": True, "detail": ""} for name in ("chain", "luck", "moves", "seats", "clocks")]
    audit = {"until": 0, "attempts": 1, "body": steady({"verdict": "proved", "checks": checks}), "luck": b"[]"}
    return {"once": used, "audit": audit}


def fill(client: Redis, games: Iterable[Filled]) -> tuple[list[str], float]:
    """Store games as they are when they have ended and are audited; returns their ids and the seconds it took."""
    ids, began = [], time.perf_counter()
    rows = iter(games)
    while batch := list(itertools.islice(rows, BATCH)):
        with client.pipeline(transaction=False) as pipe:
            for each in batch:
                game, parts = each.game, beside(each)
                pipe.hset(key_of(game.id, "head"), mapping={"revision": 1, "body": encode_game(game)})
                for entry in each.entries:
                    fields = {"c": entry.body, "h": entry.hash, "a": secrets.token_hex(8)}
                    pipe.xadd(key_of(game.id, "log"), fields, id=f"{entry.version}-0")
                for name, fields in parts.items():
                    pipe.hset(key_of(game.id, name), mapping=fields)
                for name in lists_of(game):
                    pipe.zadd(f"games:{name}", {game.id: milliseconds(game.created_at) + len(ids)})
                ids.append(game.id)
            pipe.execute()
    return ids, time.perf_counter() - began


def pack_all(url: str, ids: list[str]) -> float:
    """Pack games as the workers do, but without auditing each once more; returns the seconds it took."""
    repository, began = open_repository(url), time.perf_counter()
    assert repository.finished is not None
    games = repository.finished.packed_games
    for id in ids:
        game, loose, entries = repository.game(id), games.loose(id), []
        while more := repository.log.read(id, len(entries)):
            entries += more
        assert loose is not None
        record = b"".join(write_record(game.header, entries, game.secret))
        blob, hash = FinishedGame(record, loose.beside).pack()
        assert games.pack(id, loose, entries[-1], Packed(len(entries), hash), blob)
    return time.perf_counter() - began


def timed(port: int, paths: Iterable[str]) -> list[float]:
    """Return the milliseconds of each call."""
    connection, found = HTTPConnection("127.0.0.1", port, timeout=60), []
    for path in paths:
        began = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200, (path, answer.status)
        found.append((time.perf_counter() - began) * 1000)
    connection.close()
    return found


def cpu(work: Callable[[], object]) -> float:
    """Return the milliseconds of processor time of some work, which other programs on the machine do not change."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def show(name: str, used: int, count: int, ids: list[str], url: str, port: int) -> None:
    """Print memory per game, and the times of a page and of first reads, over HTTP and as processor time."""
    pages = timed(port, ["/v1/games?limit=50"] * 50)
    reads = timed(port, [f"/v1/games/{id}" for id in ids[:: max(1, len(ids) // READS)][:READS]])
    repository = open_repository(url)
    page_cpu = [cpu(lambda: find_games(repository, NOBODY, Filter(), None, 50)) for _ in range(50)]
    read_cpu = [cpu(lambda id=id: repository.newest(repository.game(id))) for id in ids[:: max(1, len(ids) // READS)]]
    print(f"{name}: {used / count / 1024:.1f} KiB a game")
    for what, times, worked in (("a page of 50 games", pages, page_cpu), ("the first read of a game", reads, read_cpu)):
        p99, median = sorted(times)[int(len(times) * 0.99)], statistics.median(times)
        within = statistics.median(worked)
        print(f"{name}: {what}: median {median:.1f} ms, p99 {p99:.1f} ms; processor time {within:.1f} ms", flush=True)


def main() -> None:
    """Fill a Redis of its own, measure, pack everything, and measure again."""
    parser = argparse.ArgumentParser(prog="python -m bench.fill", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="the number of finished games (default: 100,000)")
    count = parser.parse_args().games
    with redis("no") as url, web(url, "wsgi:app", processes=1, LOG_LEVEL="WARNING") as port:
        client = Redis.from_url(url)
        empty = client.info("memory")["used_memory"]
        ids, seconds = fill(client, copies(count))
        full = client.info("memory")["used_memory"] - empty
        print(f"{count} games stored in {seconds:.0f} s", flush=True)
        show("as they are", full, count, ids, url, port)
        seconds = pack_all(url, ids)
        print(f"packed in {seconds:.0f} s, {seconds * 1000 / count:.1f} ms a game", flush=True)
        packed = client.info("memory")["used_memory"] - empty
        # Other games than before, which the web process has not read yet.
        show("packed", packed, count, ids[1:], url, port)
        print(f"{full / packed:.1f} times less memory")


if __name__ == "__main__":
    main()
