"""The log on Redis Streams: one stream per game, entry ids are versions, one script per append."""

import secrets
from collections.abc import Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any
from zlib import crc32

from redis import Redis
from redis.exceptions import NoScriptError

from referee.kernel.record import Entry
from referee.log.lean import LeanConnections
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

SHARDS = 32
"""The games are spread over so many hash tags: each tag has one list of games to wake."""

_APPEND = Path(__file__).with_name("append.lua").read_bytes()
APPEND_SHA = sha1(_APPEND, usedforsecurity=False).hexdigest()

_KEEP_HEAD = """
if (redis.call('HGET', KEYS[1], 'revision') or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'body', ARGV[3])
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
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

_REMOVE = """
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[6], ARGV[1])
"""

_BEGIN_AUDIT = """
if redis.call('HEXISTS', KEYS[1], 'body') == 1 then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'until') or 0) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'attempts', 1)
"""


def shard_of(game: str) -> str:
    """The hash tag that all keys of a game share."""
    return f"{{s{crc32(game.encode()) % SHARDS:02d}}}"


def channel_of(game: str) -> str:
    """Where a game's new entries are published."""
    return f"commits:{shard_of(game)}:{game}"


def _key(game: str, part: str) -> str:
    return f"game:{shard_of(game)}:{game}:{part}"


def _waking(shard: str) -> str:
    return f"wake:{shard}"


class RedisLog:
    """Keeps games in Redis. With `replicas`, an append is answered when so many replicas have it."""

    def __init__(self, redis: Redis, replicas: int = 0, replicas_timeout_ms: int = 1000) -> None:
        self._redis = redis
        self._lean = LeanConnections(redis)
        self._replicas = replicas
        self._replicas_timeout_ms = replicas_timeout_ms
        self._keep_head = redis.register_script(_KEEP_HEAD)
        self._wake = redis.register_script(_WAKE)
        self._remove = redis.register_script(_REMOVE)
        self._begin_audit = redis.register_script(_BEGIN_AUDIT)

    def create(self, head: Head, wake_at: int | None = None) -> None:
        """Keep a new game, and note when somebody must look at it, in one step; raises GameExists."""
        if not self._keep(head, "", wake_at):
            raise GameExists(head.game)

    def head(self, game: str) -> Head | None:
        """What is kept of a game beside its log."""
        revision, body = self._lean.call("HMGET", _key(game, "head"), "revision", "body")
        return None if revision is None or body is None else Head(game, int(revision), body)

    def change_head(self, head: Head, wake_at: int | None = None) -> None:
        """Exchange the head if its revision is the next one, and note a time to wake as well; raises Conflict."""
        if not self._keep(head, str(head.revision - 1), wake_at):
            raise Conflict(head.game)

    def _keep(self, head: Head, before: str, wake_at: int | None) -> bool:
        keys = [_key(head.game, "head"), _waking(shard_of(head.game))]
        wake = "" if wake_at is None else str(wake_at)
        return bool(self._keep_head(keys=keys, args=[before, str(head.revision), head.body, wake, head.game]))

    def append(self, game: str, entry: Entry, once: Once | None, wake_at: int | None) -> Appended:
        """Write the entry if its version is the next one and the key is new: one script, one round trip."""
        shard = shard_of(game)
        answer = self._run_append(
            f"game:{shard}:{game}:log",
            f"game:{shard}:{game}:once",
            f"wake:{shard}",
            entry.version,
            entry.body,
            entry.hash,
            once.key if once else "",
            once.fingerprint.encode() + b" " + once.note if once else "",
            "" if wake_at is None else wake_at,
            game,
            f"commits:{shard}:{game}",
            ENTRIES_MAX,
            secrets.token_hex(8),
        )
        if answer[0] == b"written":
            return Written()
        if answer[0] == b"behind":
            return Behind(tuple(_entry(id, fields) for id, fields in answer[1]))
        return _repeated(answer[1])

    def _run_append(self, *parts: Any) -> Any:
        try:
            return self._evaluate("EVALSHA", APPEND_SHA, 3, *parts)
        except NoScriptError:
            return self._evaluate("EVAL", _APPEND, 3, *parts)

    def _evaluate(self, *command: Any) -> Any:
        if not self._replicas:
            return self._lean.call(*command)
        with self._redis.pipeline(transaction=False) as pipe:
            pipe.execute_command(*command)
            pipe.wait(self._replicas, self._replicas_timeout_ms)
            return pipe.execute()[0]

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""
        found = self._lean.call("XRANGE", _key(game, "log"), f"{after + 1}-0", "+", "COUNT", limit)
        return tuple(_entry(id, fields) for id, fields in found)

    def length(self, game: str) -> int:
        """The number of entries, which is the newest version."""
        return int(self._lean.call("XLEN", _key(game, "log")))

    def repeated(self, game: str, key: str) -> Repeated | None:
        """What an idempotency key was used for."""
        seen = self._lean.call("HGET", _key(game, "once"), key)
        return None if seen is None else _repeated(seen)

    def wake(self, game: str, at: int | None, version: int | None = None) -> None:
        """Note when somebody must look at the game again; with a version, only if the log has not gone on since."""
        keys = [_key(game, "log"), _waking(shard_of(game))]
        self._wake(keys=keys, args=["" if version is None else version, "" if at is None else at, game])

    def wakeful(self, until: int, limit: int) -> list[tuple[str, int]]:
        """The games to look at until then, earliest first, with their times."""
        with self._redis.pipeline(transaction=False) as pipe:
            for number in range(SHARDS):
                pipe.zrangebyscore(_waking(f"{{s{number:02d}}}"), "-inf", until, 0, limit, withscores=True)
            found = [(game.decode(), int(at)) for shard in pipe.execute() for game, at in shard]
        return sorted(found, key=lambda pair: pair[1])[:limit]

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Keep what a bot will do, for a while."""
        self._lean.call("SET", _key(game, "thought"), body, "PX", lasts_ms)

    def thought(self, game: str) -> bytes | None:
        """What a bot will do."""
        body: bytes | None = self._lean.call("GET", _key(game, "thought"))
        return body

    def remove(self, game: str) -> None:
        """Keep nothing of a game any more."""
        parts = [_key(game, part) for part in ("head", "log", "once", "thought", "audit")]
        self._remove(keys=[*parts, _waking(shard_of(game))], args=[game])

    def audit(self, game: str) -> bytes | None:
        """The audit of a game, if it was made."""
        body: bytes | None = self._lean.call("HGET", _key(game, "audit"), "body")
        return body

    def begin_audit(self, game: str, now: int, until: int) -> int:
        """Begin to make the audit, in one step; gives which attempt this is, 0 if there is nothing to do."""
        return int(self._begin_audit(keys=[_key(game, "audit")], args=[now, until]))

    def go_on_with_audit(self, game: str, until: int) -> None:
        """The attempt goes on, until then at least."""
        self._lean.call("HSET", _key(game, "audit"), "until", until)

    def end_audit(self, game: str, body: bytes | None) -> None:
        """Keep an audit for good, or let the next attempt begin."""
        kept = () if body is None else ("body", body)
        self._lean.call("HSET", _key(game, "audit"), "until", 0, *kept)


def _entry(id: bytes, fields: list[bytes]) -> Entry:
    _, body, _, hash, *_ = fields
    return Entry(int(id[:-2]), body, hash.decode())


def _repeated(seen: bytes) -> Repeated:
    version, fingerprint, note = seen.split(b" ", 2)
    return Repeated(int(version), fingerprint.decode(), note)
