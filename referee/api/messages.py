"""The messages of event streams as bytes."""

import secrets

from referee.kernel.canon import steady
from referee.table.record import Entry
from schemas.messages import Rewound, StreamEnd

SPREAD_MS = 5000
"""When a process stops, its readers come back within this time."""


def sse(id: str, event: str, data: bytes) -> bytes:
    """Return a message of an event stream; without an id it does not change where the reader resumes."""
    id_line = b"id: %s\n" % id.encode() if id else b""
    return b"%sevent: %s\ndata: %s\n\n" % (id_line, event.encode(), data)


def commit_message(entry: Entry, commit: bytes) -> bytes:
    """Return a commit as a message."""
    return sse(str(entry.version), "commit", commit)


def rewound_message(version: int) -> bytes:
    """Return the message that takes commits back; a reader who connects again begins at this version."""
    return sse(str(version), "rewound", steady(Rewound(version)))


def end_message(version: int) -> bytes:
    """Return the message that ends the stream of a game."""
    return sse("", "end", steady(StreamEnd(version)))


def retry_message() -> bytes:
    """Return what tells a reader when to come back: at another time for each, so that not all come at once."""
    return b"retry: %d\n\n" % secrets.randbelow(SPREAD_MS)
