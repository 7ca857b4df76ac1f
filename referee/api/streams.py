"""Server-sent events, written straight to the sockets: no greenlet and no queue waits per reader.

A view names a stream in the request's environment; the middleware then takes the connection over from the
web server and leaves it to the process's one broadcaster.
"""

import contextlib
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

from referee.kernel.record import Entry
from referee.service.access import Reader, Watcher
from referee.service.broadcast import Broadcast
from referee.service.desk import now_ms
from referee.service.game import Game
from referee.service.inbox import Inbox, Inboxes, Last
from referee.service.limits import Places
from referee.service.players import Caller
from referee.service.views import entry_view

ENVIRON_KEY = "referee.stream"
PENDING_BYTES_MAX = 1 << 18
FLUSH_SECONDS = 0.05
COMMENT = b":\n\n"

Starter = Callable[["Wire"], None]


class Follow(NamedTuple):
    """A stream that a view names: how it starts, and with whose key."""

    start: Starter
    caller: Caller
    leave: Callable[[], None]
    """Called when the stream has ended."""


def sse(id: str, event: str, data: bytes) -> bytes:
    """One message of an event stream; without an id it does not change where the reader resumes."""
    place = b"id: %s\n" % id.encode() if id else b""
    return b"%sevent: %s\ndata: %s\n\n" % (place, event.encode(), data)


def render(game: Game, entry: Entry, reader: Reader) -> bytes:
    """A commit as a message."""
    return sse(str(entry.version), "commit", entry_view(game, entry, reader))


class Wire:
    """A connection that only listens. What it cannot take at once waits, up to a bound."""

    __slots__ = ("_expires_ms", "_on_close", "_on_pending", "fd", "pending")

    def __init__(
        self, fd: int, on_pending: Callable[["Wire"], None], on_close: Callable[[], None], expires_ms: int | None
    ) -> None:
        self.fd = fd
        self.pending = b""
        self._on_pending = on_pending
        self._on_close = on_close
        self._expires_ms = expires_ms

    def send(self, data: bytes) -> bool:
        """Write without waiting; False if the reader is gone, has fallen too far behind, or has no key any more."""
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
        return True

    def close(self) -> bool:
        """End the connection, whoever else may still have it in hand."""
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
        places: Places,
        heartbeat_seconds: float,
        report: Callable[[int], None],
    ) -> None:
        self._broadcast = broadcast
        self._open_inboxes = inboxes
        self._places = places
        self._heartbeat_seconds = heartbeat_seconds
        self._report = report
        self._inboxes: set[Inbox] = set()
        self._wires_of: dict[str, set[Wire]] = {}
        self._polls_of: dict[str, set[threading.Event]] = {}
        """By key: what wakes the long polls that wait."""
        self._pending: set[Wire] = set()
        self._started = False
        self._wakes = threading.Event()

    def count(self) -> int:
        """The streams that are open."""
        return self._broadcast.count() + len(self._inboxes)

    def follow_game(self, game_id: str, watcher: Watcher, after: int) -> Starter:
        """A stream of a game's commits."""
        return lambda wire: self._broadcast.join(game_id, watcher, after, wire, render)

    def wait(self, game_id: str, after: int, seconds: float, caller: Caller) -> None:
        """Wait until a game has a commit after this version, at most this long, and no longer than the key is good."""
        self._start_beating()
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

    def left(self, leave: Callable[[], None]) -> None:
        """A stream or a long poll has ended: let its place go, and let the other processes hear of it soon."""
        leave()
        self._wakes.set()

    def follow_player(self, player: str, last: Last | None) -> Starter:
        """A stream of what awaits a player, and of what ended since the last message, if there is one."""

        def start(wire: Wire) -> None:
            self._inboxes.add(self._open_inboxes.open(player, wire.send, sse, last))

        return start

    def take_over(self, environ: dict[str, Any], head: bytes, follow: Follow) -> NoReturn:
        """Answer on the connection itself and keep it; StopIteration makes gunicorn let go of it without a word."""
        self._start_beating()
        caller = follow.caller
        connection = os.dup(environ["gunicorn.socket"].fileno())
        wire = Wire(connection, self._is_pending, lambda: self.left(follow.leave), caller.expires_ms)
        if caller.key is not None:
            self._wires_of.setdefault(caller.key, set()).add(wire)
        if wire.send(head):
            self._begin(wire, follow)
        self._report(self.count())
        raise StopIteration

    def _begin(self, wire: Wire, follow: Follow) -> None:
        """Start a stream whose head is sent: from here on a fault can only be told by hanging up."""
        try:
            key = follow.caller.key
            # The key may have been revoked since this process looked it up, and before the wire was noted with it.
            if key is not None and self._broadcast.is_revoked(key):
                wire.close()
            else:
                follow.start(wire)
        except Exception:
            logging.getLogger(__name__).warning("a stream could not begin", exc_info=True)
            wire.close()

    def _revoked(self, key: str) -> None:
        """Streams and long polls end with the key that they were opened with."""
        for wire in self._wires_of.pop(key, ()):
            wire.close()
        for wakes in tuple(self._polls_of.get(key, ())):
            wakes.set()

    def _is_pending(self, wire: Wire) -> None:
        self._pending.add(wire)
        self._wakes.set()

    def _start_beating(self) -> None:
        if not self._started:
            self._started = True
            self._broadcast.on_revoked(self._revoked, lambda: {*self._wires_of, *self._polls_of} - {""})
            threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
            threading.Thread(target=self._flush, name="flush", daemon=True).start()

    def _beat(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._heartbeat_seconds):
            with self._going_on():
                self._give_signs_of_life()

    def _give_signs_of_life(self) -> None:
        """Send something to everybody, and let go of those who are not there any more."""
        self._broadcast.beat(COMMENT)
        for inbox in tuple(self._inboxes):
            if not inbox.send(COMMENT):
                self._inboxes.discard(inbox)
        for key, wires in tuple(self._wires_of.items()):
            open_wires = {wire for wire in wires if wire.fd >= 0}
            if open_wires:
                self._wires_of[key] = open_wires
            else:
                del self._wires_of[key]
        self._places.tell(everything=True)
        self._report(self.count())

    def _flush(self) -> None:
        pause = threading.Event()
        while self._wakes.wait():
            pause.wait(FLUSH_SECONDS)
            waiting, self._pending = self._pending, set()
            self._wakes.clear()
            with self._going_on():
                for wire in waiting:
                    if wire.pending:
                        wire.send(b"")
                self._places.tell()

    @contextlib.contextmanager
    def _going_on(self) -> Iterator[None]:
        """Whatever goes wrong is told in the log: nobody else would do this thread's work."""
        try:
            yield
        except Exception:
            logging.getLogger(__name__).warning("streams could not be looked after", exc_info=True)


class StreamMiddleware:
    """Hands a connection over to the streams when a view has named one."""

    def __init__(self, app: Callable[..., Iterable[bytes]], streams: Streams) -> None:
        self._app = app
        self._streams = streams

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Answer a request, or take its connection over."""
        answer: list[Any] = []

        def note(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            answer[:] = [status, headers]
            return start_response(status, headers, exc_info) if ENVIRON_KEY not in environ else (lambda data: None)

        body = self._app(environ, note)
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
