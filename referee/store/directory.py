"""The directory: players, their keys, and the lists by which games are found."""

import secrets
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from redis import Redis, RedisError

from referee.store.channels import REVOKED
from referee.store.connections import Script
from referee.store.lists import Row, is_spread, own_rows, pairs, spread_rows
from referee.store.redis_log import ALL_TAGS, tag_of
from referee.store.shards import probe
from referee.store.urls import open_store


class Player(msgspec.Struct, frozen=True):
    """An account of a person or a bot."""

    id: str
    name: str
    created_at: str
    is_bot: bool = False
    scopes: tuple[str, ...] = ("play", "watch")
    """The scopes of the player's first key."""
    recovered_at: str | None = None
    """When an admin last replaced all keys of the player."""


class Key(msgspec.Struct, frozen=True):
    """An API key as it is stored: with the hash of its secret, never the secret."""

    id: str
    player: str
    secret_hash: str
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str | None = None
    label: str = ""
    parent: str | None = None
    """The key that this one was made with; None: it is the first key of its player."""


_players = msgspec.json.Decoder(Player)
_keys = msgspec.json.Decoder(Key)

_SELF = "self"
"""The field of a player's hash that holds the player; each other field holds a key."""

_ADD_KEY = """
if ARGV[3] ~= '' and redis.call('HEXISTS', KEYS[1], ARGV[3]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""

_REVOKE = """
local stored, parents, revoked = redis.call('HGETALL', KEYS[1]), {}, 0
for n = 1, #stored, 2 do
  if stored[n] ~= 'self' then parents[stored[n]] = cjson.decode(stored[n + 1]).parent end
end
for n = 1, #stored, 2 do
  local above = stored[n]
  while above and above ~= ARGV[1] do above = parents[above] end
  if above and stored[n] ~= 'self' then
    redis.call('HDEL', KEYS[1], stored[n])
    redis.call('PUBLISH', ARGV[2], stored[n])
    revoked = revoked + 1
  end
end
return revoked
"""

_REPLACE_KEYS = """
if redis.call('HEXISTS', KEYS[1], ARGV[5]) == 0 then return 0 end
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  if id ~= 'self' then
    redis.call('HDEL', KEYS[1], id)
    redis.call('PUBLISH', ARGV[4], id)
  end
end
redis.call('HSET', KEYS[1], 'self', ARGV[1], ARGV[2], ARGV[3])
return 1
"""

_REMOVE_PLAYER = """
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  if id ~= 'self' then redis.call('PUBLISH', ARGV[1], id) end
end
return redis.call('DEL', KEYS[1])
"""

_TRY_CODE = """
local now, window = tonumber(ARGV[3]), tonumber(ARGV[6])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local wrong, own = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES'), {}
for n = 1, #wrong, 2 do
  if string.sub(wrong[n], 1, #ARGV[1]) == ARGV[1] then table.insert(own, tonumber(wrong[n + 1])) end
end
local wait = 0
if #own >= tonumber(ARGV[4]) then wait = own[#own - ARGV[4] + 1] + window - now end
if #wrong / 2 >= tonumber(ARGV[5]) then wait = math.max(wait, tonumber(wrong[2]) + window - now) end
if wait == 0 and ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], now, ARGV[1] .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], window)
end
return wait
"""


def key_id_for(player: str, random: str) -> str:
    """The id of a key. It contains the player's id, so that one read finds both."""
    return f"k_{player.removeprefix('p_')}{random}"


def _player_of(key: str) -> str:
    return f"p_{key[2:26]}"


def _hash_of(player: str) -> str:
    """The Redis key of the hash that holds a player with all their keys, so that several change in one atomic step."""
    return f"player:{player}"


