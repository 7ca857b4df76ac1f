"""The log on Redis Streams: one stream per game, entry ids are versions, one script per append."""

import secrets
from binascii import crc_hqx
from collections.abc import Sequence
from hashlib import sha1
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
from redis import Redis

from referee.store.connections import RawConnections, Script
from referee.store.log import (
    ENTRIES_MAX,
    Appended,
    Behind,
    Conflict,
    GameExists,
    Head,
    IdempotencyKey,
    Leaf,
    Repeated,
    Written,
)
from referee.table.record import Entry

SLOTS = 16_384
"""The hash slots of a Redis Cluster."""
TAGS = 256
"""The number of hash tags that the games are spread over. Each tag has one list of games to wake."""


def even_tags(tags: int) -> tuple[str, ...]:
    """Hash tags that are spread evenly over the slots, so that all masters of a cluster get the same share."""
    found: dict[int, str] = {}
    for number in count():
        stretch = crc_hqx(f"t{number}".encode(), 0) % SLOTS * tags // SLOTS
        found.setdefault(stretch, f"{{t{number}}}")
        if len(found) == tags:
            return tuple(found[stretch] for stretch in range(tags))
    raise AssertionError("count() never ends")


ALL_TAGS = even_tags(TAGS)

_APPEND = Path(__file__).with_name("append.lua").read_bytes()
APPEND_SHA = sha1(_APPEND, usedforsecurity=False).hexdigest()

_KEEP_HEAD = """
local kept = redis.call('HMGET', KEYS[1], 'revision', 'body')
local is_repeated = kept[1] == ARGV[2] and kept[2] == ARGV[3]
if not is_repeated and (kept[1] or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'body', ARGV[3])
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[3], ARGV[5] .. ' ' .. ARGV[6], ARGV[7]) end
return 1
"""

_WAKE = """
if ARGV[1] ~= '' and redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return end
if ARGV[2] == '' then
  redis.call('ZREM', KEYS[2], ARGV[3])
else
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
end
"""

_REPEATED = """
local seen = redis.call('HGET', KEYS[1], ARGV[1])
if seen then redis.call('HSET', KEYS[1], ARGV[1], seen) end
return seen
"""
"""Write again what a key was used for: replicas confirm only what the same connection has written."""

_ERASE = """
local texts, actors = cjson.decode(ARGV[1]), cjson.decode(ARGV[2])
for _, hash in ipairs(texts) do redis.call('HDEL', KEYS[1], hash) end
for _, key in ipairs(redis.call('HKEYS', KEYS[2])) do
  for _, actor in ipairs(actors) do
    if string.sub(key, 1, #actor + 1) == actor .. ':' then redis.call('HDEL', KEYS[2], key) end
  end
end
"""

_REMOVE = """
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7])
redis.call('ZREM', KEYS[8], ARGV[1])
"""

_BEGIN_AUDIT = """
if redis.call('HEXISTS', KEYS[1], 'body') == 1 then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'until') or 0) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'attempts', 1)
"""


def tag_of(game: str) -> str:
    """The hash tag that all keys of a game share."""
    return ALL_TAGS[crc32(game.encode()) % TAGS]


def pending_key(tag: str) -> str:
    """The Redis key of the leaves of a tag's games that wait for the transparency log."""
    return f"leaves:{tag}"


def leaves_key(game: str) -> str:
    """The Redis key of the leaves that a game has in the transparency log."""
    return _key(game, "leaves")


def channel_of(game: str) -> str:
    """The channel on which a game's new entries are published."""
    return f"commits:{tag_of(game)}:{game}"


def _key(game: str, part: str) -> str:
    return f"game:{tag_of(game)}:{game}:{part}"


def _waking(tag: str) -> str:
    return f"wake:{tag}"


