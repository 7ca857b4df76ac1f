"""What the transparency log shows: checkpoints, tiles, proofs, and the leaves of one game."""

import contextlib
import time
from base64 import b64encode

from referee.service.metrics import LOG_AGE, LOG_ALARM
from referee.service.problems import Problem, Unavailable
from referee.tlog.leaves import Leaves
from referee.tlog.merkle import consistency_proof, inclusion_proof
from referee.tlog.note import Checkpoint, read_checkpoint, split_note
from referee.tlog.published import ROLLED_BACK, Published
from referee.tlog.tiles import read_path
from referee.tlog.tree import Tree, TreeDamaged

MAGIC = "c2sp.org/tlog-proof@v1"


class PublicLog:
    """Reads the log for everybody. It has no key and writes nothing."""

    def __init__(self, published: Published, tree: Tree, leaves: Leaves) -> None:
        self._published = published
        self._tree = tree
        self._leaves = leaves

    def checkpoint(self) -> str:
        """The newest signed checkpoint; raises a problem before there is one."""
        return self._found(self._published.checkpoint())

    def vkey(self) -> str:
        """The public key of the log; raises a problem before the first checkpoint."""
        return self._found(self._published.vkey())

    def alarm(self) -> str | None:
        """Why the sequencer signs nothing; None: everything is well."""
        return self._published.alarm()

    def measure(self) -> None:
        """Update the metrics of the log; a Redis that cannot be reached changes nothing."""
        with contextlib.suppress(Unavailable):
            LOG_ALARM.labels(ROLLED_BACK).set(self.alarm() == ROLLED_BACK)
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
        edge = self._tree.edge()
        return [b64encode(step).decode() for step in consistency_proof(self._tree.subtrees(edge), old, size)]

    def proofs(self, game: str) -> list[tuple[int, str, str]]:
        """The leaves of a game in the newest checkpoint: index, entry, and proof as `c2sp.org/tlog-proof@v1`."""
        leaves = self._leaves.of_game(game)
        if not leaves:
            return []
        note, signed, edge = self.checkpoint(), self._signed(), self._tree.edge()
        subtree = self._tree.subtrees(edge)
        found: list[tuple[int, str, str]] = []
        for index, entry in leaves:
            if index < signed.size:
                try:
                    steps = inclusion_proof(subtree, index, signed.size)
                except TreeDamaged as error:
                    raise Problem("unavailable", f"{error} Try again later.", retry_after=10) from None
                lines = [MAGIC, f"index {index}", *(b64encode(step).decode() for step in steps)]
                found.append((index, entry.decode(), "\n".join(lines) + f"\n\n{note}"))
        return found
