"""Who plays and which games there are: players, keys, and the lists that games are found by."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from redis import Redis

from referee.log.feed import REVOKED


class Player(msgspec.Struct, frozen=True):
    """Somebody who plays, watches or audits."""

    id: str
    name: str
    created_at: str
    is_bot: bool = False


class Key(msgspec.Struct, frozen=True):
    """An API key as it is kept: the hash of its secret, never the secret."""

    id: str
    player: str
    secret_hash: str
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str | None = None
    label: str = ""


_players = msgspec.json.Decoder(Player)
_keys = msgspec.json.Decoder(Key)


_LIST_WITHIN = """
for number, list in ipairs(KEYS) do
  local most = tonumber(ARGV[number + 2])
  if most > 0 and redis.call('ZCARD', list) >= most and not redis.call('ZSCORE', list, ARGV[1]) then return number end
end
for _, list in ipairs(KEYS) do redis.call('ZADD', list, ARGV[2], ARGV[1]) end
return 0
"""


class Directory:
    """Players, keys and lists of games in Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._list_within = redis.register_script(_LIST_WITHIN)

    def ping(self) -> None:
        """Raises a redis error if Redis cannot be reached or takes no writes."""
        self._redis.set("ready", "1")

    def claim(self, name: str) -> bool:
        """Whether this is the first call with this name, ever."""
        return bool(self._redis.setnx(f"claim:{name}", "1"))

    def secret(self, name: str) -> bytes:
        """A secret that all hosts share: the first to ask draws it."""
        with self._redis.pipeline() as pipe:
            pipe.set(f"secret:{name}", secrets.token_bytes(32), nx=True)
            pipe.get(f"secret:{name}")
            found: bytes = pipe.execute()[1]
        return found

    def add_player(self, player: Player) -> None:
        """Keep a new player."""
        self._redis.set(f"player:{player.id}", msgspec.json.encode(player))

    def player(self, id: str) -> Player | None:
        """A player by id."""
        body = self._redis.get(f"player:{id}")
        return None if body is None else _players.decode(body)

    def add_key(self, key: Key) -> None:
        """Keep a new key."""
        with self._redis.pipeline() as pipe:
            pipe.set(f"key:{key.id}", msgspec.json.encode(key))
            pipe.sadd(f"keys-of:{key.player}", key.id)
            pipe.execute()

    def key(self, id: str) -> Key | None:
        """A key by id, unless it was revoked."""
        body = self._redis.get(f"key:{id}")
        return None if body is None else _keys.decode(body)

    def keys_of(self, player: str) -> list[Key]:
        """A player's keys, oldest first."""
        ids: set[Any] = self._redis.smembers(f"keys-of:{player}")
        found = [self.key(id.decode()) for id in ids]
        return sorted((key for key in found if key is not None), key=lambda key: (key.created_at, key.id))

    def revoke(self, key: Key) -> None:
        """Forget a key, and tell those who keep a connection open for it."""
        with self._redis.pipeline() as pipe:
            pipe.delete(f"key:{key.id}")
            pipe.srem(f"keys-of:{key.player}", key.id)
            pipe.publish(REVOKED, key.id)
            pipe.execute()

    def list_game(self, game: str, created_ms: int, lists: Iterable[str]) -> None:
        """Put a game on lists, ordered by when it was created."""
        with self._redis.pipeline(transaction=False) as pipe:
            for name in lists:
                pipe.zadd(f"games:{name}", {game: created_ms})
            pipe.execute()

    def unlist_game(self, game: str, lists: Iterable[str]) -> None:
        """Take a game off lists."""
        with self._redis.pipeline(transaction=False) as pipe:
            for name in lists:
                pipe.zrem(f"games:{name}", game)
            pipe.execute()

    def list_within(self, game: str, created_ms: int, most: Mapping[str, int]) -> str | None:
        """Put a game on lists unless one of them is full, in one step; gives the list that is. 0: none is ever full."""
        keys = [f"games:{name}" for name in most]
        full = int(self._list_within(keys=keys, args=[game, created_ms, *most.values()]))
        return list(most)[full - 1] if full else None

    def count(self, name: str) -> int:
        """The length of a list."""
        return int(self._redis.zcard(f"games:{name}"))

    def games(self, name: str, before: tuple[int, str] | None, count: int) -> list[tuple[int, str]]:
        """The games of a list, newest first, after a place in it: (created, id) of each."""
        newest: str | int = "+inf" if before is None else before[0]
        found: list[tuple[int, str]] = []
        skip = 0
        while len(found) < count:
            rows: list[Any] = self._redis.zrevrangebyscore(
                f"games:{name}", newest, "-inf", start=skip, num=count, withscores=True, score_cast_func=int
            )
            places = [(created, id.decode()) for id, created in rows]
            found.extend(place for place in places if before is None or place < before)
            if len(rows) < count:
                break
            skip += count
        return found[:count]
