"""The chain of hashes: no commit was changed, dropped, added or moved since its hash was published."""

import re
from collections.abc import Sequence
from datetime import datetime

from referee.audit.fault import Fault
from referee.audit.record import WrittenCommit
from referee.kernel.canon import digest
from referee.table.record import Entry, Header

ENDINGS = ("game_finished", "game_resigned", "game_adjudicated", "game_annulled")
"""The events that end a game, by its rules or at the table."""

EXAMPLE_TIMESTAMP = "2026-11-16T08:00:00.250Z"
_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def check_chain(
    header: Header, entries: Sequence[Entry], commits: Sequence[WrittenCommit], before: Entry | None = None
) -> str:
    """Check that versions have no gaps, hashes are correct, each commit names the one before, and times never go back.

    With `before`, the commits are those that follow this entry, and earlier ones are not checked.
    """
    prev, last_at, first = (header.hash, "", 1) if before is None else (before.hash, "", before.version + 1)
    for place, (entry, commit) in enumerate(zip(entries, commits, strict=True), first):
        if commit.version != place:
            raise Fault(place, f"Version {place} is missing: the record has version {commit.version} in its place.")
        if commit.prev != prev:
            before_it = f"hash of commit {place - 1}, {prev}" if place > 1 else "hash of the header"
            raise Fault(place, f"Its prev is not the {before_it}.")
        if digest(entry.body) != entry.hash:
            raise Fault(place, f"The record gives its hash as {entry.hash}, but it is {digest(entry.body)}.")
        if not is_timestamp(commit.at):
            raise Fault(place, f"Its time {commit.at!r} is not in UTC with milliseconds, as in {EXAMPLE_TIMESTAMP}.")
        if commit.at < last_at:
            raise Fault(place, f"Its time {commit.at} is before {last_at}, the time of commit {place - 1}.")
        prev, last_at = entry.hash, commit.at
    if not commits:
        # The header's hash is not shown while the game runs: it is not blinded, and would give away the hidden start
        # position of a casual game to anyone who can guess it.
        return "There is no commit yet."
    count = f"{len(commits)}" if before is None else f"The newest {len(commits)} of {before.version + len(commits)}"
    return f"{count} commits have correct hashes and follow each other; the last hash is {prev}."


def is_timestamp(text: str) -> bool:
    """Whether this is a time in UTC with milliseconds; such texts sort in the order of their times."""
    if not _TIMESTAMP.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_ending(commit: WrittenCommit) -> bool:
    """Whether the game is over after this commit."""
    return bool(commit.events) and commit.events[-1].get("type") in ENDINGS


def check_end(commits: Sequence[WrittenCommit]) -> str:
    """Check that the last event ends the game, and no event before it does."""
    for place, commit in enumerate(commits, 1):
        ends = [number for number, event in enumerate(commit.events, 1) if event.get("type") in ENDINGS]
        if ends and ends[0] < len(commit.events):
            raise Fault(place, f"Event {ends[0]} of {len(commit.events)} ends the game, but more events follow it.")
        if ends and place < len(commits):
            raise Fault(place + 1, f"The game was already over with commit {place}.")
    if not commits or not is_ending(commits[-1]):
        raise Fault(len(commits) + 1, f"It is missing: the game is not over after {len(commits)} commits.")
    return f"The game ends with {commits[-1].events[-1]['type']} in commit {len(commits)}."
