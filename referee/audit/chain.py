"""The chain of hashes: nothing was changed, dropped, added or moved since the hashes were published."""

import re
from collections.abc import Sequence
from datetime import datetime

from referee.audit.fault import Fault
from referee.audit.record import Written
from referee.kernel.canon import digest
from referee.kernel.record import Entry, Header

ENDINGS = ("game_finished", "game_conceded", "game_adjudicated", "game_annulled")
"""The events that end a game: by its rules, or at its table."""

_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


def check_chain(
    header: Header, entries: Sequence[Entry], commits: Sequence[Written], before: Entry | None = None
) -> str:
    """Versions without gaps, each commit under its hash and after the one before it, times that never go back.

    With an entry `before`, the commits are those that follow it, and what lies before is not checked.
    """
    prev, last_at, first = (header.hash, "", 1) if before is None else (before.hash, "", before.version + 1)
    for place, (entry, commit) in enumerate(zip(entries, commits, strict=True), first):
        if commit.version != place:
            raise Fault(place, f"Version {place} is missing: version {commit.version} stands in its place.")
        if commit.prev != prev:
            raise Fault(place, f"The commit does not follow {'the one before it' if place > 1 else 'the header'}.")
        if digest(entry.body) != entry.hash:
            raise Fault(place, "The commit does not have the hash that stands beside it.")
        if not is_timestamp(commit.at):
            raise Fault(place, f"{commit.at!r} is no time in UTC to the millisecond.")
        if commit.at < last_at:
            raise Fault(place, f"The commit was made before the one that it follows: {commit.at} after {last_at}.")
        prev, last_at = entry.hash, commit.at
    # The header's hash is not blinded, and in a casual game what it covers is hidden: it is not told before the end.
    last = f"the last hash is {prev}." if commits else "there is none to name yet."
    newest = "" if before is None else f"The newest of {before.version + len(commits)} commits were checked: "
    return f"{newest}{len(commits)} commits, each under its hash and after the one before it; {last}"


def is_timestamp(text: str) -> bool:
    """Whether this is a time in UTC to the millisecond; such times are in order when their texts are."""
    if not _TIMESTAMP.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_ending(commit: Written) -> bool:
    """Whether the game is over after this commit."""
    return bool(commit.events) and commit.events[-1].get("type") in ENDINGS


def check_end(commits: Sequence[Written]) -> str:
    """The last event ends the game, and no event before it does."""
    for place, commit in enumerate(commits, 1):
        ends = [number for number, event in enumerate(commit.events, 1) if event.get("type") in ENDINGS]
        if ends and ends[0] < len(commit.events):
            raise Fault(place, f"Events follow the one that ends the game, event {ends[0]} of {len(commit.events)}.")
        if ends and place < len(commits):
            raise Fault(place + 1, f"The game was over after commit {place}.")
    if not commits or not is_ending(commits[-1]):
        raise Fault(len(commits) + 1, f"The game is not over after its last commit, {len(commits)}.")
    return f"The game ends with {commits[-1].events[-1]['type']} in commit {len(commits)}."
