"""An append-only file of Redis 6.2: the server reads all of it, and a copy of the file stays as it was.

`redis-6.2/` has two such files with five transactions each: one as it grew, one that Redis rewrote on the way.
"""

import os
from pathlib import Path

import pytest

from referee.ops.aof import DIRECTORY, FORMER_FILE, keep_former_file
from referee.ops.private import Unusable
from tests.redis_server import RedisServer, growing_file
from tests.service import Client, Service

KINDS = ("plain", "rewritten")
FILES = Path(__file__).parent / "redis-6.2"
ENTRIES = [f"entry {number}".encode() for number in range(1, 6)]


def entries(server: RedisServer) -> list[bytes]:
    """The entries in the server's log, after a check that its other keys agree."""
    redis = server.client()
    found = [fields[b"entry"] for _, fields in redis.xrange("log:{g_1}")]
    assert redis.hgetall("once:{g_1}") == {f"key {each.decode()[6:]}".encode(): each for each in found}
    assert redis.zscore("wake:{g_1}", "g_1") == len(found)
    return found


def copies(directory: Path) -> list[bytes]:
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in directory.glob("redis-6.2-*"))
    return [file.read_bytes() for file in sorted(directory.glob("redis-6.2-*"))]


@pytest.mark.parametrize("kind", KINDS)
def test_an_old_file_is_read_and_copied(tmp_path: Path, kind: str) -> None:
    content = (FILES / f"{kind}.aof").read_bytes()
    server = RedisServer(tmp_path)
    (tmp_path / FORMER_FILE).write_bytes(content)
    for _ in range(2):
        server.start()
        assert entries(server) == ENTRIES
        server.kill()
        assert copies(tmp_path) == [content]
    assert not (tmp_path / FORMER_FILE).exists(), "the server has replaced it by its own files"


@pytest.mark.parametrize("kind", KINDS)
def test_a_torn_old_file_loses_only_the_torn_transaction(tmp_path: Path, kind: str) -> None:
    content = (FILES / f"{kind}.aof").read_bytes()
    begin = content.rindex(b"*1\r\n$5\r\nMULTI\r\n")
    for cut in range(begin + 1, len(content), 29):
        server = RedisServer(tmp_path / str(cut))
        server.directory.mkdir()
        (server.directory / FORMER_FILE).write_bytes(content[:cut])
        server.start()
        assert entries(server) == ENTRIES[:4]
        server.client().set("answered", "1")
        server.kill()
        server.start()
        assert entries(server) == ENTRIES[:4]
        assert server.client().get("answered") == b"1"
        server.kill()
        assert copies(server.directory) == [content[:cut]]


def test_each_old_file_is_copied_once_and_no_copy_is_overwritten(tmp_path: Path) -> None:
    file = tmp_path / FORMER_FILE
    assert keep_former_file(tmp_path) is None
    for number, kind in enumerate(KINDS):
        file.write_bytes((FILES / f"{kind}.aof").read_bytes())
        os.utime(file, (number, number))
        (tmp_path / f"redis-6.2-19700101T00000{number}.000000Z.part").write_bytes(b"left by an interrupted start")
        assert keep_former_file(tmp_path) is not None
        assert keep_former_file(tmp_path) is None
    assert copies(tmp_path) == [(FILES / f"{kind}.aof").read_bytes() for kind in KINDS]


def test_no_server_starts_before_the_copy_is_made(tmp_path: Path) -> None:
    (tmp_path / FORMER_FILE).mkdir()
    with pytest.raises(Unusable, match="cannot be copied"):
        RedisServer(tmp_path).start()
    assert not (tmp_path / DIRECTORY).exists()


def test_a_service_continues_the_games_of_an_old_file(tmp_path: Path) -> None:
    """Redis 6.2 wrote one file of commands, so the new files are joined into one here."""
    former, later = Service(tmp_path / "former"), Service(tmp_path / "later")
    for each in (former, later):
        (each.directory / "var" / "redis").mkdir(parents=True)
    try:
        ada = former.start().player("ada")
        game = ada.started("me", "me", options={"first_seat": 0})["id"]
        assert ada.move(game, ada.legal(game, 0)["moves"][0], 0).status_code == 201
        seen = ada.game(game)
    finally:
        former.kill()
    content = growing_file(former.directory / "var" / "redis").read_bytes()
    (later.directory / "var" / "redis" / FORMER_FILE).write_bytes(content)
    try:
        there = Client(later.start().url, ada.key, ada.player)
        assert there.game(game) == seen
        assert there.get(f"/games/{game}/audit").json()["verdict"] == "running"
        assert there.move(game, there.legal(game, 1)["moves"][0], 1).status_code == 201
        assert copies(later.directory / "var" / "redis") == [content]
        assert "the server converts a file of Redis 6.2" in later.log()
    finally:
        later.kill()
