"""Server-sent events, written directly to the sockets, without a greenlet or a queue for each reader.

A view puts a stream into the environment of the request. The middleware then takes over the connection from the web
server, and the broadcaster of the process writes to it.
"""

import contextlib
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from referee.api.messages import commit_message, end_message, retry_message, rewound_message, sse
from referee.service.access import Watcher
from referee.service.broadcast import Broadcast, Messages, Subscriber
from referee.service.inbox import Inbox, Inboxes, Last
from referee.service.limits import Slots
from referee.service.players import Caller
from referee.service.repository import now_ms
from referee.service.views import Additions

ENVIRON_KEY = "referee.stream"
PENDING_BYTES_MAX = 1 << 18
FLUSH_SECONDS = 0.05
COMMENT = b":\n\n"

Starter = Callable[["Connection"], None]


class Follow(NamedTuple):
    """A stream that a view asks for: how to start it, and who reads it."""

    start: Starter
    caller: Caller
    leave: Callable[[], None]
    """Called when the stream ends."""


class Connection:
    """A connection to a reader, with a bounded buffer for what the socket cannot take at once."""

    __slots__ = ("_expires_ms", "_is_ending", "_on_close", "_on_pending", "fd", "pending")

    def __init__(
        self, fd: int, on_pending: Callable[["Connection"], None], on_close: Callable[[], None], expires_ms: int | None
    ) -> None:
        self.fd = fd
        self.pending = b""
        self._is_ending = False
        self._on_pending = on_pending
        self._on_close = on_close
        self._expires_ms = expires_ms

    def send(self, data: bytes) -> bool:
        """Write without blocking; False if the reader is gone or too slow, or if its key has expired."""
        if self.fd < 0:
            return False
        if self._expires_ms is not None and self._expires_ms <= now_ms():
            return self.close()
        if self.pending:
            data, self.pending = self.pending + data, b""
        try:
            written = os.write(self.fd, data)
        except BlockingIOError:
            written = 0
        except OSError:
            return self.close()
        if written < len(data):
            self.pending = data[written:]
            if len(self.pending) > PENDING_BYTES_MAX:
                return self.close()
            self._on_pending(self)
        elif self._is_ending:
            return self.close()
        return True

    def end(self, data: bytes) -> None:
        """Send the last bytes, and close the connection as soon as they are sent."""
        self._is_ending = True
        self.send(data)

    def close(self) -> bool:
        """Shut down the connection, even if another descriptor of it is still open."""
        if self.fd >= 0:
            connection = socket.socket(fileno=self.fd)
            self.fd = -1
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
            self._on_close()
        return False


