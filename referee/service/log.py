"""What the transparency log shows: checkpoints, tiles, proofs, and the leaves of one game."""

import contextlib
import time
from base64 import b64encode
from collections.abc import Sequence

from referee.audit.record import Logged
from referee.service.metrics import LOG_AGE, LOG_ALARM
from referee.service.problems import Problem, Unavailable
from referee.tlog.keys import Notices
from referee.tlog.leaf import read_leaf
from referee.tlog.leaves import Leaves
from referee.tlog.merkle import consistency_proof, inclusion_proof
from referee.tlog.note import Checkpoint, read_checkpoint, split_note
from referee.tlog.published import ALARMS, Published
from referee.tlog.tiles import read_path
from referee.tlog.tree import Tree, TreeDamaged

MAGIC = "c2sp.org/tlog-proof@v1"


class PublicLog:
    """Reads the log for everybody. It has no key and writes nothing."""

    def __init__(self, published: Published, tree: Tree, leaves: Leaves, notices: Notices) -> None:
        self._published = published
        self._tree = tree
        self._leaves = leaves
        self._notices = notices

    def checkpoint(self) -> str:
        """The newest signed checkpoint; raises a problem before there is one."""
        return self._found(self._published.checkpoint())

    def vkey(self) -> str:
        """The public key of the log; raises a problem before the first checkpoint."""
        return self._found(self._published.vkey())

    def alarm(self) -> str | None:
        """Why the sequencer publishes nothing; None: everything is well."""
        return self._published.alarm()

    def measure(self) -> None:
        """Update the metrics of the log; a Redis that cannot be reached changes nothing."""
        with contextlib.suppress(Unavailable):
            rung = self.alarm()
            for each in ALARMS:
                LOG_ALARM.labels(each).set(rung == each)
            at = self._published.signed_at()
            if at is not None:
                LOG_AGE.set(max(0.0, time.time() - at))

    def _found(self, text: str | None) -> str:
        if text is None:
            raise Problem("not-found", "This service keeps no transparency log, or has not signed a checkpoint yet.")
        return text

    def tile(self, path: str) -> bytes:
        """A tile by its path; raises a problem for one that the published tree does not have."""
        named = read_path(path)
        signed = self._signed()
        if named is None or (named.number * 256 + named.width) << (8 * max(named.level, 0)) > signed.size:
            raise Problem("not-found", "The log has no such tile.")
        found = self._tree.tile(named)
        if found is None:
            raise Problem("not-found", "The log has no such tile.")
        return found

    def _signed(self) -> Checkpoint:
        text, _ = split_note(self.checkpoint())
        return read_checkpoint(text)

    def consistency(self, old: int, size: int) -> list[str]:
        """The proof that the tree of one size is the beginning of that of another, in base64; raises a problem.

        `old` is not more than `size`.
        """
        if size > self._signed().size:
            raise Problem("not-found", f"The log has {self._signed().size} leaves.")
        try:
            steps = consistency_proof(self._tree.subtrees(self._tree.edge()), old, size)
        except (TreeDamaged, IndexError) as error:
            raise damaged(error) from None
        return [b64encode(step).decode() for step in steps]

    def proofs(self, game: str) -> list[tuple[int, str, str]]:
        """The leaves of a game in the newest checkpoint: index, entry, and proof as `c2sp.org/tlog-proof@v1`."""
        return [(leaf.index, leaf.entry, proof_text(leaf)) for leaf in self.logged(game)]

    def logged(self, game: str) -> list[Logged]:
        """The leaves of a game in the newest checkpoint."""
        return self._proved(self._leaves.of_game(game))

    def of_record(self, game: str) -> list[Logged]:
        """What the record of a game that is over shows of the log: creation, seals, the last head, and the end.

        A log that cannot be read now does not keep anybody from reading a record.
        """
        try:
            leaves = self.logged(game)
        except Problem:
            return []
        first: dict[str, Logged] = {}
        for leaf in leaves:
            first.setdefault(leaf.entry, leaf)
        kinds = {entry: read_leaf(entry.encode()) for entry in first}
        heads = [leaf for leaf in first.values() if (read := kinds[leaf.entry]) is not None and read.kind == "head"]
        return [leaf for leaf in first.values() if leaf not in heads[:-1]]

    def notices(self) -> list[tuple[str, int, str, str]]:
        """What the newest checkpoint says about keys: notice, index, entry, and proof."""
        known = [(notice, index) for notice, index in self._notices.all() if index is not None]
        texts = {index: notice.text for notice, index in known}
        proved = self._proved([(index, notice.leaf.entry) for notice, index in known])
        return [(texts[leaf.index], leaf.index, leaf.entry, proof_text(leaf)) for leaf in proved]

    def _proved(self, leaves: Sequence[tuple[int, bytes]]) -> list[Logged]:
        """Those of some leaves that are in the newest checkpoint, each with its proof; raises a problem."""
        if not leaves:
            return []
        note, signed, edge = self.checkpoint(), self._signed(), self._tree.edge()
        subtree, found = self._tree.subtrees(edge), list[Logged]()
        for index, entry in leaves:
            if index < signed.size:
                try:
                    steps = inclusion_proof(subtree, index, signed.size)
                except (TreeDamaged, IndexError) as error:
                    raise damaged(error) from None
                found.append(Logged(note, entry.decode(), index, tuple(b64encode(step).decode() for step in steps)))
        return found


def damaged(error: Exception) -> Problem:
    """The problem of a tree that does not have what its checkpoint says, until it is repaired."""
    return Problem("unavailable", f"The transparency log cannot be read: {error} Try again later.", retry_after=10)


def proof_text(leaf: Logged) -> str:
    """The proof of a leaf as `c2sp.org/tlog-proof@v1`."""
    return "\n".join((MAGIC, f"index {leaf.index}", *leaf.proof)) + f"\n\n{leaf.checkpoint}"
