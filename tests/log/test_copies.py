"""Append-only files that are copied while a server writes them, and writes them anew: each copy is whole."""

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis, ResponseError

from referee.aof import DIRECTORY, MANIFEST, OUT_OF_USE, copy_files
from referee.private import Unusable
from tests.redis_server import RedisServer
from tests.waiting import eventually


class Writer(threading.Thread):
    """Writes the next number again and again, and knows the last one that was answered."""

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


def test_a_copy_has_all_that_was_answered_before_it_and_nothing_without_what_came_before(
    server: RedisServer, tmp_path: Path
) -> None:
    redis, writer = server.client(), Writer(server)
    writer.start()
    manifests = set()
    try:
        for number in range(12):
            eventually(lambda number=number: writer.answered > 50 * number)
            if number % 3:
                begin_anew(redis)
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


def begin_anew(redis: Redis) -> None:
    """Have the files written anew, unless that is under way."""
    try:
        redis.bgrewriteaof()
    except ResponseError as error:
        assert "already in progress" in str(error)


def test_files_that_never_come_to_rest_are_not_copied_for_ever(server: RedisServer, tmp_path: Path) -> None:
    files = server.directory / DIRECTORY
    server.stop()
    (files / MANIFEST).write_text("file gone.aof seq 1 type b\n")
    with pytest.raises(Unusable, match="10 times: try again"):
        copy_files(files, tmp_path / "copy")
