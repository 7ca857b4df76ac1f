"""`python -m referee.ops.backup DIRECTORY`: copy all data while the service runs, and verify the copy.

The copy has the layout of `VAR`: a service that starts with `VAR=DIRECTORY` continues from it, and with
`LOG_DIR=DIRECTORY/log` its transparency log does, too. Archived games are in `DIRECTORY/archive`.
"""

import argparse
import os
import shutil
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from redis import Redis

from referee.ops.aof import DIRECTORY, MANIFEST, copy_files
from referee.ops.embedded import clean_up, start_redis
from referee.ops.pack import games_in
from referee.ops.private import DIRECTORY_MODE, FILE_MODE, UMASK, Unusable, close_to_others, make_private
from referee.ops.run import SERVERS, await_redis
from referee.service.access import OVER
from referee.service.audits import audit_game, record_lines
from referee.settings import Settings, read_settings
from referee.store.archive import root_of
from referee.store.packed_game import ArchiveUnavailable
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
    if settings.archive_url:
        # Before and after the store: a file of the archive is never changed, but it can be replaced by another.
        _copy_archive(root_of(settings.archive_url), target / "archive")
    make_private(copy)
    copy_files(source, copy / DIRECTORY)
    # After the store: then every tile that the store no longer has is in the copy, and the rest can be restored.
    _copy_log(Path(settings.log_dir), target / "log")
    if settings.archive_url:
        _copy_archive(root_of(settings.archive_url), target / "archive")
        settings = replace(settings, archive_url=(target / "archive").resolve().as_uri())
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


def _copy_archive(source: Path, target: Path) -> None:
    """Copy the files of archived games that are not in the copy yet."""
    if not source.is_dir():
        raise BackupError(f"There is no archive at {source}.")
    for file in source.glob("??/g_*.xz"):
        copied = target / file.relative_to(source)
        if not copied.exists():
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copied)


def _verify(settings: Settings, redis: Redis, records: Path | None) -> Counter[str]:
    repository = make_repository(settings, redis, nudge=lambda game: None)
    counts: Counter[str] = Counter()
    for game in games_in(repository, redis):
        counts["games"] += 1
        try:
            if game.is_started:
                counts[audit_game(repository, game).verdict] += 1
            if records is not None and game.is_started and repository.newest(game).status in OVER:
                records.mkdir(exist_ok=True)
                (records / f"{game.id}.jsonl").write_bytes(b"".join(record_lines(repository, game)))
                counts["records"] += 1
        except ArchiveUnavailable:
            counts["unreadable"] += 1
    return counts


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
    shown = ", ".join(
        f"{counts[name]} {name}" for name in ("proved", "running", "failed", "unreadable", "records") if counts[name]
    )
    print(f"{options.directory}: {counts['games']} games{': ' if shown else ''}{shown}")
    return 1 if counts["failed"] or counts["unreadable"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
