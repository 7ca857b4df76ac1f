"""Which processes of a kind are alive, on all hosts. It may all be lost without harm: each says it again."""

import os
import secrets
import socket

from redis import Redis

_JOIN = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[2]) .. ' ' .. ARGV[3])
local living, all = {}, redis.call('HGETALL', KEYS[1])
for n = 1, #all, 2 do
  local lasts, body = string.match(all[n + 1], '^(%d+) (.*)$')
  if lasts and tonumber(lasts) > now then
    table.insert(living, all[n])
    table.insert(living, body)
  else
    redis.call('HDEL', KEYS[1], all[n])
  end
end
return living
"""
"""The clock is that of the server, so that the clocks of hosts need not agree."""


class Members:
    """The living processes of a kind, in the Redis of the queues; each one says at times that it lives."""

    def __init__(self, redis: Redis, kind: str, lasts_ms: int) -> None:
        self._redis = redis
        self._key = f"members:{kind}"
        self._lasts_ms = lasts_ms
        self._join = redis.register_script(_JOIN)
        self.id = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        """The name of this process."""

    def join(self, body: str = "") -> dict[str, str]:
        """Say that this process lives; returns what each living one, this one included, said last."""
        found = [part.decode() for part in self._join(keys=[self._key], args=[self.id, self._lasts_ms, body])]
        return dict(zip(found[::2], found[1::2], strict=True))

    def leave(self) -> None:
        """Say that this process ends."""
        self._redis.hdel(self._key, self.id)
