"""Server-sent events, written straight to the sockets: no greenlet and no queue waits per reader.

A view names a stream in the request's environment; the middleware then takes the connection over from the
web server and leaves it to the process's one broadcaster.
"""

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.workers.base_async import ALREADY_HANDLED

from referee.kernel.record import Entry
from referee.service.broadcast import Broadcast
from referee.service.game import Game
from referee.service.inbox import Inbox, Inboxes
from referee.service.views import Reader, entry_view

ENVIRON_KEY = "referee.stream"
PENDING_BYTES_MAX = 1 << 18
FLUSH_SECONDS = 0.05
COMMENT = b":\n\n"

Starter = Callable[["Wire"], None]


def sse(id: str, event: str, data: bytes) -> bytes:
    """One message of an event stream."""
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (id.encode(), event.encode(), data)


def render(game: Game, entry: Entry, reader: Reader) -> bytes:
    """A commit as a message."""
    return sse(str(entry.version), "commit", entry_view(game, entry, reader))


class Wire:
    """A connection that only listens. What it cannot take at once waits, up to a bound."""

    __slots__ = ("_on_pending", "fd", "pending")

    def __init__(self, fd: int, on_pending: Callable[["Wire"], None]) -> None:
        self.fd = fd
        self.pending = b""
        self._on_pending = on_pending

    def send(self, data: bytes) -> bool:
        """Write without waiting; False if the reader is gone or has fallen too far behind."""
        if self.fd < 0:
            return False
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
        """Let the connection go."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        return False


class Streams:
    """Every event stream of this process."""

    def __init__(self, broadcast: Broadcast, inboxes: Inboxes, heartbeat_seconds: float) -> None:
        self._broadcast = broadcast
        self._open_inboxes = inboxes
        self._heartbeat_seconds = heartbeat_seconds
        self._inboxes: set[Inbox] = set()
        self._pending: set[Wire] = set()
        self._started = False
        self._wakes = threading.Event()

    def count(self) -> int:
        """The streams that are open."""
        return self._broadcast.count() + len(self._inboxes)

    def follow_game(self, game: Game, reader: Reader, after: int) -> Starter:
        """A stream of a game's commits."""
        return lambda wire: self._broadcast.join(game, reader, after, wire, render)

    def wait(self, game: Game, after: int, seconds: float) -> None:
        """Wait until a game has a commit after this version, or so long."""
        self._broadcast.wait(game, after, seconds)

    def follow_player(self, player: str) -> Starter:
        """A stream of what awaits a player."""

        def start(wire: Wire) -> None:
            self._inboxes.add(self._open_inboxes.open(player, wire.send, sse))

        return start

    def take_over(self, environ: dict[str, Any], head: bytes, start: Starter) -> Any:
        """Answer on the connection itself and keep it after the web server has let go of it."""
        self._start_beating()
        wire = Wire(os.dup(environ["gunicorn.socket"].fileno()), self._is_pending)
        if wire.send(head):
            start(wire)
        return ALREADY_HANDLED

    def _is_pending(self, wire: Wire) -> None:
        self._pending.add(wire)
        self._wakes.set()

    def _start_beating(self) -> None:
        if not self._started:
            self._started = True
            threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
            threading.Thread(target=self._flush, name="flush", daemon=True).start()

    def _beat(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._heartbeat_seconds):
            self._broadcast.beat(COMMENT)
            for inbox in tuple(self._inboxes):
                if not inbox.send(COMMENT):
                    self._inboxes.discard(inbox)

    def _flush(self) -> None:
        pause = threading.Event()
        while self._wakes.wait():
            pause.wait(FLUSH_SECONDS)
            waiting, self._pending = self._pending, set()
            self._wakes.clear()
            for wire in waiting:
                if wire.pending:
                    wire.send(b"")


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
        return self._streams.take_over(environ, "\r\n".join(lines).encode("latin-1"), environ[ENVIRON_KEY])
