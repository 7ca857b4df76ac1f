"""Redis commands with little overhead, confirmed by replicas where that is required."""

import threading
from collections.abc import Sequence
from hashlib import sha1
from typing import Any

import hiredis
from redis import Redis
from redis.exceptions import ConnectionError, NoScriptError, RedisError, ResponseError, TimeoutError

CONNECTIONS_MAX = 32


class Unconfirmed(RedisError):
    """Too few replicas have confirmed a write in time: it may survive, or it may be lost."""


class RawConnections:
    """Connections that stay open, each used by one caller at a time.

    A command is sent again if a connection that was kept open turns out to be broken. The server may have carried it
    out already, so every command must be safe to repeat.
    """

    def __init__(
        self, redis: Redis, most: int = CONNECTIONS_MAX, replicas: int = 0, replicas_timeout_ms: int = 1000
    ) -> None:
        self._pool = redis.connection_pool
        self._idle: list[Any] = []
        self._free = threading.Semaphore(most)
        self._replicas = replicas
        wait: tuple[Any, ...] = ("WAIT", replicas, replicas_timeout_ms)
        self._wait = hiredis.pack_command(wait)

    def call(self, *command: Any) -> Any:
        """Return the reply to a command; waits for a connection if all are in use."""
        return self._converse(hiredis.pack_command(command), 1)[0]

    def each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the replies to several commands, which are sent at once."""
        return self._converse(b"".join(map(hiredis.pack_command, commands)), len(commands))

    def write(self, *command: Any) -> Any:
        """Return the reply to a command that writes; raises Unconfirmed unless enough replicas have it.

        `WAIT` counts for what its own connection has written, so both travel together.
        """
        packed = hiredis.pack_command(command)
        if not self._replicas:
            return self._converse(packed, 1)[0]
        reply, confirmed = self._converse(packed + self._wait, 2)
        if confirmed < self._replicas:
            raise Unconfirmed(f"{confirmed} of {self._replicas} replicas have confirmed the write")
        return reply

    def _converse(self, packed: bytes, count: int) -> list[Any]:
        with self._free:
            while True:
                is_reused = bool(self._idle)
                connection = self._idle.pop() if is_reused else self._open()
                try:
                    connection.send_packed_command([packed], check_health=False)
                    replies = [_reply(connection) for _ in range(count)]
                except (ConnectionError, TimeoutError) as error:
                    connection.disconnect()
                    if not is_reused or isinstance(error, TimeoutError):
                        raise
                except BaseException:
                    connection.disconnect()
                    raise
                else:
                    self._idle.append(connection)
                    break
        for reply in replies:
            if isinstance(reply, ResponseError):
                raise reply
        return replies

    def _open(self) -> Any:
        """Open a connection outside the pool, which would keep every connection that it makes, even failed ones."""
        return self._pool.connection_class(**self._pool.connection_kwargs)


def _reply(connection: Any) -> Any:
    """The next reply. An error is returned as a reply, so that the replies after it are read as well."""
    try:
        return connection.read_response()
    except (ConnectionError, TimeoutError):
        raise
    except ResponseError as error:
        return error


class Script:
    """A Lua script. It is sent as a whole only to a server that does not know it yet."""

    def __init__(self, connections: RawConnections, text: str | bytes) -> None:
        self._connections = connections
        self._text = text.encode() if isinstance(text, str) else text
        self._sha = sha1(self._text, usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[Any], args: Sequence[Any]) -> Any:
        """Run the script as a write."""
        parts = (len(keys), *keys, *args)
        try:
            return self._connections.write("EVALSHA", self._sha, *parts)
        except NoScriptError:
            return self._connections.write("EVAL", self._text, *parts)

    def each(self, calls: Sequence[tuple[Sequence[Any], Sequence[Any]]]) -> list[Any]:
        """Run the script with several keys and arguments, which are sent at once; no replica has to confirm it."""
        parts = [(len(keys), *keys, *args) for keys, args in calls]
        try:
            return self._connections.each([("EVALSHA", self._sha, *each) for each in parts])
        except NoScriptError:
            return self._connections.each([("EVAL", self._text, *each) for each in parts])
