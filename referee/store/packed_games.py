"""Packed games in Redis: how they get there, and how they are read, changed and archived."""

from collections import OrderedDict
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from referee.store.archive import Archive
from referee.store.connections import Script, Store
from referee.store.packed_game import (
    ArchiveUnavailable,
    Beside,
    FinishedGame,
    Packed,
    read_ref,
    unpack,
    write_ref,
)
from referee.store.redis_log import key_of
from referee.table.record import Entry

CACHE_BYTES_MAX = 64 << 20
"""The most memory that the unpacked games of one process take."""

TRIES = 10
"""The number of attempts to read or change a packed game that others change at the same time."""

PARTS = ("once", "texts", "leaves", "audit")
"""The hashes beside the log that are packed with it."""

_PACK = """
local head = redis.call('HMGET', KEYS[1], 'revision', 'packed')
if head[2] then return head[2] == ARGV[4] and 1 or 0 end
if head[1] ~= ARGV[1] then return 0 end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[2] .. '-0' or last[2][4] ~= ARGV[3] then return 0 end
for part = 1, 4 do
  if redis.call('HLEN', KEYS[3 + part]) ~= tonumber(ARGV[5 + part]) then return 0 end
end
redis.call('SET', KEYS[3], ARGV[5])
redis.call('HSET', KEYS[1], 'packed', ARGV[4])
for part = 4, #KEYS do redis.call('DEL', KEYS[part]) end
redis.call('SET', KEYS[2], 'packed')
return 1
"""
"""Pack a game, unless anything of it has changed. Its log becomes a mark that refuses every command for streams."""

_REPLACE = """
local stored = redis.call('HGET', KEYS[1], 'packed')
if stored ~= ARGV[1] and stored ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], 'packed', ARGV[2])
if ARGV[3] == '' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[3]) end
return 1
"""


class Loose(msgspec.Struct, frozen=True):
    """A finished game that is not packed: what lies beside its log, and what must not change until it is packed."""

    revision: int
    sizes: tuple[int, ...]
    beside: Beside


