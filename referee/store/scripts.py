"""The scripts that Redis runs: each is one atomic step."""

from hashlib import sha1
from pathlib import Path

APPEND = Path(__file__).with_name("append.lua").read_bytes()
APPEND_SHA = sha1(APPEND, usedforsecurity=False).hexdigest()

KEEP_HEAD = """
local kept = redis.call('HMGET', KEYS[1], 'revision', 'body')
local is_repeated = kept[1] == ARGV[2] and kept[2] == ARGV[3]
if not is_repeated and (kept[1] or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'body', ARGV[3])
if ARGV[4] ~= '' then redis.call('ZADD', KEYS[2], ARGV[4], ARGV[5]) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[3], ARGV[5] .. ' ' .. ARGV[6], ARGV[7]) end
return 1
"""

WAKE = """
if ARGV[1] ~= '' and redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return end
if ARGV[2] == '' then
  redis.call('ZREM', KEYS[2], ARGV[3])
else
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
end
"""

REPEATED = """
local seen = redis.call('HGET', KEYS[1], ARGV[1])
if seen then redis.call('HSET', KEYS[1], ARGV[1], seen) end
return seen
"""
"""Write again what a key was used for: replicas confirm only what the same connection has written."""

ERASE = """
local texts, actors = cjson.decode(ARGV[1]), cjson.decode(ARGV[2])
for _, hash in ipairs(texts) do redis.call('HDEL', KEYS[1], hash) end
for _, key in ipairs(redis.call('HKEYS', KEYS[2])) do
  for _, actor in ipairs(actors) do
    if string.sub(key, 1, #actor + 1) == actor .. ':' then redis.call('HDEL', KEYS[2], key) end
  end
end
"""

REMOVE = """
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], KEYS[8])
redis.call('ZREM', KEYS[9], ARGV[1])
"""

ENTER_RACE = """
local race = redis.call('HMGET', KEYS[1], 'closes', 'until')
local closes, til = race[1], race[2]
if not closes then
  closes, til = ARGV[4], ARGV[5]
  redis.call('HSET', KEYS[1], 'closes', closes, 'until', til)
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
end
if tonumber(ARGV[3]) > tonumber(til) then return {0, closes} end
redis.call('HSETNX', KEYS[1], 'seat:' .. ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], 'LT', closes, ARGV[7])
return {1, closes}
"""

END_RACE = """
if redis.call('HGET', KEYS[1], 'closes') == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""

BEGIN_AUDIT = """
if redis.call('HEXISTS', KEYS[1], 'body') == 1 then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'until') or 0) > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'attempts', 1)
"""
