"""The sequencer: puts what waits into the tree, and signs a checkpoint of it.

The order is: state, tiles, disk, signature, witnesses, publication. Several may run: the tree grows by
compare-and-set, so they cannot disagree; a lease keeps them from working at the same time.
"""

import contextlib
import fcntl
import logging
import secrets
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from redis import Redis

from referee.tlog.cosigning import Cosigners
from referee.tlog.keys import LOG_FILE, KeyFile, Notices
from referee.tlog.leaves import Leaves
from referee.tlog.merkle import consistency_proof
from referee.tlog.note import Checkpoint, InvalidNote, Signer, Verifier, open_note, read_checkpoint, signer_of
from referee.tlog.published import ALARM, CHECKPOINT, ROLLED_BACK, SIGNED_AT, UNWITNESSED, VKEY
from referee.tlog.tree import Edge, Tree, TreeDamaged, write_file

LEASE = "{tlog}:lease"

BATCH = 1000
"""The most leaves that are appended at once, so that one call to Redis stays short."""

_log = logging.getLogger(__name__)


class RolledBack(Exception):
    """The tree is not the one of the last signed checkpoint, or shorter. Signing another one would be a fork."""


def signer_in(directory: Path, origin: str) -> Signer:
    """The newest key of the log, which is made at the first start; raises InvalidNote if it is of another origin."""
    return KeyFile(directory / LOG_FILE, origin).signers()[-1]


class Sequencer:
    """Writes the log of one origin."""

    def __init__(
        self,
        redis: Redis,
        tree: Tree,
        signer: Signer,
        directory: Path,
        others: Sequence[Signer] = (),
        cosigners: Cosigners | None = None,
    ) -> None:
        """`others`: the keys that sign as well, while the log changes its key. `cosigners`: the witnesses it asks."""
        self._redis = redis
        self._tree = tree
        self._leaves = Leaves(redis)
        self._notices = Notices(redis)
        self._signer = signer
        self._others = tuple(others)
        self._cosigners = cosigners
        self._witnessed: list[str] | None = None
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
        if notices := self._notices.waiting():
            self._notices.logged(notices, self._tree.append([notice.leaf.entry for notice in notices]))
        self.publish()
        return len(pending)

    def publish(self) -> Checkpoint:
        """Write the tiles to disk, sign the tree as the tiles have it, and publish the checkpoint if it has its quorum.

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
        note = self._signer.sign(checkpoint.text) + "".join(other.line(checkpoint.text) for other in self._others)
        write_file(self._file, note.encode())
        self._redis.set(VKEY, self._signer.verifier.vkey)
        if self._cosigners is not None:
            subtree = self._tree.subtrees(edge)
            prove = partial(consistency_proof, subtree, size=edge.size)
            lines, is_quorum = self._cosigners.cosign(note, checkpoint, prove)
            if not is_quorum:
                self._redis.set(ALARM, UNWITNESSED)
                _log.error("%s: Too few witnesses cosign. The checkpoint is not published.", UNWITNESSED)
                return checkpoint
            note += lines
        self._redis.mset({CHECKPOINT: note, SIGNED_AT: int(time.time())})
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
        """The last checkpoints that were signed: on disk, as published, and those that witnesses had at the start."""
        published: object = self._redis.get(CHECKPOINT)
        notes = [published.decode()] if isinstance(published, bytes) else []
        if self._file.exists():
            notes.append(self._file.read_text())
        keys = tuple(signer.verifier for signer in (self._signer, *self._others))
        return [read_signed(note, signer_of(note, keys)) for note in notes] + self._seen(keys)

    def _seen(self, keys: tuple[Verifier, ...]) -> list[Checkpoint]:
        """What witnesses had seen when this sequencer started; a note that the log has not signed does not count."""
        if self._cosigners is None:
            return []
        if self._witnessed is None:
            self._witnessed = self._cosigners.newest(self._signer.verifier.name)
        found = list[Checkpoint]()
        for note in self._witnessed:
            with contextlib.suppress(InvalidNote):
                found.append(read_signed(note, signer_of(note, keys)))
        return found


def read_signed(note: str, verifier: Verifier) -> Checkpoint:
    """The checkpoint in a note that the log has signed; raises InvalidNote."""
    return read_checkpoint(open_note(note, verifier))