def _reveals_of(player: str) -> str:
    return f"reveals:{player}"


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

    def __init__(self, redis: Redis, replicas: int = 0, replicas_timeout_ms: int = 1000) -> None:
        self._connections = open_store(redis, replicas, replicas_timeout_ms)
        self._add_key = Script(self._connections, _ADD_KEY)
        self._revoke = Script(self._connections, _REVOKE)
        self._replace_keys = Script(self._connections, _REPLACE_KEYS)
        self._remove_player = Script(self._connections, _REMOVE_PLAYER)
        self._try_code = Script(self._connections, _TRY_CODE)
        self._list_within = Script(self._connections, _LIST_WITHIN)

    def probe(self) -> dict[str, str]:
        """The state of each part of the store that can be told apart; raises a RedisError if none takes writes."""
        return probe(self._connections)

    def is_whole(self) -> bool:
        """Whether every server was reached when it was last called."""
        return self._connections.is_whole()

    def claim(self, name: str) -> bool:
        """Whether this is the first call with this name, ever."""
        claimant, key = secrets.token_hex(8), f"claim:{name}"
        self._connections.write("SET", key, claimant, "NX")
        return bool(self._connections.call("GET", key) == claimant.encode())

    def secret(self, name: str) -> bytes:
        """A secret that all hosts share, created by the first host that needs it."""
        found = self._connections.call("GET", f"secret:{name}")
        if isinstance(found, bytes):
            return found  # reading works even when Redis is out of memory and refuses writes
        self._connections.write("SET", f"secret:{name}", secrets.token_bytes(32), "NX")
        return self.secret(name)

    def add_player(self, player: Player) -> None:
        """Store a new player."""
        self._connections.write("HSET", _hash_of(player.id), _SELF, msgspec.json.encode(player))

    def player(self, id: str) -> Player | None:
        """A player by id."""
        body = self._connections.call("HGET", _hash_of(id), _SELF)
        return None if body is None else _players.decode(body)

    def players(self, ids: Sequence[str]) -> dict[str, Player | None]:
        """Players by their ids, in one round trip; None: there is no such player. Those out of reach are left out."""
        bodies = self._connections.try_each([("HGET", _hash_of(id), _SELF) for id in ids])
        found = [(id, body) for id, body in zip(ids, bodies, strict=True) if not isinstance(body, RedisError)]
        return {id: None if body is None else _players.decode(body) for id, body in found}

    def remove_player(self, id: str) -> None:
        """Delete a player with all keys, and publish the ids of the keys, in one atomic step."""
        self._remove_player([_hash_of(id)], [REVOKED])
        self._connections.call("DEL", _reveals_of(id))

    def count_reveals(self, sealed: Iterable[str], missed: Iterable[str]) -> None:
        """Count for players that they had something to reveal, and for some of them that it did not come."""
        counted = (("sealed", sealed), ("missed", missed))
        self._connections.each(
            [("HINCRBY", _reveals_of(player), field, 1) for field, players in counted for player in players]
        )

    def reveals(self, player: str) -> tuple[int, int]:
        """How often a player had something to reveal, and how often it did not come."""
        sealed, missed = self._connections.call("HMGET", _reveals_of(player), "sealed", "missed")
        return int(sealed or 0), int(missed or 0)

    def forget_lists(self, names: Iterable[str]) -> None:
        """Delete whole lists of games."""
        self._connections.each([("DEL", f"games:{name}") for name in names])

    def add_key(self, key: Key) -> bool:
        """Store a new key, unless the key that it is made with has been revoked; returns whether it was stored."""
        body = msgspec.json.encode(key)
        return bool(self._add_key([_hash_of(key.player)], [key.id, body, key.parent or ""]))

    def key(self, id: str) -> Key | None:
        """A key by id, unless it was revoked."""
        body = self._connections.call("HGET", _hash_of(_player_of(id)), id)
        return None if body is None else _keys.decode(body)

    def holder(self, id: str) -> tuple[Key, Player] | None:
        """A key by id with its player, in one round trip; None if the key was revoked."""
        key, player = self._connections.call("HMGET", _hash_of(_player_of(id)), id, _SELF)
        return None if key is None or player is None else (_keys.decode(key), _players.decode(player))

    def keys_of(self, player: str) -> list[Key]:
        """A player's keys, oldest first, in one round trip."""
        stored = pairs(self._connections.call("HGETALL", _hash_of(player)))
        found = [_keys.decode(body) for field, body in stored if field != _SELF.encode()]
        return sorted(found, key=lambda key: (key.created_at, key.id))

    def revoke(self, key: str) -> None:
        """Delete a key and every key made with it, directly or indirectly, and publish the id of each."""
        self._revoke([_hash_of(_player_of(key))], [key, REVOKED])

    def replace_keys(self, player: Player, first: Key, authority: str | None = None) -> bool:
        """Store the player with this one key, delete all others and publish their ids, in one atomic step.

        Returns False if there is no such player, or if the key that requests it, `authority`, has been revoked.
        """
        bodies = msgspec.json.encode(player), msgspec.json.encode(first)
        arguments: list[bytes | str] = [bodies[0], first.id, bodies[1], REVOKED, authority or _SELF]
        return bool(self._replace_keys([_hash_of(player.id)], arguments))

    def try_code(self, game: str, player: str, fits: bool, at_ms: int, limits: tuple[int, int, int]) -> int:
        """Count a wrong code, unless too many were tried; returns the milliseconds that the player has to wait.

        The limits are the most wrong codes of a player and of a game, and the length of the window in milliseconds. A
        player who has to wait has to do so even with the right code. All hosts share the counts.
        """
        attempt = "" if fits else f" {secrets.token_hex(8)}"
        return int(self._try_code([f"wrong-codes:{game}"], [player, attempt, at_ms, *limits]))

    def list_game(self, game: str, created_ms: int, lists: Iterable[str]) -> None:
        """Put a game on lists, ordered by when it was created."""
        self._connections.each([("ZADD", _list_key(name, game), created_ms, game) for name in lists])

    def unlist_game(self, game: str, lists: Iterable[str]) -> None:
        """Take a game off lists."""
        self._connections.each([("ZREM", _list_key(name, game), game) for name in lists])

    def list_within(self, game: str, created_ms: int, most: Mapping[str, int]) -> str | None:
        """Put a game on lists unless one is full, in one atomic step; returns the full one. 0: a list has no limit."""
        keys = [f"games:{name}" for name in most]
        full = int(self._list_within(keys, [game, created_ms, *most.values()]))
        return list(most)[full - 1] if full else None

    def count(self, name: str) -> int:
        """The number of games on a player's list."""
        return int(self._connections.call("ZCARD", f"games:{name}"))

    def games(self, name: str, before: Row | None, count: int) -> list[Row]:
        """At most `count` rows (created, id) of a list, newest first, beginning after the row `before`."""
        return self.page(name, before, count)[0]

    def page(self, name: str, before: Row | None, count: int) -> tuple[list[Row], bool]:
        """Like `games`, and whether all parts of the list could be read: each part is stored with its games."""
        if is_spread(name):
            return spread_rows(self._connections, [f"games:{tag}:{name}" for tag in ALL_TAGS], before, count)
        return own_rows(self._connections, f"games:{name}", before, count), True


def _list_key(name: str, game: str) -> str:
    """The Redis key of the list, or of the part of it, that a game is on."""
    return f"games:{tag_of(game)}:{name}" if is_spread(name) else f"games:{name}"
