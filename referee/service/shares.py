"""How several sweeps share the games: every game has one sweep among the living."""

import time
from hashlib import blake2b

from referee.store.members import Members
from referee.store.redis_log import ALL_TAGS

JOIN_S = 1.0
"""The time between two announcements of a sweep."""
LASTS_MS = 3000
"""A sweep that has announced nothing for this time is taken to be gone, and the others take over its games."""


def share(id: str, living: frozenset[str]) -> tuple[str, ...]:
    """The tags of one sweep among the living: each tag goes to the sweep with the highest hash of both names.

    So every game has one sweep, and when a sweep comes or goes, only its own tags move.
    """
    return tuple(tag for tag in ALL_TAGS if max(living | {id}, key=lambda each: _weight(each, tag)) == id)


def _weight(id: str, tag: str) -> bytes:
    return blake2b(f"{id} {tag}".encode(), digest_size=8).digest()


class Share:
    """The share of this sweep. Two sweeps that both look at a game for a moment do no harm."""

    def __init__(self, members: Members) -> None:
        self._members = members
        self._living: frozenset[str] = frozenset()
        self._tags: tuple[str, ...] = ()
        self._joins_at = 0.0

    def tags(self) -> tuple[str, ...]:
        """The tags of the games to look at now."""
        if time.monotonic() >= self._joins_at:
            self._joins_at = time.monotonic() + JOIN_S
            living = frozenset(self._members.join())
            if living != self._living:
                self._living, self._tags = living, share(self._members.id, living)
        return self._tags

    def leave(self) -> None:
        """Leave the games to the other sweeps."""
        self._members.leave()
