"""`python -m referee.ops.backup DIRECTORY`: copy all data while the service runs, and verify the copy.

The copy has the layout of `VAR`: a service that starts with `VAR=DIRECTORY` continues from it, and with
`LOG_DIR=DIRECTORY/log` its transparency log does, too.
"""

import argparse
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redis import Redis

from referee.ops.aof import DIRECTORY, MANIFEST, copy_files
from referee.ops.embedded import clean_up, start_redis
from referee.ops.private import DIRECTORY_MODE, FILE_MODE, UMASK, Unusable, close_to_others, make_private
from referee.ops.run import SERVERS, await_redis
from referee.service.access import OVER
from referee.service.audits import audit_game, record_lines
from referee.service.game import Game
from referee.service.repository import Repository
from referee.settings import Settings, read_settings
from referee.wiring import connect, make_repository


class BackupError(Exception):
    """There is no data to copy, or the target cannot be used."""


def back_up(settings: Settings, target: Path, with_records: bool = False) -> Counter[str]:
    """Copy the append-only files, load the copy, audit every game in it, and return the number of games by verdict."""
    if settings.redis_url:
        raise BackupError("REDIS_URL is set: back up that Redis with its own tools.")
    source, copy = Path(settings.var) / SERVERS[0] / DIRECTORY, target / SERVERS[0]
    if not (source / MANIFEST).exists():
        raise BackupError(f"There is no data to back up: {source / MANIFEST} does not exist.")
    if target.exists() and any(target.iterdir()):
        raise BackupError(f"{target} is not empty.")
    close_to_others(target)
    make_private(copy)
    copy_files(source, copy / DIRECTORY)
    # After the store: then every tile that the store no longer has is in the copy, and the rest can be restored.
    _copy_log(Path(settings.log_dir), target / "log")
    process, url = start_redis(copy, "no", server=settings.redis_server)
    try:
        await_redis(url)
        return _verify(settings, connect(url), target / "records" if with_records else None)
    finally:
        process.terminate()
        process.wait()
        clean_up(copy)


def _copy_log(source: Path, target: Path) -> None:
    """Copy the transparency log with its key, if there is one; files that are just being written are left out."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".*", "lock"))
        for path in (target, *target.rglob("*")):
            path.chmod(DIRECTORY_MODE if path.is_dir() else FILE_MODE)


def _verify(settings: Settings, redis: Redis, records: Path | None) -> Counter[str]:
    repository = make_repository(settings, redis, nudge=lambda game: None)
    counts: Counter[str] = Counter()
    for game in _games(repository, redis):
        counts["games"] += 1
        if game.is_started:
            counts[audit_game(repository, game).verdict] += 1
        if records is not None and game.is_started and repository.newest(game).status in OVER:
            records.mkdir(exist_ok=True)
            (records / f"{game.id}.jsonl").write_bytes(b"".join(record_lines(repository, game)))
            counts["records"] += 1
    return counts


def _games(repository: Repository, redis: Redis) -> Iterator[Game]:
    """Yield every game. A scan of all keys is acceptable because nobody else uses the copy."""
    for key in redis.scan_iter("game:*:head", count=1000):
        yield repository.game(key.decode().split(":")[2])


def main(arguments: list[str]) -> int:
    """Make a backup, and print the number of games in it."""
    parser = argparse.ArgumentParser(prog="python -m referee.ops.backup", description=__doc__)
    parser.add_argument("directory", type=Path, help="the target, which must be empty or not exist yet")
    parser.add_argument("--records", action="store_true", help="also write the record of every finished game")
    options = parser.parse_args(arguments)
    os.umask(UMASK)
    try:
        counts = back_up(read_settings(), options.directory, options.records)
    except (BackupError, Unusable) as error:
        sys.exit(str(error))
    shown = ", ".join(f"{counts[name]} {name}" for name in ("proved", "running", "failed", "records") if counts[name])
    print(f"{options.directory}: {counts['games']} games{': ' if shown else ''}{shown}")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
