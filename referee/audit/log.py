"""Compares a record with the transparency log: is this the game that the log shows?"""

import binascii
from base64 import b64decode
from collections.abc import Sequence

import msgspec

from referee.audit.evidence import Evidence
from referee.audit.record import Logged, Record
from referee.tlog.leaf import ENDS, KINDS, Leaf, game_tag, read_leaf, sealed_hash
from referee.tlog.merkle import is_included, leaf_hash
from referee.tlog.note import Checkpoint, InvalidNote, read_checkpoint, split_note
from referee.tlog.policy import Policy

STEPS_MAX = 64
"""No proof has more hashes: a tree has fewer than 2^64 leaves."""


class NotInLog(Exception):
    """The log does not show this game, or not with the signatures that are demanded; the message says why."""


class LogFinding(msgspec.Struct, frozen=True):
    """Whether the log shows the game of a record; None: that cannot be decided."""

    passed: bool | None
    detail: str


class Seen(msgspec.Struct, frozen=True):
    """A checkpoint, and who signed it."""

    checkpoint: Checkpoint
    is_signed: bool
    witnesses: tuple[str, ...] = ()


class Checkpoints:
    """Reads checkpoints by a policy, each once; two that contradict each other are two stories."""

    def __init__(self, policy: Policy, is_demanded: bool) -> None:
        self._policy = policy
        self._is_demanded = is_demanded
        self._read: dict[str, Seen] = {}

    @property
    def seen(self) -> tuple[Seen, ...]:
        """All checkpoints that were read."""
        return tuple(self._read.values())

    def open(self, note: str) -> Checkpoint:
        """The checkpoint of a note; raises NotInLog."""
        if note not in self._read:
            try:
                self._read[note] = self._open(note)
            except InvalidNote as error:
                raise NotInLog(f"A checkpoint is not valid: {error}") from None
            self._require_one_story(self._read[note].checkpoint)
        return self._read[note].checkpoint

    def _open(self, note: str) -> Seen:
        checkpoint = read_checkpoint(split_note(note)[0])
        is_known = any(log.name == checkpoint.origin for log in self._policy.logs)
        if not is_known and not self._is_demanded:
            return Seen(checkpoint, is_signed=False)
        checkpoint, witnesses = self._policy.open(note)
        return Seen(checkpoint, True, witnesses)

    def _require_one_story(self, new: Checkpoint) -> None:
        for each in self._read.values():
            old = each.checkpoint
            if (old.origin, old.size) == (new.origin, new.size) and old.root != new.root:
                raise NotInLog(f"Two checkpoints of {new.origin} with {new.size} leaves have different roots.")


def proved_leaf(line: Logged, checkpoints: Checkpoints) -> Leaf | None:
    """The leaf of a line; None: its form is unknown. Raises NotInLog if its proof does not lead to its checkpoint."""
    checkpoint, entry = checkpoints.open(line.checkpoint), line.entry.encode()
    try:
        proof = [b64decode(step, validate=True) for step in line.proof[: STEPS_MAX + 1]]
    except (binascii.Error, ValueError):
        proof = []
    is_short = len(line.proof) <= STEPS_MAX and all(len(step) == 32 for step in proof)
    if not is_short or not is_included(leaf_hash(entry), line.index, checkpoint.size, proof, checkpoint.root):
        raise NotInLog(f"The proof of leaf {line.index} does not lead to its checkpoint.")
    return read_leaf(entry)


def game_leaves(record: Record, evidence: Evidence, checkpoints: Checkpoints) -> list[tuple[int, Leaf]]:
    """The leaves of the game that the record and the evidence prove, with their indexes; raises NotInLog."""
    found: dict[int, Leaf] = {}
    for line in (*record.logged, *evidence.leaves):
        leaf = proved_leaf(line, checkpoints)
        if leaf is not None and leaf.kind in KINDS:
            found[line.index] = leaf
    if evidence.whole_log is not None:
        checkpoints.open(evidence.whole_log.checkpoint)
        of_game = game_tag(record.header.game)
        found |= {index: leaf for index, leaf in evidence.whole_log.leaves if leaf.game == of_game}
    return sorted(found.items())


def check_log(record: Record, evidence: Evidence) -> LogFinding:
    """Compare every leaf of the game with the record; raises nothing."""
    checkpoints = Checkpoints(evidence.policy, evidence.is_demanded)
    try:
        leaves = game_leaves(record, evidence, checkpoints)
        for index, leaf in leaves:
            _require_fit(record, index, leaf)
    except NotInLog as error:
        return LogFinding(False, str(error))
    missing = _missing(record, [leaf for _, leaf in leaves])
    if missing:
        detail = f"The log does not show {' and '.join(missing)}: read the record again in a few seconds."
        return LogFinding(False if evidence.is_demanded else None, detail)
    return _signed(len(leaves), checkpoints.seen)


def _require_fit(record: Record, index: int, leaf: Leaf) -> None:
    """Refuse a record that contradicts a leaf."""
    header, entries = record.header, record.entries
    if leaf.game != game_tag(header.game):
        raise NotInLog(f"Leaf {index} is of another game.")
    expected: str | None = None
    match leaf.kind:
        case "created":
            expected = header.commitment if leaf.version == 0 else None
        case "sealed":
            expected = sealed_hash(header) if leaf.version == 0 else None
        case kind if 1 <= leaf.version <= len(entries) and (kind == "head" or leaf.version == len(entries)):
            expected = entries[leaf.version - 1].hash
    if expected is None:
        raise NotInLog(f"Leaf {index} says `{leaf.kind}` at version {leaf.version}, but the record ends elsewhere.")
    if leaf.hash != expected:
        what = {"created": "the commitment", "sealed": "the seals"}.get(leaf.kind, f"commit {leaf.version}")
        found = f"leaf {index} has the hash {leaf.hash} for {what}, but the record has {expected}"
        raise NotInLog(f"The log shows another game: {found}.")


def _missing(record: Record, leaves: Sequence[Leaf]) -> list[str]:
    """What the log must show of a game that is over, and does not."""
    kinds = {leaf.kind for leaf in leaves}
    wanted = [("its creation", {"created"}), ("its end", set(ENDS))]
    if any(record.header.seals):
        wanted.append(("its seals", {"sealed"}))
    return [name for name, either in wanted if not kinds & either]


def _signed(count: int, seen: Sequence[Seen]) -> LogFinding:
    fit = f"{count} leaves of the log fit the record"
    if not all(each.is_signed for each in seen):
        return LogFinding(None, f"{fit}, but no signature was checked: pass --key or --policy.")
    witnesses = sorted(set.intersection(*(set(each.witnesses) for each in seen)))
    cosigned = f"cosigned by {', '.join(witnesses)}" if witnesses else "cosigned by no witness that is known here"
    return LogFinding(True, f"{fit}, signed by {seen[0].checkpoint.origin} and {cosigned}.")