class RedisLog:
    """Stores games in Redis. With `replicas`, a write counts when this number of replicas has confirmed it.

    A write that too few replicas confirm in time raises Unconfirmed. With `logs`, each change of a game leaves a leaf
    for the transparency log, in the same atomic step.
    """

    def __init__(self, redis: Redis, replicas: int = 0, replicas_timeout_ms: int = 1000, logs: bool = False) -> None:
        self._logs = logs
        self._connections = RawConnections(redis, replicas=replicas, replicas_timeout_ms=replicas_timeout_ms)
        self._append = Script(self._connections, _APPEND)
        self._keep_head = Script(self._connections, _KEEP_HEAD)
        self._repeated = Script(self._connections, _REPEATED)
        self._wake = Script(self._connections, _WAKE)
        self._erase = Script(self._connections, _ERASE)
        self._remove = Script(self._connections, _REMOVE)
        self._begin_audit = Script(self._connections, _BEGIN_AUDIT)

    def create(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Store a new game, and set when to wake it, in one atomic step; raises GameExists."""
        if not self._keep(head, "", wake_at, leaf):
            raise GameExists(head.game)

    def head(self, game: str) -> Head | None:
        """What is stored of a game beside its log."""
        revision, body = self._connections.call("HMGET", _key(game, "head"), "revision", "body")
        return None if revision is None or body is None else Head(game, int(revision), body)

    def heads(self, games: Sequence[str]) -> list[tuple[Head, int]]:
        """What is kept of games beside their logs, each with its length, in one round trip."""
        asked = [("HMGET", _key(game, "head"), "revision", "body") for game in games]
        replies = self._connections.each([*asked, *(("XLEN", _key(game, "log")) for game in games)])
        rows = zip(games, replies[: len(games)], replies[len(games) :], strict=True)
        return [(Head(game, int(head[0]), head[1]), length) for game, head, length in rows if head[1] is not None]

    def change_head(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Replace the head if its revision is the next one, and set when to wake the game; raises Conflict."""
        if not self._keep(head, str(head.revision - 1), wake_at, leaf):
            raise Conflict(head.game)

    def _keep(self, head: Head, before: str, wake_at: int | None, leaf: Leaf | None) -> bool:
        tag = tag_of(head.game)
        wake = "" if wake_at is None else str(wake_at)
        kind, value = (leaf.kind, f"0 {leaf.hash}") if leaf is not None and self._logs else ("", "")
        keys = [_key(head.game, "head"), _waking(tag), pending_key(tag)]
        return bool(self._keep_head(keys, (before, head.revision, head.body, wake, head.game, kind, value)))

    def append(
        self,
        game: str,
        entry: Entry,
        key: IdempotencyKey | None,
        wake_at: int | None,
        follows: str | None = None,
        leaf: str = "head",
    ) -> Appended:
        """Write the entry if it follows the last one and the key is new: one script, one round trip."""
        tag = tag_of(game)
        answer = self._append(
            (f"game:{tag}:{game}:log", f"game:{tag}:{game}:once", f"wake:{tag}", f"leaves:{tag}"),
            (
                entry.version,
                entry.body,
                entry.hash,
                key.key if key else "",
                key.fingerprint.encode() + b" " + key.note if key else "",
                "" if wake_at is None else wake_at,
                game,
                f"commits:{tag}:{game}",
                ENTRIES_MAX,
                secrets.token_hex(8),
                follows or "",
                leaf if self._logs else "",
            ),
        )
        if answer[0] == b"written":
            return Written()
        if answer[0] == b"behind":
            return Behind(tuple(_entry(id, fields) for id, fields in answer[1]))
        return _repeated(answer[1])

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""
        found = self._connections.call("XRANGE", _key(game, "log"), f"{after + 1}-0", "+", "COUNT", limit)
        return tuple(_entry(id, fields) for id, fields in found)

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""
        return int(self._connections.call("XLEN", _key(game, "log")))

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""
        seen = self._repeated((_key(game, "once"),), (key,))
        return None if seen is None else _repeated(seen)

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Set when to wake the game; None: never. With a version, only if that is still the newest."""
        keys = [_key(game, "log"), _waking(tag_of(game))]
        self._wake(keys, ("" if version is None else version, "" if at is None else at, game))

    def due_games(self, until: int, limit: int) -> list[tuple[str, int]]:
        """The games to wake until then, earliest first, with their times."""
        newest = ("-inf", until, "WITHSCORES", "LIMIT", 0, limit)
        replies = self._connections.each([("ZRANGEBYSCORE", _waking(tag), *newest) for tag in ALL_TAGS])
        found = [pair for reply in replies for pair in _pairs(reply)]
        return sorted(found, key=lambda pair: pair[1])[:limit]

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Store a bot's choice for a while."""
        self._connections.call("SET", _key(game, "thought"), body, "PX", lasts_ms)

    def thought(self, game: str) -> bytes | None:
        """The stored choice of a bot."""
        body: bytes | None = self._connections.call("GET", _key(game, "thought"))
        return body

    def keep_text(self, game: str, hash: str, body: bytes) -> None:
        """Store a text that the log shows by its hash only."""
        self._connections.write("HSET", _key(game, "texts"), hash, body)

    def texts(self, game: str) -> dict[str, bytes]:
        """The stored texts of a game by their hashes."""
        found = self._connections.call("HGETALL", _key(game, "texts"))
        pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        return {hash.decode(): body for hash, body in pairs}

    def erase(self, game: str, texts: Sequence[str], actors: Sequence[str]) -> None:
        """Delete these texts of a game, and what the idempotency keys of these actors were used for."""
        named = [msgspec.json.encode(each) for each in (texts, actors)]
        self._erase((_key(game, "texts"), _key(game, "once")), named)

    def remove(self, game: str) -> None:
        """Delete everything of a game."""
        parts = [_key(game, part) for part in ("head", "log", "once", "thought", "audit", "texts", "leaves")]
        self._remove((*parts, _waking(tag_of(game))), (game,))

    def audit(self, game: str) -> bytes | None:
        """The stored audit of a game, if there is one."""
        body: bytes | None = self._connections.call("HGET", _key(game, "audit"), "body")
        return body

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin an attempt at the audit and claim it until then; returns its number, 0 if there is nothing to do."""
        return int(self._begin_audit((_key(game, "audit"),), (now, until)))

    def go_on_with_audit(self, game: str, until: int) -> None:
        """Extend the claim of the current attempt until then."""
        self._connections.call("HSET", _key(game, "audit"), "until", until)

    def end_audit(self, game: str, body: bytes | None) -> None:
        """Store an audit for good or, without one, let the next attempt begin."""
        report = () if body is None else ("body", body)
        self._connections.call("HSET", _key(game, "audit"), "until", 0, *report)


def _entry(id: bytes, fields: list[bytes]) -> Entry:
    _, body, _, hash, *_ = fields
    return Entry(int(id[:-2]), body, hash.decode())


def _repeated(seen: bytes) -> Repeated:
    version, fingerprint, note = seen.split(b" ", 2)
    return Repeated(int(version), fingerprint.decode(), note)


def _pairs(reply: list[Any]) -> list[tuple[str, int]]:
    """Members with their scores: RESP 3 sends pairs, RESP 2 one flat list."""
    flat = [part for pair in reply for part in pair] if reply and isinstance(reply[0], list) else reply
    return [(member.decode(), int(score)) for member, score in zip(flat[::2], flat[1::2], strict=True)]