class Streams:
    """Every event stream of this process."""

    def __init__(
        self,
        broadcast: Broadcast,
        inboxes: Inboxes,
        slots: Slots,
        heartbeat_seconds: float,
        report: Callable[[int], None],
    ) -> None:
        self._broadcast = broadcast
        self._open_inboxes = inboxes
        self._slots = slots
        self._heartbeat_seconds = heartbeat_seconds
        self._report = report
        self._inboxes: set[Inbox] = set()
        self._connections_of: dict[str, set[Connection]] = {}
        """The open connections by key."""
        self._polls_of: dict[str, set[threading.Event]] = {}
        """The events that wake the waiting long polls, by key."""
        self._pending: set[Connection] = set()
        self._started = False
        self._wakes = threading.Event()

    def count(self) -> int:
        """Return the number of open streams."""
        return self._broadcast.count() + len(self._inboxes)

    def follow_game(self, game_id: str, watcher: Watcher, additions: Additions, after: int) -> Starter:
        """Return a stream of a game's commits."""

        def start(connection: Connection) -> None:
            subscriber = Subscriber(watcher, additions, after, connection)
            self._broadcast.join(game_id, subscriber, Messages(commit_message, rewound_message, end_message))

        return start

    def wait(self, game_id: str, after: int, seconds: float, caller: Caller) -> None:
        """Wait until a game has a commit after this version, at most this long, and no longer than the key is valid."""
        self._start_threads()
        wakes = threading.Event()
        polls = self._polls_of.setdefault(caller.key or "", set())
        polls.add(wakes)
        if caller.expires_ms is not None:
            seconds = min(seconds, max(0, caller.expires_ms - now_ms()) / 1000)
        try:
            self._broadcast.wait(game_id, after, seconds, wakes)
        finally:
            polls.discard(wakes)
            if not polls:
                self._polls_of.pop(caller.key or "", None)

    def release(self, leave: Callable[[], None]) -> None:
        """Release the slot of a stream or a long poll that has ended, and report it to the other processes soon."""
        leave()
        self._wakes.set()

    def follow_player(self, player: str, last: Last | None) -> Starter:
        """Return a stream of what awaits a player, and of the games that ended since the last message, if any."""

        def start(connection: Connection) -> None:
            self._inboxes.add(self._open_inboxes.open(player, connection.send, sse, last))

        return start

    def take_over(self, environ: dict[str, Any], head: bytes, follow: Follow) -> NoReturn:
        """Answer on the connection itself and keep it; StopIteration makes gunicorn release it silently."""
        self._start_threads()
        caller = follow.caller
        fd = os.dup(environ["gunicorn.socket"].fileno())
        connection = Connection(fd, self._add_pending, lambda: self.release(follow.leave), caller.expires_ms)
        self._connections_of.setdefault(caller.key or "", set()).add(connection)
        if connection.send(head):
            self._begin(connection, follow)
        self._report(self.count())
        raise StopIteration

    def end(self) -> None:
        """End every stream and long poll, because the process stops.

        Each reader is told to come back at another time within five seconds, so that they do not all come at once.
        """
        for connections in tuple(self._connections_of.values()):
            for connection in tuple(connections):
                connection.end(retry_message())
        for polls in tuple(self._polls_of.values()):
            for wakes in tuple(polls):
                wakes.set()

    def _begin(self, connection: Connection, follow: Follow) -> None:
        """Start a stream after its head was sent; from here on, an error can only close the connection."""
        try:
            key = follow.caller.key
            # The key may have been revoked after it was looked up and before the connection was registered.
            if key is not None and self._broadcast.is_revoked(key):
                connection.close()
            else:
                follow.start(connection)
        except Exception:
            logging.getLogger(__name__).warning("a stream failed to start", exc_info=True)
            connection.close()

    def _revoked(self, key: str) -> None:
        """End the streams and long polls of a revoked key."""
        for connection in self._connections_of.pop(key, ()):
            connection.close()
        for wakes in tuple(self._polls_of.get(key, ())):
            wakes.set()

    def _add_pending(self, connection: Connection) -> None:
        self._pending.add(connection)
        self._wakes.set()

    def _start_threads(self) -> None:
        if not self._started:
            self._started = True
            self._broadcast.on_revoked(self._revoked, lambda: {*self._connections_of, *self._polls_of} - {""})
            threading.Thread(target=self._send_heartbeats, name="heartbeat", daemon=True).start()
            threading.Thread(target=self._flush, name="flush", daemon=True).start()

    def _send_heartbeats(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._heartbeat_seconds):
            with self._logging_errors():
                self._send_heartbeat()

    def _send_heartbeat(self) -> None:
        """Send a comment to every reader, and forget the readers that are gone."""
        self._broadcast.beat(COMMENT)
        for inbox in tuple(self._inboxes):
            if not inbox.send(COMMENT):
                self._inboxes.discard(inbox)
        for key, connections in tuple(self._connections_of.items()):
            still_open = {connection for connection in connections if connection.fd >= 0}
            if still_open:
                self._connections_of[key] = still_open
            else:
                del self._connections_of[key]
        self._slots.tell(everything=True)
        self._report(self.count())

    def _flush(self) -> None:
        pause = threading.Event()
        while self._wakes.wait():
            pause.wait(FLUSH_SECONDS)
            waiting, self._pending = self._pending, set()
            self._wakes.clear()
            with self._logging_errors():
                for connection in waiting:
                    if connection.pending:
                        connection.send(b"")
                self._slots.tell()

    @contextlib.contextmanager
    def _logging_errors(self) -> Iterator[None]:
        """Log an error instead of raising it, so that the thread goes on."""
        try:
            yield
        except Exception:
            logging.getLogger(__name__).warning("heartbeats or pending data of streams failed", exc_info=True)


class StreamMiddleware:
    """Hands the connection over to the streams when a view asks for one."""

    def __init__(self, app: Callable[..., Iterable[bytes]], streams: Streams) -> None:
        self._app = app
        self._streams = streams

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Answer a request, or take over its connection."""
        answer: list[Any] = []

        def capture(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            answer[:] = [status, headers]
            return start_response(status, headers, exc_info) if ENVIRON_KEY not in environ else (lambda data: None)

        body = self._app(environ, capture)
        if ENVIRON_KEY not in environ:
            return body
        status, headers = answer
        lines = [
            f"HTTP/1.1 {status}",
            *(f"{name}: {value}" for name, value in headers if name != "Content-Length"),
            "Connection: close",
            "",
            "",
        ]
        self._streams.take_over(environ, "\r\n".join(lines).encode("latin-1"), environ[ENVIRON_KEY])
