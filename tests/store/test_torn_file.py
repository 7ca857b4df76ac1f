"""A file torn within a transaction: the torn part is gone after the next start and after the one that follows."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store.log import IdempotencyKey, Written
from referee.store.redis_log import RedisLog
from tests.redis_server import RedisServer, growing_file
from tests.store.entries import GAME, entry

TRANSACTION = b"*1\r\n$5\r\nMULTI\r\n"
TEARS = 24
"""The number of places, from its first byte to its last, at which the last transaction is torn."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The file of a server that was killed after two appends."""
    server = RedisServer(tmp_path_factory.mktemp("torn")).start()
    log = RedisLog(server.client())
    for version in (1, 2):
        assert log.append(GAME, entry(version), IdempotencyKey(f"key {version}", "a"), 1000 + version) == Written()
    server.kill()
    yield growing_file(server.directory)


@pytest.mark.parametrize("tear", range(TEARS))
def test_appends_after_a_torn_write_survive_the_next_start(file: Path, tmp_path: Path, tear: int) -> None:
    content = file.read_bytes()
    begin = content.rindex(TRANSACTION)
    server = RedisServer(tmp_path / "redis")
    torn = shutil.copytree(file.parent, server.directory / file.parent.name) / file.name
    os.truncate(torn, begin + 1 + (len(content) - 2 - begin) * tear // (TEARS - 1))
    log = RedisLog(server.start().client())
    assert tuple(log.read(GAME, 0)) == (entry(1),)
    others = entry(2, "other"), entry(3, "other")
    for each in others:
        assert log.append(GAME, each, IdempotencyKey(f"key {each.version} again", "a"), 2000) == Written()
    server.kill()
    log = RedisLog(server.start().client())
    assert tuple(log.read(GAME, 0)) == (entry(1), *others)
    assert log.repeated(GAME, "key 2") is None
    server.stop()
