"""A log in which finished games may be packed, or archived outside of Redis: they are read as if they were not."""

from collections.abc import Sequence

import msgspec
from redis import Redis
from redis.exceptions import RedisError, ResponseError

from referee.store.archive import Archive
from referee.store.log import ENTRIES_MAX, Appended, Behind, Head, IdempotencyKey, Repeated
from referee.store.packed_game import ArchiveUnavailable
from referee.store.packed_games import CACHE_BYTES_MAX, TRIES, PackedGames, pairs
from referee.store.redis_log import RedisLog, key_of, read_repeated
from referee.table.record import Entry


class FinishedLog(RedisLog):
    """A log on Redis whose finished games may be packed or archived.

    The log of a packed game is a mark instead of a stream. So a command for its stream fails, which costs other games
    nothing, and no process that still believes in an old state can append to it.
    """

    def __init__(
        self,
        redis: Redis,
        replicas: int = 0,
        replicas_timeout_ms: int = 1000,
        logs: bool = False,
        archive: Archive | None = None,
        cache_bytes: int = CACHE_BYTES_MAX,
    ) -> None:
        super().__init__(redis, replicas, replicas_timeout_ms, logs)
        self.packed_games = PackedGames(self._connections, archive, cache_bytes)

    def heads(self, games: Sequence[str]) -> list[tuple[Head, int]]:
        """What is stored of games beside their logs, each with its newest version; unknown games are left out."""
        asked = [("HMGET", key_of(game, "head"), "revision", "body", "packed") for game in games]
        for _ in range(TRIES):
            rows = zip(games, self._connections.try_each(asked), strict=True)
            known = [(game, row) for game, row in rows if not isinstance(row, RedisError) and row[1] is not None]
            loose = [game for game, (_, _, packed) in known if packed is None]
            try:
                replies = self._connections.try_each([("XLEN", key_of(game, "log")) for game in loose]) if loose else []
            except ResponseError as error:
                _require_mark(error)
                continue  # one of them has just been packed
            lengths = dict(zip(loose, replies, strict=True))
            known = [row for row in known if not isinstance(lengths.get(row[0]), RedisError)]
            return [
                (Head(game, int(revision), body), lengths[game] if packed is None else _version_in(packed))
                for game, (revision, body, packed) in known
            ]
        raise ArchiveUnavailable("others pack the games at the same time")

    def append(
        self,
        game: str,
        entry: Entry,
        key: IdempotencyKey | None,
        wake_at: int | None,
        follows: str | None = None,
        leaf: str = "head",
    ) -> Appended:
        """Write the entry if it follows the last one and the key is new; nothing follows a packed game."""
        try:
            return super().append(game, entry, key, wake_at, follows, leaf)
        except ResponseError as error:
            _require_mark(error)
            return Behind(())

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""
        try:
            return super().read(game, after, limit)
        except ResponseError as error:
            _require_mark(error)
            return self.packed_games.read(game, after, limit)

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""
        try:
            return super().length(game)
        except ResponseError as error:
            _require_mark(error)
            packed = self.packed_games.packed(game)
            return 0 if packed is None else packed.version

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Set when to wake the game; None: never. A packed game is not woken for a version."""
        try:
            super().wake(game, at, version)
        except ResponseError as error:
            _require_mark(error)
            super().wake(game, None)

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""
        seen = super().repeated(game, key)
        finished = None if seen is not None else self.packed_games.finished(game)
        used = None if finished is None else finished.beside.used.get(key)
        return seen if used is None else read_repeated(used)

    def texts(self, game: str) -> dict[str, bytes]:
        """The stored texts of a game by their hashes."""
        asked = [("HGETALL", key_of(game, "texts")), ("HGET", key_of(game, "head"), "packed")]
        texts, packed = self._connections.each(asked)
        loose = {hash.decode(): body for hash, body in pairs(texts).items()}
        finished = None if packed is None else self.packed_games.finished(game)
        return loose if finished is None else {**finished.beside.texts, **loose}

    def audit(self, game: str) -> bytes | None:
        """The stored audit of a game, if there is one."""
        stored = super().audit(game)
        finished = None if stored is not None else self.packed_games.finished(game)
        return stored if finished is None else finished.beside.audit

    def luck(self, game: str) -> bytes | None:
        """The luck that is stored with the audit of a game."""
        stored = super().luck(game)
        finished = None if stored is not None else self.packed_games.finished(game)
        return stored if finished is None else finished.beside.luck

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin an attempt at the audit and claim it until then; a packed game has its audit."""
        return 0 if self.packed_games.packed(game) is not None else super().begin_audit(game, now, until)

    def erase(self, game: str, texts: Sequence[str], actors: Sequence[str]) -> None:
        """Delete these texts of a game, and what the idempotency keys of these actors were used for."""
        super().erase(game, texts, actors)
        if self.packed_games.erase(game, texts, actors) and self.packed_games.has_archive:
            super().wake(game, 0)  # a worker archives it again


def _require_mark(error: ResponseError) -> None:
    """Raise the error again unless it says that a log is no stream."""
    if "WRONGTYPE" not in str(error):
        raise error


class _Versioned(msgspec.Struct):
    version: int = 0


def _version_in(stored: bytes) -> int:
    """The last version of a packed game; a list shows it whatever its format is."""
    try:
        return msgspec.json.decode(stored, type=_Versioned).version
    except msgspec.DecodeError:
        return 0
