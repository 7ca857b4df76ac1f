"""Redis commands with little overhead, confirmed by replicas where that is required."""

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from hashlib import sha1
from typing import Any, Protocol, TypeVar

import hiredis
from redis import Redis
from redis.exceptions import (
    ClusterDownError,
    ConnectionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
)

CONNECTIONS_MAX = 32
PATIENCE_S = 8.0
"""The time that a failover may take before calls fail."""
PAUSE_S = 0.03

LOST = (ConnectionError, TimeoutError, ClusterDownError, ReadOnlyError)
"""A server that answers so, or not at all, is gone, or is no master any more."""

T = TypeVar("T")


class Unconfirmed(RedisError):
    """Too few replicas have confirmed a write in time: it may survive, or it may be lost."""


class Store(Protocol):
    """Sends commands to the server that has their key: to the only one, or to one of a cluster.

    The key is the first argument of a command, and the first key of a script. A command may be sent again if its
    connection breaks. The server may have carried it out already, so every command must be safe to repeat.
    """

    publishing: bytes
    """The command that publishes to those who listen to a channel where its slot is."""
    replicas: int
    """The number of replicas that must confirm a write."""

    def call(self, *command: Any) -> Any:
        """Return the reply to a command."""

    def write(self, *command: Any) -> Any:
        """Return the reply to a command that writes; raises Unconfirmed unless enough replicas have it."""

    def each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the replies to several commands, which are sent to each server at once."""

    def try_each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Like `each`, but at once, with the RedisError of each server that cannot be reached in place of a reply."""

    def is_whole(self) -> bool:
        """Whether the last call to each server was answered."""

    def epoch(self, key: str) -> Hashable:
        """A value that changes whenever something that was read of a key may have been lost since."""


class Patience:
    """Decides how long a call to a server that is lost is repeated: until a time after the loss, not after the call.

    So a failover only delays calls, and a server that stays away does not keep its callers waiting.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lost_at: float | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the last call has failed."""
        return self._lost_at is not None

    def succeeded(self) -> None:
        """Note that the server answers."""
        self._lost_at = None

    def lost(self) -> None:
        """Note that a call has failed which is not repeated."""
        if self._lost_at is None:
            self._lost_at = time.monotonic()

    def failed(self) -> bool:
        """Note that a call has failed; returns whether to try again, after a pause."""
        now = time.monotonic()
        if self._lost_at is None:
            self._lost_at = now
        if now - self._lost_at >= self._seconds:
            return False
        time.sleep(PAUSE_S)
        return True


class RawConnections:
    """Connections to one server that stay open, each used by one caller at a time."""

    publishing = b"PUBLISH"

    def __init__(
        self,
        redis: Redis,
        most: int = CONNECTIONS_MAX,
        replicas: int = 0,
        replicas_timeout_ms: int = 1000,
        patience_s: float = 0.0,
    ) -> None:
        self._pool = redis.connection_pool
        self._idle: list[Any] = []
        self._free = threading.Semaphore(most)
        self._confirmation = Confirmation(replicas, replicas_timeout_ms)
        self.replicas = replicas
        self._losses = 0
        self.patience = Patience(patience_s)

    def call(self, *command: Any) -> Any:
        """Return the reply to a command; waits for a connection if all are in use."""
        packed = hiredis.pack_command(command)
        return self._patiently(lambda: _checked(self.converse(packed, 1))[0])

    def each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Return the replies to several commands, which are sent at once."""
        packed = b"".join(map(hiredis.pack_command, commands))
        return self._patiently(lambda: _checked(self.converse(packed, len(commands))))

    def try_each(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Like `each`: there are no other servers that could be reached."""
        return self.each(commands)

    def write(self, *command: Any) -> Any:
        """Return the reply to a command that writes; raises Unconfirmed unless enough replicas have it."""
        try:
            return self._patiently(lambda: self._confirmation.ask(self, command))
        except Unconfirmed:
            self.hang_up()  # a master that its replicas have left may not be the master any more
            raise

    def is_whole(self) -> bool:
        """There is only one server: without it there is no answer at all."""
        return True

    def epoch(self, key: str) -> Hashable:
        """The number of times that a connection was lost."""
        return self._losses

    def hang_up(self) -> None:
        """Close the connections that nobody uses."""
        while self._idle:
            self._idle.pop().disconnect()

    def _patiently(self, attempt: Callable[[], T]) -> T:
        while True:
            try:
                answer = attempt()
            except LOST:
                if not self.patience.failed():
                    raise
            else:
                self.patience.succeeded()
                return answer

    def converse(self, packed: bytes, count: int) -> list[Any]:
        """Send commands at once, and return the replies; an error of a command is returned as its reply."""
        with self._free:
            while True:
                is_reused = bool(self._idle)
                connection = self._idle.pop() if is_reused else self._open()
                try:
                    connection.send_packed_command([packed], check_health=False)
                    replies = [_reply(connection) for _ in range(count)]
                except (ConnectionError, TimeoutError) as error:
                    connection.disconnect()
                    self._losses += 1
                    if not is_reused or isinstance(error, TimeoutError):
                        raise
                except BaseException:
                    connection.disconnect()
                    raise
                else:
                    self._idle.append(connection)
                    return replies

    def _open(self) -> Any:
        """Open a connection outside the pool, which would keep every connection that it makes, even failed ones."""
        connection = self._pool.connection_class(**self._pool.connection_kwargs)
        try:
            connection.connect()
        except BaseException:
            self._losses += 1
            raise
        return connection


class Confirmation:
    """Has writes confirmed by replicas.

    `WAIT` counts for what its own connection has written, so both travel together.
    """

    def __init__(self, replicas: int, timeout_ms: int) -> None:
        self._replicas = replicas
        wait: tuple[Any, ...] = ("WAIT", replicas, timeout_ms)
        self._wait = hiredis.pack_command(wait)

    def ask(self, server: RawConnections, command: tuple[Any, ...], before: bytes = b"") -> Any:
        """Return the reply to a command, which follows another one that is already packed; raises Unconfirmed."""
        packed, count = before + hiredis.pack_command(command), 2 if before else 1
        if not self._replicas:
            return _checked(server.converse(packed, count))[-1]
        *_, reply, confirmed = _checked(server.converse(packed + self._wait, count + 1))
        if confirmed < self._replicas:
            raise Unconfirmed(f"{confirmed} of {self._replicas} replicas have confirmed the write")
        return reply


def _checked(replies: list[Any]) -> list[Any]:
    for reply in replies:
        if isinstance(reply, ResponseError):
            raise reply
    return replies


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

    def __init__(self, store: Store, text: str | bytes) -> None:
        self._store = store
        self._text = text.encode() if isinstance(text, str) else text
        self._sha = sha1(self._text, usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[Any], args: Sequence[Any]) -> Any:
        """Run the script as a write."""
        parts = (len(keys), *keys, *args)
        try:
            return self._store.write("EVALSHA", self._sha, *parts)
        except NoScriptError:
            return self._store.write("EVAL", self._text, *parts)

    def each(self, calls: Sequence[tuple[Sequence[Any], Sequence[Any]]]) -> list[Any]:
        """Run the script with several keys and arguments, which are sent at once; no replica has to confirm it."""
        parts = [(len(keys), *keys, *args) for keys, args in calls]
        try:
            return self._store.each([("EVALSHA", self._sha, *each) for each in parts])
        except NoScriptError:
            return self._store.each([("EVAL", self._text, *each) for each in parts])
