"""The sequencer: puts what waits into the tree, and signs a checkpoint of it.

The order is: state, tiles, disk, signature, publication. Several may run: the tree grows by compare-and-set, so they
cannot disagree; a lease keeps them from working at the same time.
"""

import logging
import secrets
from collections.abc import Sequence
from pathlib import Path

from redis import Redis

from referee.tlog.keys import LOG_FILE, KeyFile, Notices
from referee.tlog.leaves import Leaves
from referee.tlog.note import Checkpoint, Signer, Verifier, open_note, read_checkpoint, signer_of
from referee.tlog.published import ALARM, CHECKPOINT, ROLLED_BACK, VKEY
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
        self, redis: Redis, tree: Tree, signer: Signer, directory: Path, others: Sequence[Signer] = ()
    ) -> None:
        """`others`: the keys that sign as well, while the log changes its key."""
        self._redis = redis
        self._tree = tree
        self._leaves = Leaves(redis)
        self._notices = Notices(redis)
        self._signer = signer
        self._others = tuple(others)
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
        """Write the tiles to disk, sign the tree as the tiles have it, and show the checkpoint to everybody."""
        self._tree.flush()
        edge = self._tree.edge()
        self._require_grown(edge)
        checkpoint = Checkpoint(self._signer.verifier.name, edge.size, self._tree.root(edge, edge.size))
        note = self._signer.sign(checkpoint.text) + "".join(other.line(checkpoint.text) for other in self._others)
        write_file(self._file, note.encode())
        self._redis.mset({CHECKPOINT: note, VKEY: self._signer.verifier.vkey})
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
        keys = tuple(signer.verifier for signer in (self._signer, *self._others))
        return [read_signed(note, signer_of(note, keys)) for note in notes]


def read_signed(note: str, verifier: Verifier) -> Checkpoint:
    """The checkpoint in a note that the log has signed; raises InvalidNote."""
    return read_checkpoint(open_note(note, verifier))
