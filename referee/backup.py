"""`python -m referee.backup DIRECTORY`: a copy of everything while the service runs, read back to see that it is whole.

The copy is laid out like `VAR`: start a service with `VAR=DIRECTORY`, and it goes on from there.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redis import Redis

from referee.aof import DIRECTORY, MANIFEST, copy_files
from referee.embedded import clear_away, start_redis
from referee.private import UMASK, Unusable, close_to_others, make_private
from referee.run import SERVERS, await_redis
from referee.service.access import OVER
from referee.service.audits import audit_game, record_lines
from referee.service.desk import Desk
from referee.service.game import Game
from referee.settings import Settings, read_settings
from referee.wiring import connect, make_desk


class NotBackedUp(Exception):
    """There is nothing to copy, or no place for it."""


def back_up(settings: Settings, target: Path, with_records: bool = False) -> Counter[str]:
    """Copy the append-only files, read them back, and audit every game; gives the number of games by verdict."""
    if settings.redis_url:
        raise NotBackedUp("REDIS_URL is set: back up that Redis as its manual says.")
    source, kept = Path(settings.var) / SERVERS[0] / DIRECTORY, target / SERVERS[0]
    if not (source / MANIFEST).exists():
        raise NotBackedUp(f"{source / MANIFEST} does not exist.")
    if target.exists() and any(target.iterdir()):
        raise NotBackedUp(f"{target} is not empty.")
    close_to_others(target)
    make_private(kept)
    copy_files(source, kept / DIRECTORY)
    process, url = start_redis(kept, "no")
    try:
        await_redis(url)
        return _read_back(settings, connect(url), target / "records" if with_records else None)
    finally:
        process.terminate()
        process.wait()
        clear_away(kept)


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


def main(arguments: list[str]) -> int:
    """Make a backup and tell what is in it."""
    parser = argparse.ArgumentParser(prog="python -m referee.backup", description=__doc__)
    parser.add_argument("directory", type=Path, help="where to: a directory that is empty or does not exist")
    parser.add_argument("--records", action="store_true", help="write the record of every game that is over, too")
    given = parser.parse_args(arguments)
    os.umask(UMASK)
    try:
        found = back_up(read_settings(), given.directory, given.records)
    except (NotBackedUp, Unusable) as error:
        sys.exit(str(error))
    told = ", ".join(f"{found[name]} {name}" for name in ("proved", "running", "failed", "records") if found[name])
    print(f"{given.directory}: {found['games']} games{': ' if told else ''}{told}")
    return 1 if found["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
