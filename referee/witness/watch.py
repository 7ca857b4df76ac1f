"""Follows a log: every checkpoint must continue the one before it."""

import os
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from referee.tlog.merkle import EMPTY, is_consistent
from referee.tlog.note import NOTE_BYTES_MAX, Checkpoint, InvalidNote, Verifier, open_note, read_checkpoint

Fetch = Callable[[str], str]
"""Reads a path of the log, such as `checkpoint`."""

FetchBytes = Callable[[str], bytes]
"""Reads a path of the log, such as that of a tile."""

PROOF_HASHES_MAX = 128
TILE_BYTES_MAX = 1 << 25
"""More than any bundle of 256 entries has."""
SECONDS_MAX = 30


class Fork(Exception):
    """The log signed two checkpoints of which neither continues the other."""

    def __init__(self, why: str, old: str, new: str) -> None:
        super().__init__(why)
        self.old = old
        self.new = new


def over_http(url: str) -> Fetch:
    """Reads a log over HTTP, such as that of `https://referee.example/log`."""

    fetch_bytes = bytes_over_http(url, NOTE_BYTES_MAX)
    return lambda path: fetch_bytes(path).decode()


def bytes_over_http(url: str, most: int = TILE_BYTES_MAX) -> FetchBytes:
    """The same, for tiles."""

    def fetch(path: str) -> bytes:
        with urlopen(f"{url.rstrip('/')}/{path}", timeout=SECONDS_MAX) as answer:
            data: bytes = answer.read(most + 1)
        return data

    return fetch


def look(fetch: Fetch, verifier: Verifier, state: Path) -> Checkpoint:
    """Read the newest checkpoint and note it; raises Fork, or InvalidNote for a damaged one."""
    note = fetch("checkpoint")
    new = read_checkpoint_of(note, verifier)
    if state.exists():
        kept = state.read_text()
        _require_growth(fetch, verifier, kept, note)
        if read_checkpoint_of(kept, verifier).size == new.size:
            return new
    _keep(state, note)
    return new


def compare(verifier: Verifier, one: str, other: str, fetch: Fetch | None = None) -> str:
    """Compare two checkpoints of a log; returns what can be said of them, or raises Fork."""
    old, new = sorted((one, other), key=lambda note: read_checkpoint_of(note, verifier).size)
    if fetch is None and read_checkpoint_of(old, verifier).size != read_checkpoint_of(new, verifier).size:
        return "They have different sizes. Only the log can prove that one continues the other: give its URL."
    _require_growth(fetch or (lambda path: ""), verifier, old, new)
    return "They tell the same story."


def _require_growth(fetch: Fetch, verifier: Verifier, kept: str, note: str) -> None:
    old, new = read_checkpoint_of(kept, verifier), read_checkpoint_of(note, verifier)
    if new.size < old.size:
        raise Fork(f"The log had {old.size} leaves and has {new.size} now.", kept, note)
    if old.size == 0 and old.root == EMPTY:
        return
    proof = [] if old.size == new.size else _proof(fetch, old.size, new.size)
    if not is_consistent(old.size, new.size, old.root, new.root, proof):
        raise Fork(f"The tree of {new.size} leaves does not continue the tree of {old.size} leaves.", kept, note)


def _proof(fetch: Fetch, old: int, size: int) -> list[bytes]:
    """The proof of the log that it only grew; a log that gives none has none."""
    try:
        lines = fetch(f"proof?old={old}&size={size}").splitlines()
        return [b64decode(line, validate=True) for line in lines[:PROOF_HASHES_MAX]]
    except (ValueError, HTTPError):
        return []


def read_checkpoint_of(note: str, verifier: Verifier) -> Checkpoint:
    """The checkpoint in a note of the log that a key belongs to; raises InvalidNote."""
    checkpoint = read_checkpoint(open_note(note, verifier))
    if checkpoint.origin != verifier.name:
        raise InvalidNote(f"The checkpoint is of {checkpoint.origin}, not of {verifier.name}.")
    return checkpoint


def _keep(state: Path, note: str) -> None:
    """Note a checkpoint so that a crash leaves the old one or the new one."""
    temporary = state.with_name(f".{state.name}.{os.getpid()}")
    with temporary.open("w") as file:
        file.write(note)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(state)
