"""Append-only files that are copied while a server appends to them and rewrites them: each copy is complete."""

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis, ResponseError

from referee.ops.aof import DIRECTORY, MANIFEST, OUT_OF_USE, copy_files
from referee.ops.private import Unusable
from tests.redis_server import RedisServer
from tests.waiting import eventually


class Writer(threading.Thread):
    """Writes one number after the other, and knows the last one that was answered."""

    def __init__(self, server: RedisServer) -> None:
        super().__init__()
        self._redis = server.client()
        self._is_stopped = False
        self.answered = 0

    def run(self) -> None:
        for number in itertools.count(1):
            if self._is_stopped:
                return
            self._redis.rpush("numbers", number)
            self.answered = number

    def stop(self) -> None:
        self._is_stopped = True
        self.join()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    running = RedisServer(tmp_path / "busy").start()
    yield running
    running.stop()


def test_a_copy_has_every_answered_write_and_no_gaps(server: RedisServer, tmp_path: Path) -> None:
    redis, writer = server.client(), Writer(server)
    writer.start()
    manifests = set()
    try:
        for number in range(12):
            eventually(lambda number=number: writer.answered > 50 * number)
            if number % 3:
                rewrite_files(redis)
            answered = writer.answered
            copy = RedisServer(tmp_path / f"copy{number}")
            copy.directory.mkdir()
            copy_files(server.directory / DIRECTORY, copy.directory / DIRECTORY)
            manifests.add((copy.directory / DIRECTORY / MANIFEST).read_text())
            copy.start()
            found = [int(each) for each in copy.client().lrange("numbers", 0, -1)]
            copy.stop()
            assert found == list(range(1, len(found) + 1))
            assert len(found) >= answered
    finally:
        writer.stop()
    assert len(manifests) > 3
    assert not any(OUT_OF_USE in each for each in manifests)


def rewrite_files(redis: Redis) -> None:
    """Let Redis rewrite its files, unless it is doing so already."""
    try:
        redis.bgrewriteaof()
    except ResponseError as error:
        assert "already in progress" in str(error)


def test_copying_files_that_keep_changing_is_given_up(server: RedisServer, tmp_path: Path) -> None:
    files = server.directory / DIRECTORY
    server.stop()
    (files / MANIFEST).write_text("file gone.aof seq 1 type b\n")
    with pytest.raises(Unusable, match="10 attempts to copy it: try again"):
        copy_files(files, tmp_path / "copy")