class _Cache:
    """Unpacked games with the hashes of their packed bytes. It drops the least recently used when they get too big."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._size = 0
        self._games: OrderedDict[str, tuple[str, FinishedGame]] = OrderedDict()

    def get(self, game: str) -> tuple[str, FinishedGame] | None:
        """A game with its hash."""
        found = self._games.get(game)
        if found is not None:
            self._games.move_to_end(game)
        return found

    def put(self, game: str, hash: str, finished: FinishedGame) -> None:
        """Add a game, unless it is too big by itself."""
        self.forget(game)
        if finished.bytes_in_memory <= self._most:
            self._games[game] = hash, finished
            self._size += finished.bytes_in_memory
        while self._size > self._most:
            self.forget(next(iter(self._games)))

    def forget(self, game: str) -> None:
        """Drop a game, if it is there."""
        _, finished = self._games.pop(game, ("", None))
        self._size -= 0 if finished is None else finished.bytes_in_memory


class PackedGames:
    """The packed games of a Redis, and of an archive if there is one."""

    def __init__(self, connections: Store, archive: Archive | None, cache_bytes: int) -> None:
        self._connections = connections
        self._archive = archive
        self._cache = _Cache(cache_bytes)
        self._pack = Script(connections, _PACK)
        self._replace = Script(connections, _REPLACE)

    @property
    def has_archive(self) -> bool:
        """Whether packed games go to an archive."""
        return self._archive is not None

    def packed(self, game: str) -> Packed | None:
        """What the head says of a packed game; None: it is not packed. Raises PackedElsewhere."""
        stored = self._connections.call("HGET", key_of(game, "head"), "packed")
        return None if stored is None else read_ref(stored)

    def loose(self, game: str) -> Loose | None:
        """What lies beside the log of a finished game; None: it is packed already, or not audited yet."""
        head = ("HMGET", key_of(game, "head"), "revision", "packed")
        (revision, packed), *replies = self._connections.each(
            [head, *(("HGETALL", key_of(game, part)) for part in PARTS)]
        )
        used, texts, leaves, audit = map(pairs, replies)
        if revision is None or packed is not None or b"body" not in audit:
            return None
        beside = Beside(
            audit=audit[b"body"],
            luck=audit[b"luck"],
            texts={hash.decode(): body for hash, body in texts.items()},
            used={key.decode(): seen for key, seen in used.items()},
            leaves={int(index): entry for index, entry in leaves.items()},
        )
        return Loose(int(revision), tuple(map(len, (used, texts, leaves, audit))), beside)

    def pack(self, game: str, loose: Loose, last: Entry, packed: Packed, blob: bytes) -> bool:
        """Replace a log and all beside it by its packed bytes, in one step; false: something of it has changed."""
        names = ("head", "log", "packed", *PARTS, "thought", "race")
        args = (loose.revision, last.version, last.hash, write_ref(packed), blob, *loose.sizes)
        return bool(self._pack([key_of(game, name) for name in names], args))

    def archive(self, game: str) -> None:
        """Move a packed game into the archive, unless it is there; raises ArchiveUnavailable."""
        assert self._archive is not None, "there is an archive"
        for _ in range(TRIES):
            packed = self.packed(game)
            if packed is None or packed.archived:
                return
            blob = self._blob(game, packed)
            if blob is None:
                continue
            unpack(blob, packed)
            self._archive.keep(game, packed.sha256, blob)
            if self._change(game, packed, Packed(packed.version, packed.sha256, archived=True), b""):
                return
            now = self.packed(game)
            assert now is not None, "a packed game stays packed"
            self._archive.keep_only(game, now.sha256)
        raise _changing()

    def finished(self, game: str) -> FinishedGame | None:
        """A packed game, unpacked; None: it is not packed. Raises ArchiveUnavailable and PackedElsewhere."""
        for attempt in range(TRIES):
            packed, known = self.packed(game), self._cache.get(game)
            if packed is None or (known is not None and known[0] == packed.sha256):
                return None if packed is None or known is None else known[1]
            try:
                blob = self._blob(game, packed)
                if blob is not None:
                    finished = unpack(blob, packed)
                    self._cache.put(game, packed.sha256, finished)
                    return finished
            except ArchiveUnavailable:
                if attempt or self.packed(game) == packed:
                    raise
        raise _changing()

    def leaves(self, game: str) -> Mapping[int, bytes]:
        """The entries that a packed game has in the transparency log, by their indexes."""
        finished = self.finished(game)
        return {} if finished is None else finished.beside.leaves

    def read(self, game: str, after: int, limit: int) -> tuple[Entry, ...]:
        """The entries of a packed game after a version."""
        known = self._cache.get(game)
        if known is None:
            packed = self.packed(game)
            if packed is None or after >= packed.version:
                return ()
        finished = known[1] if known is not None else self.finished(game)
        return () if finished is None else finished.entries[after : after + limit]

    def erase(self, game: str, texts: Collection[str], actors: Collection[str]) -> bool:
        """Delete texts and idempotency keys from a game if it is packed; false: it is not.

        Afterwards the game is in Redis, and no other file of it is in the archive.
        """
        for _ in range(TRIES):
            packed, finished = self.packed(game), self.finished(game)
            if packed is None or finished is None:
                return False
            beside = finished.beside.without(texts, actors)
            after, blob = packed, b""
            if beside != finished.beside:
                blob, hash = FinishedGame(finished.record, beside).pack()
                after = Packed(packed.version, hash)
            if after == packed or self._change(game, packed, after, blob):
                self._cache.forget(game)
                if self._archive is not None:
                    self._archive.keep_only(game, after.sha256)
                return True
        raise _changing()

    def _change(self, game: str, before: Packed, after: Packed, blob: bytes) -> bool:
        keys = [key_of(game, "head"), key_of(game, "packed")]
        return bool(self._replace(keys, (write_ref(before), write_ref(after), blob)))

    def _blob(self, game: str, packed: Packed) -> bytes | None:
        """The packed bytes; None: they were replaced meanwhile."""
        if not packed.archived:
            blob: bytes | None = self._connections.call("GET", key_of(game, "packed"))
            return blob
        if self._archive is None:
            raise ArchiveUnavailable("this host has no archive")
        return self._archive.read(game, packed.sha256)


def _changing() -> ArchiveUnavailable:
    return ArchiveUnavailable("others change the packed game at the same time")


def pairs(reply: Any) -> dict[bytes, bytes]:
    """The fields of a hash: RESP 3 sends a mapping, RESP 2 one flat list."""
    return dict(reply) if isinstance(reply, dict) else dict(zip(reply[::2], reply[1::2], strict=True))
