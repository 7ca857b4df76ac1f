"""`python -m referee.backup DIRECTORY`: a copy of everything while the service runs, read back to see that it is whole.

The copy is laid out like `VAR`: start a service with `VAR=DIRECTORY`, and it goes on from there.
"""

import argparse
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redis import Redis

from referee.aof import mend
from referee.embedded import start_redis
from referee.run import SERVERS, await_redis
from referee.service.access import OVER
from referee.service.audits import audit_game, record_lines
from referee.service.desk import Desk
from referee.service.game import Game
from referee.settings import Settings, read_settings
from referee.wiring import connect, make_desk

FILE = "appendonly.aof"
LEFT_BY_THE_SERVER = ("redis.log", "redis.sock", "lock")


class NotBackedUp(Exception):
    """There is nothing to copy, or no place for it."""


def back_up(settings: Settings, target: Path, with_records: bool = False) -> Counter[str]:
    """Copy the append-only file, read it back, and audit every game of it; gives the number of games by verdict."""
    if settings.redis_url:
        raise NotBackedUp("REDIS_URL is set: back up that Redis as its manual says.")
    source, kept = Path(settings.var) / SERVERS[0] / FILE, target / SERVERS[0]
    if not source.exists():
        raise NotBackedUp(f"{source} does not exist.")
    if target.exists() and any(target.iterdir()):
        raise NotBackedUp(f"{target} is not empty.")
    kept.mkdir(parents=True)
    shutil.copy(source, kept / FILE)
    mend(kept / FILE)
    process, url = start_redis(kept, "no")
    try:
        await_redis(url)
        return _read_back(settings, connect(url), target / "records" if with_records else None)
    finally:
        process.terminate()
        process.wait()
        for name in LEFT_BY_THE_SERVER:
            (kept / name).unlink(missing_ok=True)
        _settle(kept / FILE)


def _read_back(settings: Settings, redis: Redis, records: Path | None) -> Counter[str]:
    desk = make_desk(settings, redis, nudge=lambda game: None)
    found: Counter[str] = Counter()
    for game in _games(desk, redis):
        found["games"] += 1
        if game.is_started:
            found[audit_game(desk, game).verdict] += 1
        if records is not None and game.is_started and desk.newest(game).status in OVER:
            records.mkdir(exist_ok=True)
            (records / f"{game.id}.jsonl").write_bytes(b"".join(record_lines(desk, game)))
            found["records"] += 1
    return found


def _games(desk: Desk, redis: Redis) -> Iterator[Game]:
    """Every game. The copy serves nobody, so that all of its keys may be gone through."""
    for key in redis.scan_iter("game:*:head", count=1000):
        yield desk.game(key.decode().split(":")[2])


def _settle(file: Path) -> None:
    """See to it that the copy is on its disk."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def main(arguments: list[str]) -> int:
    """Make a backup and tell what is in it."""
    parser = argparse.ArgumentParser(prog="python -m referee.backup", description=__doc__)
    parser.add_argument("directory", type=Path, help="where to: a directory that is empty or does not exist")
    parser.add_argument("--records", action="store_true", help="write the record of every game that is over, too")
    given = parser.parse_args(arguments)
    try:
        found = back_up(read_settings(), given.directory, given.records)
    except NotBackedUp as error:
        sys.exit(str(error))
    told = ", ".join(f"{found[name]} {name}" for name in ("proved", "running", "failed", "records") if found[name])
    print(f"{given.directory}: {found['games']} games{': ' if told else ''}{told}")
    return 1 if found["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
