"""Reads every leaf of a log, and names the games for which a version has two hashes."""

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee.tlog.merkle import leaf_hash, root_of
from referee.tlog.note import Checkpoint, InvalidNote, Verifier
from referee.tlog.tiles import WIDTH, TilePath, entries_in
from referee.witness.watch import FetchBytes, read_checkpoint_of

ENDS = ("finished", "annulled")
KINDS = ("created", "sealed", "head", *ENDS)
MEMBERS = {"game", "hash", "kind", "version"}


@dataclass
class Story:
    """What the leaves of one game say."""

    hashes: dict[tuple[int, bool], str] = field(default_factory=dict)
    """The hash of each version; that of the seals, which have version 0 as the commitment has, apart."""
    leaves: set[tuple[str, int, str]] = field(default_factory=set)
    newest: int = 0
    end: str | None = None


@dataclass
class Findings:
    """What a monitor found in a log."""

    counts: Counter[str] = field(default_factory=Counter)
    """Games by what became of them, and leaves of other kinds."""
    faults: list[str] = field(default_factory=list)


class Monitor:
    """Takes the leaves of a log, one by one."""

    def __init__(self) -> None:
        self.findings = Findings()
        self._stories: dict[str, Story] = {}

    def take(self, index: int, entry: bytes) -> None:
        """Take the next leaf."""
        leaf = _read(entry)
        if leaf is None:
            self.findings.faults.append(f"Leaf {index} is not of the form that the documentation describes.")
        elif leaf["kind"] not in KINDS:
            self.findings.counts[f"leaves of the kind {leaf['kind']}"] += 1
        else:
            fault = self._fault(leaf["game"], leaf["kind"], leaf["version"], leaf["hash"])
            if fault is not None:
                self.findings.faults.append(f"Leaf {index}, game {leaf['game']}: {fault}")

    def _fault(self, game: str, kind: str, version: int, hash: str) -> str | None:
        """Note a leaf of a game; returns what is wrong with it, or None."""
        is_new = game not in self._stories
        story = self._stories.setdefault(game, Story())
        if is_new and kind != "created":
            self.findings.counts["games without a leaf `created`"] += 1
        if (kind, version, hash) in story.leaves:
            return None
        known = story.hashes.setdefault((version, kind == "sealed"), hash)
        story.leaves.add((kind, version, hash))
        if known != hash:
            return f"two hashes for version {version}: {known} and {hash}."
        if story.end is not None:
            return f"`{kind}` of version {version} after `{story.end}`."
        if version < story.newest or (kind == "created" and not is_new):
            return f"`{kind}` of version {version} after version {story.newest}."
        story.newest = version
        if kind in ENDS:
            story.end = kind
        return None

    def end(self) -> Findings:
        """What was found, with the number of games by their end."""
        for story in self._stories.values():
            ended = story.end or "not over"
            self.findings.counts[
                f"games: {ended}{' before their start' if story.end and not story.newest else ''}"
            ] += 1
        return self.findings


def _read(entry: bytes) -> dict[str, Any] | None:
    try:
        leaf = json.loads(entry)
    except ValueError:
        return None
    if not isinstance(leaf, dict) or not isinstance(leaf.get("kind"), str):
        return None
    if leaf["kind"] not in KINDS:
        return leaf
    is_whole = leaf.keys() == MEMBERS and type(leaf["version"]) is int and leaf["version"] >= 0
    return leaf if is_whole and all(isinstance(leaf[name], str) for name in ("game", "hash")) else None


def monitor(fetch: FetchBytes, verifier: Verifier) -> tuple[Checkpoint, Findings]:
    """Read all leaves of the newest checkpoint; raises InvalidNote if they do not lead to its root."""
    checkpoint = read_checkpoint_of(fetch("checkpoint").decode(), verifier)
    found, hashes = Monitor(), list[bytes]()
    for number in range(-(-checkpoint.size // WIDTH)):
        width = min(WIDTH, checkpoint.size - number * WIDTH)
        try:
            entries = entries_in(fetch(TilePath(-1, number, width).text))
        except ValueError as error:
            raise InvalidNote(f"Bundle {number} cannot be read: {error}") from None
        for entry in entries:
            found.take(len(hashes), entry)
            hashes.append(leaf_hash(entry))
    if len(hashes) != checkpoint.size or root_of(hashes) != checkpoint.root:
        raise InvalidNote("The leaves do not lead to the root of the checkpoint.")
    return checkpoint, found.end()
