"""The sequencer: puts what waits into the tree, and signs a checkpoint of it.

The order is: state, tiles, disk, signature, publication. Several may run: the tree grows by compare-and-set, so they
cannot disagree; a lease keeps them from working at the same time.
"""

import contextlib
import fcntl
import logging
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from redis import Redis

from referee.tlog.leaves import Leaves
from referee.tlog.note import (
    Checkpoint,
    InvalidNote,
    Signer,
    Verifier,
    new_signer,
    open_note,
    read_checkpoint,
    read_signer,
)
from referee.tlog.published import ALARM, CHECKPOINT, ROLLED_BACK, SIGNED_AT, VKEY
from referee.tlog.tree import Edge, Tree, TreeDamaged, write_file

LEASE = "{tlog}:lease"

BATCH = 1000
"""The most leaves that are appended at once, so that one call to Redis stays short."""

_log = logging.getLogger(__name__)


class RolledBack(Exception):
    """The tree is not the one of the last signed checkpoint, or shorter. Signing another one would be a fork."""


def signer_in(directory: Path, origin: str) -> Signer:
    """The log's key, which is made at the first start; raises InvalidNote if it is of another origin."""
    file = directory / "key"
    if not file.exists():
        signer = new_signer(origin)
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as stored:
            stored.write(signer.secret + "\n")
    signer = read_signer(file.read_text())
    if signer.verifier.name != origin:
        raise InvalidNote(f"The key in {file} is of {signer.verifier.name}, not of {origin}.")
    return signer


class Sequencer:
    """Writes the log of one origin."""

    def __init__(self, redis: Redis, tree: Tree, signer: Signer, directory: Path) -> None:
        self._redis = redis
        self._tree = tree
        self._leaves = Leaves(redis)
        self._signer = signer
        self._file = directory / "checkpoint"
        self._name = secrets.token_hex(8)

    def holds_lease(self, lasts_ms: int) -> bool:
        """Whether this sequencer may work now. Two that believe so do no harm: they only work for nothing."""
        if self._redis.set(LEASE, self._name, nx=True, px=lasts_ms):
            return True
        held: object = self._redis.get(LEASE)
        if held != self._name.encode():
            return False
        self._redis.pexpire(LEASE, lasts_ms)
        return True

    def round(self) -> int:
        """Log everything that waits and publish a checkpoint; returns the number of leaves. Raises RolledBack."""
        self._require_grown(self._tree.edge())
        pending = self._leaves.pending()
        for at in range(0, len(pending), BATCH):
            batch = pending[at : at + BATCH]
            first = self._tree.append([leaf.entry for leaf in batch])
            self._leaves.logged(batch, first)
        self.publish()
        return len(pending)

    def publish(self) -> Checkpoint:
        """Write the tiles to disk, sign the tree as the tiles have it, and show the checkpoint to everybody.

        One sequencer does so at a time: a slow one would put an older checkpoint in the place of a newer one. Raises
        OSError if another one is at it, or if the disk is full.
        """
        with self._locked():
            return self._publish()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        with self._file.with_name("lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield

    def _publish(self) -> Checkpoint:
        self._tree.flush()
        edge = self._tree.edge()
        self._require_grown(edge)
        checkpoint = Checkpoint(self._signer.verifier.name, edge.size, self._tree.root(edge, edge.size))
        note = self._signer.sign(checkpoint.text)
        write_file(self._file, note.encode())
        self._redis.mset({CHECKPOINT: note, VKEY: self._signer.verifier.vkey, SIGNED_AT: int(time.time())})
        self._redis.delete(ALARM)
        return checkpoint

    def _require_grown(self, edge: Edge) -> None:
        """Raise RolledBack unless the tree goes on where every checkpoint that was signed ended."""
        for signed in self._signed():
            try:
                if signed.size <= edge.size and self._tree.root(edge, signed.size) == signed.root:
                    continue
                detail = f"The checkpoint of {signed.size} leaves is not the beginning of the tree of {edge.size}."
            except (TreeDamaged, IndexError) as error:
                detail = f"The tree cannot be read: {error}"
            self._redis.set(ALARM, ROLLED_BACK)
            _log.error("%s: %s Nothing is signed.", ROLLED_BACK, detail)
            raise RolledBack(detail)

    def _signed(self) -> list[Checkpoint]:
        """The last checkpoints that were signed: the one on disk, and the one that was published."""
        published: object = self._redis.get(CHECKPOINT)
        notes = [published.decode()] if isinstance(published, bytes) else []
        if self._file.exists():
            notes.append(self._file.read_text())
        return [read_signed(note, self._signer.verifier) for note in notes]


def read_signed(note: str, verifier: Verifier) -> Checkpoint:
    """The checkpoint in a note that the log has signed; raises InvalidNote."""
    return read_checkpoint(open_note(note, verifier))
