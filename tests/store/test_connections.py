"""Raw connections: what a failed call leaves behind."""

import gc
from pathlib import Path

import pytest
from redis import Redis
from redis.connection import AbstractConnection
from redis.exceptions import ConnectionError

from referee.store.connections import RawConnections


def connections() -> int:
    gc.collect()
    return sum(isinstance(each, AbstractConnection) for each in gc.get_objects())


def test_calls_that_fail_leave_no_connection_behind(tmp_path: Path) -> None:
    raw = RawConnections(Redis(unix_socket_path=str(tmp_path / "nobody.sock")))
    before = connections()
    for _ in range(50):
        with pytest.raises(ConnectionError):
            raw.call("PING")
    assert connections() <= before + 1
