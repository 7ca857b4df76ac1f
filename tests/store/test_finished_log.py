"""The log with packed games: a game is packed only as it is, and then nothing can be appended to it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.kernel.canon import digest
from referee.store.archive import WRITING, Archive, InvalidArchive, root_of
from referee.store.finished_log import FinishedLog
from referee.store.log import Behind, Head, IdempotencyKey, Repeated, Written
from referee.store.packed_game import ArchiveUnavailable, FinishedGame, Packed
from referee.store.packed_games import Loose, PackedGames
from referee.table.record import Entry
from tests.redis_server import RedisServer

GAME = "g_" + "0" * 24


def entry(version: int) -> Entry:
    body = b'{"version":%d}' % version
    return Entry(version, body, digest(body))


def entries(count: int) -> tuple[Entry, ...]:
    return tuple(entry(version) for version in range(1, count + 1))


KEY = IdempotencyKey("0:key", "a")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    (tmp_path / "archive").mkdir()
    return Archive(tmp_path / "archive", lambda work: work())


@pytest.fixture
def log(redis_server: RedisServer, archive: Archive) -> FinishedLog:
    """The log with a game of three entries that is over and audited."""
    redis = redis_server.client()
    redis.flushall()
    log = FinishedLog(redis, archive=archive)
    log.create(Head(GAME, 1, b"head"))
    for number in (1, 2, 3):
        log.append(GAME, entry(number), KEY if number == 2 else None, None)
    log.begin_audit(GAME, 0, 1)
    log.end_audit(GAME, b"{}", b"[]")
    return log


def record() -> bytes:
    lines = [b'{"commit":' + each.body + b',"hash":"' + each.hash.encode() + b'"}\n' for each in entries(3)]
    return b"".join((b'{"header":{}}\n', *lines, b'{"secret":{}}\n'))


def pack(log: FinishedLog, change: "Iterator[object] | None" = None) -> bool:
    """Pack the game; with a change, that is made between reading and packing it."""
    loose = log.packed_games.loose(GAME)
    assert loose is not None
    blob, hash = FinishedGame(record(), loose.beside).pack()
    if change is not None:
        next(change)
    return log.packed_games.pack(GAME, loose, entry(3), Packed(3, hash), blob)


def test_nothing_follows_a_packed_game(log: FinishedLog) -> None:
    assert pack(log)
    assert pack_again(log), "a script that is sent twice answers as the first time"
    for version in (1, 3, 4):
        assert log.append(GAME, entry(version), None, None) == Behind(())
    assert tuple(log.read(GAME, 0)) == entries(3)
    assert tuple(log.read(GAME, 1, 1)) == entries(3)[1:2]
    assert tuple(log.read(GAME, 3)) == ()
    assert log.length(GAME) == 3
    assert log.heads([GAME, "g_none"]) == [(Head(GAME, 1, b"head"), 3)]
    assert log.repeated(GAME, KEY.key) == Repeated(2, "a")
    assert (log.audit(GAME), log.luck(GAME), log.begin_audit(GAME, 5, 6)) == (b"{}", b"[]", 0)
    log.wake(GAME, 7, 3)
    assert log.due_games(2**52, 10) == []


def pack_again(log: FinishedLog) -> bool:
    packed = log.packed_games.packed(GAME)
    assert packed is not None
    finished = log.packed_games.finished(GAME)
    assert finished is not None
    blob, _ = finished.pack()
    return log.packed_games.pack(GAME, Loose(1, (1, 0, 0, 3), finished.beside), entry(3), packed, blob)


CHANGES = {
    "append": lambda log: log.append(GAME, entry(4), None, None),
    "erase": lambda log: log.erase(GAME, (), ("0",)),
    "text": lambda log: log.keep_text(GAME, "hash", b"{}"),
    "head": lambda log: log.change_head(Head(GAME, 2, b"changed")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_game_that_changes_while_it_is_packed_stays_as_it_is(log: FinishedLog, change: str) -> None:
    assert not pack(log, (CHANGES[change](log) for _ in range(1)))
    assert log.packed_games.packed(GAME) is None
    assert tuple(log.read(GAME, 0))[:3] == entries(3)


def test_other_games_are_not_affected(log: FinishedLog) -> None:
    log.create(Head("g_other", 1, b"other"))
    assert pack(log)
    assert log.append("g_other", entry(1), None, None) == Written()
    assert [(head.game, length) for head, length in log.heads(["g_other", GAME])] == [("g_other", 1), (GAME, 3)]


def test_who_archives_old_bytes_late_removes_them_again(
    log: FinishedLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archive: Archive
) -> None:
    assert pack(log)
    keep, erased = archive.keep, []

    def late(game: str, hash: str, blob: bytes) -> None:
        keep(game, hash, blob)
        if not erased:
            erased.append(log.packed_games.erase(GAME, (), ("0",)))
            keep(game, hash, blob)

    monkeypatch.setattr(archive, "keep", late)
    log.packed_games.archive(GAME)
    assert erased == [True]
    packed = log.packed_games.packed(GAME)
    assert packed is not None
    assert packed.archived
    (file,) = (tmp_path / "archive").rglob("*.xz")
    assert packed.sha256[:16] in file.name
    assert log.repeated(GAME, KEY.key) is None
    assert tuple(log.read(GAME, 0)) == entries(3)


def test_the_memory_of_unpacked_games_is_bounded(log: FinishedLog, archive: Archive) -> None:
    assert pack(log)
    finished = log.packed_games.finished(GAME)
    assert finished is not None
    assert log.packed_games.finished(GAME) is finished
    for most, is_same in ((finished.bytes_in_memory, True), (finished.bytes_in_memory - 1, False)):
        games = PackedGames(log._connections, archive, most)
        assert (games.finished(GAME) is games.finished(GAME)) == is_same


def test_an_archive_gives_its_own_names_and_follows_no_link(archive: Archive, tmp_path: Path) -> None:
    hash = "ab" * 32
    for game, named in (("g_../../../../etc/passwd", hash), (GAME, "../" + "a" * 61), (GAME + "\n", hash), (GAME, "")):
        with pytest.raises(ArchiveUnavailable):
            archive.read(game, named)
        with pytest.raises(ArchiveUnavailable):
            archive.keep(game, named, b"")
    archive.keep(GAME, hash, b"bytes")
    (file,) = (tmp_path / "archive").rglob("*.xz")
    assert archive.read(GAME, hash) == b"bytes"
    begun = tmp_path / "archive" / WRITING / f"{GAME}-{'0' * 16}.jsonl.xz.0"
    begun.touch()
    archive.keep_only(GAME, hash)
    assert (file.exists(), begun.exists()) == (True, False)
    archive.keep_only(GAME, "cd" * 32)
    assert not file.exists()
    os.symlink("/etc/hostname", file)
    with pytest.raises(ArchiveUnavailable):
        archive.read(GAME, hash)


def test_only_the_url_of_a_directory_names_an_archive() -> None:
    assert root_of("file:///srv/finished%20games") == Path("/srv/finished games")
    for url in ("", "/srv", "file:srv", "file://host/srv", "https:///srv", "file:///srv?x"):
        with pytest.raises(InvalidArchive):
            root_of(url)
