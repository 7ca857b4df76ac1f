-- Append an entry to a game's log, if its version is the next one and its idempotency key is new.
-- KEYS: the log, the used keys, the games to wake. All share a hash tag.
-- ARGV: version, body, hash, idempotency key or '', fingerprint and note, wake time or '', game, channel, most entries to return, attempt.
-- An attempt that is sent again because its answer got lost is answered as if it were the first time.
local log, used, waking = KEYS[1], KEYS[2], KEYS[3]
local version, key, wake_at = tonumber(ARGV[1]), ARGV[4], ARGV[6]
if redis.call('XLEN', log) >= version then
  local mine = redis.call('XRANGE', log, ARGV[1] .. '-0', ARGV[1] .. '-0')
  if mine[1] and mine[1][2][6] == ARGV[10] then return {'written'} end
end
if key ~= '' then
  local seen = redis.call('HGET', used, key)
  if seen then return {'repeated', seen} end
end
if redis.call('XLEN', log) ~= version - 1 then
  return {'behind', redis.call('XRANGE', log, ARGV[1] .. '-0', '+', 'COUNT', ARGV[9])}
end
redis.call('XADD', log, ARGV[1] .. '-0', 'c', ARGV[2], 'h', ARGV[3], 'a', ARGV[10])
if key ~= '' then redis.call('HSET', used, key, ARGV[1] .. ' ' .. ARGV[5]) end
if wake_at == '' then
  redis.call('ZREM', waking, ARGV[7])
else
  redis.call('ZADD', waking, wake_at, ARGV[7])
end
redis.call('PUBLISH', ARGV[8], ARGV[1] .. ' ' .. ARGV[3] .. ' ' .. ARGV[2])
return {'written'}
