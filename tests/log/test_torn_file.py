"""A file torn within a transaction: neither at the next start nor at the one after it is anything lost or risen."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.aof import TAIL_BYTES, mend
from referee.log.log import Once, Written
from referee.log.redis_log import RedisLog
from tests.log.entries import GAME, entry
from tests.redis_server import RedisServer


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file of a server that was killed after two appends."""
    server = RedisServer(tmp_path_factory.mktemp("torn")).start()
    log = RedisLog(server.client())
    for version in (1, 2):
        assert log.append(GAME, entry(version), Once(f"key {version}", "a"), 1000 + version) == Written()
    server.kill()
    return server.directory / "appendonly.aof"


def begin_of_the_last(content: bytes) -> int:
    return content.rindex(b"*1\r\n$5\r\nMULTI\r\n")


def test_an_unfinished_transaction_is_taken_off_wherever_it_is_torn(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    begin = begin_of_the_last(content)
    torn = tmp_path / "torn.aof"
    for cut in range(begin + 1, len(content)):
        torn.write_bytes(content[:cut])
        mend(torn)
        left = torn.read_bytes()
        assert left == content[:begin] or (cut < begin + 16 and left == content[:cut]), cut


def test_a_whole_file_stays_as_it_is(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    copy = tmp_path / "whole.aof"
    commands = b"*2\r\n$3\r\nDEL\r\n$1\r\na\r\n"
    within = b"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$15\r\n*1\r\n$5\r\nMULTI\r\n\r\n"
    for whole in (
        content,
        content + commands,
        content + commands[:-3],
        content + within,
        b"",
        commands,
        b"REDIS0009\xff",
    ):
        copy.write_bytes(whole)
        assert mend(copy) == 0
        assert copy.read_bytes() == whole
    assert mend(tmp_path / "none.aof") == 0


def test_a_transaction_longer_than_the_first_look_is_found(file: Path, tmp_path: Path) -> None:
    content = file.read_bytes()
    long = tmp_path / "long.aof"
    value = b"x" * TAIL_BYTES[0]
    torn = b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$%d\r\n%s\r\n*1\r\n$4\r\nEX" % (len(value), value)
    long.write_bytes(content + torn)
    assert mend(long) == len(torn)
    assert long.read_bytes() == content


@pytest.mark.parametrize("back", [1, 10, 20, 60, 90])
def test_what_is_answered_after_a_torn_write_is_there_after_the_next_start(
    file: Path, tmp_path: Path, back: int
) -> None:
    server = RedisServer(tmp_path / "redis")
    server.directory.mkdir()
    torn = server.directory / file.name
    shutil.copy(file, torn)
    with torn.open("r+b") as copy:
        copy.truncate(file.stat().st_size - back)
    log = RedisLog(server.start().client())
    assert tuple(log.read(GAME, 0)) == (entry(1),)
    others = entry(2, "other"), entry(3, "other")
    for each in others:
        assert log.append(GAME, each, Once(f"key {each.version} again", "a"), 2000) == Written()
    server.kill()
    log = RedisLog(server.start().client())
    assert tuple(log.read(GAME, 0)) == (entry(1), *others)
    assert log.repeated(GAME, "key 2") is None
    server.stop()
