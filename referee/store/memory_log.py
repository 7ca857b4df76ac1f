"""A log in memory, for offline play and tests. It passes the same tests as the log on Redis."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from threading import Lock

from referee.store.log import (
    ENTRIES_MAX,
    Appended,
    Behind,
    Conflict,
    GameExists,
    Head,
    IdempotencyKey,
    Leaf,
    Race,
    Repeated,
    Written,
)
from referee.store.redis_log import tag_of
from referee.table.record import Entry


class MemoryLog:
    """Stores games for the lifetime of the process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heads: dict[str, Head] = {}
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._repeated: dict[tuple[str, str], Repeated] = {}
        self._wake: dict[str, int] = {}
        self._thoughts: dict[str, bytes] = {}
        self._races: dict[str, tuple[int, int, dict[int, bytes]]] = {}
        self._texts: dict[str, dict[str, bytes]] = defaultdict(dict)
        self._audits: dict[str, tuple[bytes, bytes]] = {}
        self._attempts: dict[str, tuple[int, int]] = {}

    def create(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Store a new game, and set when to wake it, in one atomic step; raises GameExists."""
        with self._lock:
            if self._heads.get(head.game, head) != head:
                raise GameExists(head.game)
            self._keep(head, wake_at)

    def head(self, game: str) -> Head | None:
        """What is stored of a game beside its log."""
        return self._heads.get(game)

    def heads(self, games: Sequence[str]) -> list[tuple[Head, int]]:
        """What is stored of games beside their logs, each with the length of its log; unknown games are left out."""
        return [(head, self.length(game)) for game in games if (head := self._heads.get(game)) is not None]

    def change_head(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Replace the head if its revision is the next one, and set when to wake the game; raises Conflict."""
        with self._lock:
            known = self._heads.get(head.game)
            if known != head and (known is None or known.revision != head.revision - 1):
                raise Conflict(head.game)
            self._keep(head, wake_at)

    def append(
        self,
        game: str,
        entry: Entry,
        key: IdempotencyKey | None,
        wake_at: int | None,
        follows: str | None = None,
        leaf: str = "head",
    ) -> Appended:
        """Write the entry if it follows the last one and the key is new."""
        with self._lock:
            if key is not None and (seen := self._repeated.get((game, key.key))):
                return seen
            entries = self._entries[game]
            if len(entries) != entry.version - 1:
                return Behind(tuple(entries[entry.version - 1 :][:ENTRIES_MAX]))
            if entries and follows is not None and entries[-1].hash != follows:
                return Behind(())
            entries.append(entry)
            if key is not None:
                self._repeated[game, key.key] = Repeated(entry.version, key.fingerprint, key.note)
            self._set_wake(game, wake_at)
            return Written()

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""
        return tuple(self._entries.get(game, ())[after : after + limit])

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""
        return len(self._entries.get(game, ()))

    def is_kept(self, game: str, entry: Entry) -> bool:
        """Nothing is ever lost."""
        return True

    def epoch(self, game: str) -> Hashable:
        """Nothing is ever lost."""
        return 0

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""
        return self._repeated.get((game, key))

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Set when to wake the game; None: never. With a version, only if that is still the newest."""
        with self._lock:
            if version is None or len(self._entries.get(game, ())) == version:
                self._set_wake(game, at)

    def due_games(self, until: int, limit: int, tags: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """The games to wake until then, earliest first, with their times; with tags, only games that have these."""
        due = [(game, at) for game, at in self._wake.items() if at <= until and (tags is None or tag_of(game) in tags)]
        return sorted(due, key=lambda pair: pair[1])[:limit]

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Store a bot's choice, for the lifetime of the process."""
        self._thoughts[game] = body

    def thought(self, game: str) -> bytes | None:
        """The stored choice of a bot."""
        return self._thoughts.get(game)

    def enter_race(self, game: str, seat: int, move: bytes, now: int, closes: int, until: int) -> tuple[bool, int]:
        """Add a seat's move to the race of a game; without a race, begin one with these times."""
        with self._lock:
            closes, until, moves = self._races.setdefault(game, (closes, until, {}))
            if now <= until:
                moves.setdefault(seat, move)
                self._set_wake(game, min(closes, self._wake.get(game, closes)))
            return now <= until, closes

    def race(self, game: str) -> Race | None:
        """The race of a game, if there is one."""
        with self._lock:
            found = self._races.get(game)
            return None if found is None else Race(found[0], tuple(found[2].values()))

    def end_race(self, game: str, closes: int) -> None:
        """Forget the race of a game that closes then."""
        with self._lock:
            if game in self._races and self._races[game][0] == closes:
                del self._races[game]

    def keep_text(self, game: str, hash: str, body: bytes) -> None:
        """Store a text that the log shows by its hash only."""
        self._texts[game][hash] = body

    def texts(self, game: str) -> dict[str, bytes]:
        """The stored texts of a game by their hashes."""
        return dict(self._texts.get(game, {}))

    def erase(self, game: str, texts: Sequence[str], actors: Sequence[str]) -> None:
        """Delete these texts of a game, and what the idempotency keys of these actors were used for."""
        with self._lock:
            self._texts[game] = {hash: body for hash, body in self._texts[game].items() if hash not in texts}
            gone = {key for key in self._repeated if key[0] == game and key[1].partition(":")[0] in actors}
            self._repeated = {key: seen for key, seen in self._repeated.items() if key not in gone}

    def remove(self, game: str) -> None:
        """Delete everything of a game."""
        with self._lock:
            self._texts.pop(game, None)
            self._heads.pop(game, None)
            self._entries.pop(game, None)
            self._thoughts.pop(game, None)
            self._races.pop(game, None)
            self._audits.pop(game, None)
            self._attempts.pop(game, None)
            self._repeated = {key: seen for key, seen in self._repeated.items() if key[0] != game}
            self._set_wake(game, None)

    def audit(self, game: str) -> bytes | None:
        """The stored audit of a game, if there is one."""
        return self._audits[game][0] if game in self._audits else None

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin an attempt at the audit and claim it until then; returns its number, 0 if there is nothing to do."""
        with self._lock:
            attempts, busy_until = self._attempts.get(game, (0, 0))
            if game in self._audits or busy_until > now:
                return 0
            self._attempts[game] = attempts + 1, until
            return attempts + 1

    def go_on_with_audit(self, game: str, until: int) -> None:
        """Extend the claim of the current attempt until then."""
        with self._lock:
            self._attempts[game] = self._attempts[game][0], until

    def luck(self, game: str) -> bytes | None:
        """The luck that is stored with the audit of a game."""
        return self._audits[game][1] if game in self._audits else None

    def end_audit(self, game: str, body: bytes | None, luck: bytes = b"") -> None:
        """Store an audit for good, with the luck of the game; or, without an audit, let the next attempt begin."""
        self.go_on_with_audit(game, 0)
        if body is not None:
            self._audits[game] = body, luck

    def _keep(self, head: Head, wake_at: int | None) -> None:
        self._heads[head.game] = head
        if wake_at is not None:
            self._set_wake(head.game, wake_at)

    def _set_wake(self, game: str, at: int | None) -> None:
        if at is None:
            self._wake.pop(game, None)
        else:
            self._wake[game] = at
