"""A log in memory: for playing offline and for tests. It passes the same suite as the one on Redis."""

from collections import defaultdict
from collections.abc import Sequence
from threading import Lock

from referee.kernel.record import Entry
from referee.log.log import (
    ENTRIES_MAX,
    Appended,
    Behind,
    Conflict,
    GameExists,
    Head,
    Once,
    Repeated,
    Written,
)


class MemoryLog:
    """Keeps games as long as the process lives."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heads: dict[str, Head] = {}
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._once: dict[tuple[str, str], Repeated] = {}
        self._wake: dict[str, int] = {}
        self._thoughts: dict[str, bytes] = {}
        self._audits: dict[str, bytes] = {}
        self._attempts: dict[str, tuple[int, int]] = {}

    def create(self, head: Head, wake_at: int | None = None) -> None:
        """Keep a new game, and note when somebody must look at it, in one step; raises GameExists."""
        with self._lock:
            if head.game in self._heads:
                raise GameExists(head.game)
            self._keep(head, wake_at)

    def head(self, game: str) -> Head | None:
        """What is kept of a game beside its log."""
        return self._heads.get(game)

    def change_head(self, head: Head, wake_at: int | None = None) -> None:
        """Exchange the head if its revision is the next one, and note a time to wake as well; raises Conflict."""
        with self._lock:
            known = self._heads.get(head.game)
            if known is None or known.revision != head.revision - 1:
                raise Conflict(head.game)
            self._keep(head, wake_at)

    def append(self, game: str, entry: Entry, once: Once | None, wake_at: int | None) -> Appended:
        """Write the entry if its version is the next one and the key is new."""
        with self._lock:
            if once is not None and (seen := self._once.get((game, once.key))):
                return seen
            entries = self._entries[game]
            if len(entries) != entry.version - 1:
                return Behind(tuple(entries[entry.version - 1 :][:ENTRIES_MAX]))
            entries.append(entry)
            if once is not None:
                self._once[game, once.key] = Repeated(entry.version, once.fingerprint, once.note)
            self._note(game, wake_at)
            return Written()

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""
        return tuple(self._entries.get(game, ())[after : after + limit])

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""
        return len(self._entries.get(game, ()))

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""
        return self._once.get((game, key))

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Note when somebody must look at the game again; with a version, only if the log has not gone on since."""
        with self._lock:
            if version is None or len(self._entries.get(game, ())) == version:
                self._note(game, at)

    def wakeful(self, until: int, limit: int) -> list[tuple[str, int]]:
        """The games to look at until then, earliest first, with their times."""
        due = [(game, at) for game, at in self._wake.items() if at <= until]
        return sorted(due, key=lambda pair: pair[1])[:limit]

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Keep what a bot will do, as long as the process lives."""
        self._thoughts[game] = body

    def thought(self, game: str) -> bytes | None:
        """What a bot will do."""
        return self._thoughts.get(game)

    def remove(self, game: str) -> None:
        """Keep nothing of a game any more."""
        with self._lock:
            self._heads.pop(game, None)
            self._entries.pop(game, None)
            self._thoughts.pop(game, None)
            self._audits.pop(game, None)
            self._attempts.pop(game, None)
            self._once = {key: seen for key, seen in self._once.items() if key[0] != game}
            self._note(game, None)

    def audit(self, game: str) -> bytes | None:
        """The audit of a game, if it was made."""
        return self._audits.get(game)

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin to make the audit, in one step; gives which attempt this is, 0 if there is nothing to do."""
        with self._lock:
            attempts, busy_until = self._attempts.get(game, (0, 0))
            if game in self._audits or busy_until > now:
                return 0
            self._attempts[game] = attempts + 1, until
            return attempts + 1

    def go_on_with_audit(self, game: str, until: int) -> None:
        """The attempt goes on, until then at least."""
        with self._lock:
            self._attempts[game] = self._attempts[game][0], until

    def end_audit(self, game: str, body: bytes | None) -> None:
        """Keep an audit for good, or let the next attempt begin."""
        self.go_on_with_audit(game, 0)
        if body is not None:
            self._audits[game] = body

    def _keep(self, head: Head, wake_at: int | None) -> None:
        self._heads[head.game] = head
        if wake_at is not None:
            self._note(head.game, wake_at)

    def _note(self, game: str, at: int | None) -> None:
        if at is None:
            self._wake.pop(game, None)
        else:
            self._wake[game] = at
