"""What the log says about a game: one leaf for each fact that the service must not contradict later."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from redis import Redis, RedisError

from referee.store.connections import Script
from referee.store.lists import pairs
from referee.store.redis_log import ALL_TAGS, leaves_key, pending_key, tag_of
from referee.store.urls import open_store
from referee.tlog.leaf import KINDS, Leaf, game_tag

_PENDING = re.compile(rb"(g_\w+) (\w+)")

_FORGET = """
for n = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[n]) == ARGV[n + 1] then redis.call('HDEL', KEYS[1], ARGV[n]) end
end
"""


class Pending(msgspec.Struct, frozen=True):
    """A leaf that is not in the log yet."""

    game: str
    kind: str
    version: int
    hash: str
    stored: bytes

    @property
    def entry(self) -> bytes:
        """The entry of the log."""
        return Leaf(game_tag(self.game), self.hash, self.kind, self.version).entry


class Leaves:
    """The leaves that wait for the sequencer, and where those of each game are in the log."""

    def __init__(self, redis: Redis, packed: Callable[[str], Mapping[int, bytes]] = lambda game: {}) -> None:
        self._packed = packed
        self._connections = open_store(redis)
        self._forget = Script(self._connections, _FORGET)

    def pending(self) -> list[Pending]:
        """Every leaf that waits, those of one game in the order in which they happened.

        Those on a server that cannot be reached wait until it is back.
        """
        replies = self._connections.try_each([("HGETALL", pending_key(tag)) for tag in ALL_TAGS])
        reached = [reply for reply in replies if not isinstance(reply, RedisError)]
        found = [_read(field, value) for reply in reached for field, value in pairs(reply)]
        known = [each for each in found if each is not None]
        return sorted(known, key=lambda each: (each.game, each.version, KINDS.index(each.kind)))

    def logged(self, leaves: Sequence[Pending], first: int) -> None:
        """Note where leaves are in the log, then forget each unless the game has gone on since."""
        by_tag: dict[str, list[Any]] = {}
        notes: list[tuple[Any, ...]] = []
        for index, leaf in enumerate(leaves, first):
            tag = tag_of(leaf.game)
            notes.append(("HSET", leaves_key(leaf.game), index, leaf.entry))
            by_tag.setdefault(tag, []).extend((f"{leaf.game} {leaf.kind}", leaf.stored))
        if notes:
            self._connections.each(notes)
            self._forget.each([((pending_key(tag),), parts) for tag, parts in by_tag.items()])

    def of_game(self, game: str) -> list[tuple[int, bytes]]:
        """The leaves of a game with their indexes, oldest first."""
        found = self._connections.call("HGETALL", leaves_key(game))
        return sorted({**self._packed(game), **{int(index): entry for index, entry in pairs(found)}}.items())


def _read(field: bytes, value: bytes) -> Pending | None:
    """A leaf as it is stored; None: it is not of our making."""
    named, parts = _PENDING.fullmatch(field), value.split(b" ")
    if named is None or named[2].decode() not in KINDS or len(parts) != 2 or not parts[0].isdigit():
        return None
    return Pending(named[1].decode(), named[2].decode(), int(parts[0]), parts[1].decode(), value)
