"""The log on Redis Streams: one stream per game, entry ids are versions, one script per append."""

import secrets
from binascii import crc_hqx
from collections.abc import Hashable, Sequence
from itertools import count
from zlib import crc32

import msgspec
from redis import Redis, RedisError

from referee.store import scripts
from referee.store.cluster import SLOTS
from referee.store.confirmed import Confirmed
from referee.store.connections import Script
from referee.store.lists import pairs
from referee.store.log import (
    ENTRIES_MAX,
    RACE_LASTS_MS,
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
from referee.store.urls import open_store
from referee.table.record import Entry

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


def key_of(game: str, part: str) -> str:
    """The Redis key of a part of a game."""
    return f"game:{tag_of(game)}:{game}:{part}"


_key = key_of


def _waking(tag: str) -> str:
    return f"wake:{tag}"


class RedisLog:
    """Stores games in Redis. With `replicas`, a write counts when this number of replicas has confirmed it.

    A write that too few replicas confirm in time raises Unconfirmed. With `logs`, each change of a game leaves a leaf
    for the transparency log, in the same atomic step.
    """

    def __init__(self, redis: Redis, replicas: int = 0, replicas_timeout_ms: int = 1000, logs: bool = False) -> None:
        self._logs = logs
        self._connections = open_store(redis, replicas, replicas_timeout_ms)
        published = scripts.APPEND.replace(b"PUBLISH", self._connections.publishing)
        self._confirmed = Confirmed(self._connections)
        self._append = Script(self._connections, published)
        self._keep_head = Script(self._connections, scripts.KEEP_HEAD)
        self._repeated = Script(self._connections, scripts.REPEATED)
        self._wake = Script(self._connections, scripts.WAKE)
        self._erase = Script(self._connections, scripts.ERASE)
        self._remove = Script(self._connections, scripts.REMOVE)
        self._begin_audit = Script(self._connections, scripts.BEGIN_AUDIT)
        self._enter_race = Script(self._connections, scripts.ENTER_RACE)
        self._end_race = Script(self._connections, scripts.END_RACE)

    def create(self, head: Head, wake_at: int | None = None, leaf: Leaf | None = None) -> None:
        """Store a new game, and set when to wake it, in one atomic step; raises GameExists."""
        if not self._keep(head, "", wake_at, leaf):
            raise GameExists(head.game)

    def head(self, game: str) -> Head | None:
        """What is stored of a game beside its log."""
        revision, body = self._connections.call("HMGET", _key(game, "head"), "revision", "body")
        if revision is None or body is None:
            return None
        self._confirmed.require(f"{game}:head", int(revision), tag_of(game))
        return Head(game, int(revision), body)

    def heads(self, games: Sequence[str]) -> list[tuple[Head, int]]:
        """What is kept of games beside their logs, each with its length, in one round trip."""
        asked = [("HMGET", _key(game, "head"), "revision", "body") for game in games]
        replies = self._connections.try_each([*asked, *(("XLEN", _key(game, "log")) for game in games)])
        rows = zip(games, replies[: len(games)], replies[len(games) :], strict=True)
        reached = [row for row in rows if not any(isinstance(reply, RedisError) for reply in row)]
        return [(Head(game, int(head[0]), head[1]), length) for game, head, length in reached if head[1] is not None]

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
            self._confirmed.note(game, entry.version, tag)
            return Written()
        if answer[0] == b"behind":
            return Behind(tuple(_entry(id, fields) for id, fields in answer[1]))
        return _repeated(answer[1])

    def read(self, game: str, after: int, limit: int = ENTRIES_MAX) -> Sequence[Entry]:
        """The entries after a version, oldest first."""
        found = self._connections.call("XRANGE", _key(game, "log"), f"{after + 1}-0", "+", "COUNT", limit)
        entries = tuple(_entry(id, fields) for id, fields in found)
        if entries:
            self._confirmed.require(game, entries[-1].version, tag_of(game))
        return entries

    def is_kept(self, game: str, entry: Entry) -> bool:
        """Whether the log has an entry that a feed delivered, on as many replicas as must confirm it."""
        return not self._connections.replicas or tuple(self.read(game, entry.version - 1, 1)) == (entry,)

    def epoch(self, game: str) -> Hashable:
        """A value that changes whenever entries that were read of a game may have been lost since."""
        return self._connections.epoch(tag_of(game))

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

    def due_games(self, until: int, limit: int, tags: Sequence[str] | None = None) -> list[tuple[str, int]]:
        """The games to wake until then, earliest first, with their times; with tags, only games that have these."""
        tags = ALL_TAGS if tags is None else tags
        newest = ("-inf", until, "WITHSCORES", "LIMIT", 0, limit)
        replies = self._connections.try_each([("ZRANGEBYSCORE", _waking(tag), *newest) for tag in tags]) if tags else []
        rows = [row for reply in replies if not isinstance(reply, RedisError) for row in pairs(reply)]
        found = [(game.decode(), int(at)) for game, at in rows]
        return sorted(found, key=lambda pair: pair[1])[:limit]

    def keep_thought(self, game: str, body: bytes, lasts_ms: int) -> None:
        """Store a bot's choice for a while."""
        self._connections.call("SET", _key(game, "thought"), body, "PX", lasts_ms)

    def thought(self, game: str) -> bytes | None:
        """The stored choice of a bot."""
        body: bytes | None = self._connections.call("GET", _key(game, "thought"))
        return body

    def enter_race(self, game: str, seat: int, move: bytes, now: int, closes: int, until: int) -> tuple[bool, int]:
        """Add a seat's move to the race of a game; without a race, begin one with these times."""
        keys = [_key(game, "race"), _waking(tag_of(game))]
        is_open, ends = self._enter_race(keys, (seat, move, now, closes, until, RACE_LASTS_MS, game))
        return bool(is_open), int(ends)

    def race(self, game: str) -> Race | None:
        """The race of a game, if there is one."""
        reply = self._connections.call("HGETALL", _key(game, "race"))
        fields = dict(pairs(reply))
        if not fields:
            return None
        return Race(int(fields[b"closes"]), tuple(move for name, move in fields.items() if name.startswith(b"seat:")))

    def end_race(self, game: str, closes: int) -> None:
        """Forget the race of a game that closes then."""
        self._end_race((_key(game, "race"),), (closes,))

    def keep_text(self, game: str, hash: str, body: bytes) -> None:
        """Store a text that the log shows by its hash only."""
        self._connections.write("HSET", _key(game, "texts"), hash, body)

    def texts(self, game: str) -> dict[str, bytes]:
        """The stored texts of a game by their hashes."""
        found = pairs(self._connections.call("HGETALL", _key(game, "texts")))
        return {hash.decode(): body for hash, body in found}

    def erase(self, game: str, texts: Sequence[str], actors: Sequence[str]) -> None:
        """Delete these texts of a game, and what the idempotency keys of these actors were used for."""
        named = [msgspec.json.encode(each) for each in (texts, actors)]
        self._erase((_key(game, "texts"), _key(game, "once")), named)

    def remove(self, game: str) -> None:
        """Delete everything of a game."""
        names = ("head", "log", "once", "thought", "race", "audit", "texts", "leaves")
        parts = [_key(game, part) for part in names]
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

    def luck(self, game: str) -> bytes | None:
        """The luck that is stored with the audit of a game."""
        luck: bytes | None = self._connections.call("HGET", _key(game, "audit"), "luck")
        return luck

    def end_audit(self, game: str, body: bytes | None, luck: bytes = b"") -> None:
        """Store an audit for good, with the luck of the game; or, without an audit, let the next attempt begin."""
        report = () if body is None else ("body", body, "luck", luck)
        self._connections.call("HSET", _key(game, "audit"), "until", 0, *report)


def _entry(id: bytes, fields: list[bytes]) -> Entry:
    _, body, _, hash, *_ = fields
    return Entry(int(id[:-2]), body, hash.decode())


def _repeated(seen: bytes) -> Repeated:
    version, fingerprint, note = seen.split(b" ", 2)
    return Repeated(int(version), fingerprint.decode(), note)


read_repeated = _repeated
"""What an idempotency key was used for, from its stored bytes."""
