"""The answer of a witness to a submitted checkpoint, as C2SP's tlog-witness describes it."""

import binascii
import contextlib
import fcntl
import re
import threading
from base64 import b64decode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from referee.tlog.merkle import EMPTY, is_consistent
from referee.tlog.note import Checkpoint, InvalidNote, Verifier, open_note, read_checkpoint, split_note
from referee.tlog.tree import write_file
from referee.witness.cosigner import CosigningKey

PROOF_LINES_MAX = 63
BODY_BYTES_MAX = 72_000
"""A note, and a proof of 63 hashes."""
SIZE_TYPE = "text/x.tlog.size"

_OLD = re.compile(r"old (0|[1-9][0-9]{0,17})")


class Answer(NamedTuple):
    """The answer to a request: a status of HTTP, a text, and its type."""

    status: int
    text: str
    type: str = "text/plain; charset=utf-8"


class Submission(NamedTuple):
    """A checkpoint that somebody submits, and the proof that it continues an older one."""

    old: int
    proof: list[bytes]
    note: str
    origin: str
    """As the note says, before anything is checked."""


class Witness:
    """Cosigns the checkpoints of known logs, each of which continues the one before it.

    Its state is one file per log. If a log has signed two roots for one size, both checkpoints are left beside it, in a
    file `.fork`. A lock makes comparing and storing one step, between threads and between processes.
    """

    def __init__(self, key: CosigningKey, logs: Mapping[str, Verifier], directory: Path) -> None:
        self._key = key
        self._logs = logs
        self._directory = directory
        self._lock = threading.Lock()
        directory.mkdir(parents=True, exist_ok=True)

    def add_checkpoint(self, body: bytes, now_s: int) -> Answer:
        """Cosign a checkpoint, or say why not."""
        try:
            sent = read_submission(body)
        except InvalidNote as error:
            return Answer(400, f"{error}\n")
        verifier = self._logs.get(sent.origin)
        if verifier is None:
            return Answer(404, "This witness does not know the log.\n")
        try:
            text = open_note(sent.note, verifier)
        except InvalidNote as error:
            return Answer(403, f"{error}\n")
        new = read_checkpoint(text)
        if sent.old > new.size:
            return Answer(400, f"The old size is {sent.old}, and the checkpoint has {new.size} leaves.\n")
        with self._locked(new.origin):
            refused = self._refusal(sent, new, verifier)
            if refused is not None:
                return refused
            write_file(self._file(new.origin), sent.note.encode())
        return Answer(200, self._key.cosign(text, now_s))

    def _refusal(self, sent: Submission, new: Checkpoint, verifier: Verifier) -> Answer | None:
        """Why a checkpoint does not continue the last one; None: it does."""
        last = self._last(verifier)
        is_fork = new.size == last.size and new.root != last.root
        if is_fork:
            both = f"{self._file(new.origin).read_text()}\n{sent.note}" if last.size else sent.note
            write_file(self._file(new.origin).with_suffix(".fork"), both.encode())
        if sent.old != last.size or is_fork:
            return Answer(409, f"{last.size}\n", SIZE_TYPE)
        if not is_consistent(last.size, new.size, last.root, new.root, sent.proof):
            return Answer(422, "The proof does not lead from the old checkpoint to the new one.\n")
        return None

    def _last(self, verifier: Verifier) -> Checkpoint:
        """The checkpoint that was cosigned last; an empty tree if there was none."""
        file = self._file(verifier.name)
        if not file.exists():
            return Checkpoint(verifier.name, 0, EMPTY)
        return read_checkpoint(open_note(file.read_text(), verifier))

    def newest(self, origin_hash: str) -> str | None:
        """The checkpoint that was cosigned last, by the hash of its origin in hexadecimal."""
        known = {sha256(origin.encode()).hexdigest(): origin for origin in self._logs}
        file = self._file(known[origin_hash]) if origin_hash in known else None
        return file.read_text() if file is not None and file.exists() else None

    def _file(self, origin: str) -> Path:
        return self._directory / sha256(origin.encode()).hexdigest()

    @contextlib.contextmanager
    def _locked(self, origin: str) -> Iterator[None]:
        with self._lock, self._file(origin).with_suffix(".lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def read_submission(body: bytes) -> Submission:
    """Read the body of a request; raises InvalidNote."""
    try:
        head, separator, note = body.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise InvalidNote("The body is not UTF-8.") from None
    first, *lines = head.split("\n")
    old = _OLD.fullmatch(first)
    if old is None or not separator:
        raise InvalidNote("A body is a line `old` with a size, the lines of a proof, an empty line, and a checkpoint.")
    if len(lines) > PROOF_LINES_MAX:
        raise InvalidNote(f"A proof has at most {PROOF_LINES_MAX} lines.")
    text, _ = split_note(note)
    return Submission(int(old[1]), [_hash(line) for line in lines], note, read_checkpoint(text).origin)


def _hash(line: str) -> bytes:
    try:
        data = b64decode(line.encode(), validate=True)
    except binascii.Error:
        data = b""
    if len(data) != 32:
        raise InvalidNote(f"{line[:80]!r} is not a hash in base64.")
    return data
