-- Append an entry to a game's log, if it follows the last entry and its idempotency key is new.
-- KEYS: the log, the used keys, the games to wake, the leaves for the transparency log. All share a hash tag.
-- ARGV: version, body, hash, idempotency key or '', fingerprint and note, wake time or '', game, channel,
--       most entries to return, attempt, the hash that the entry follows or '', the kind of leaf or ''.
-- An attempt that is sent again because its answer got lost is answered as if it were the first time.
local log, used, waking = KEYS[1], KEYS[2], KEYS[3]
local version, key, wake_at, follows = tonumber(ARGV[1]), ARGV[4], ARGV[6], ARGV[11]
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local length = last and tonumber(string.match(last[1], '^%d+')) or 0
if length >= version then
  local mine = length == version and last or redis.call('XRANGE', log, ARGV[1] .. '-0', ARGV[1] .. '-0')[1]
  if mine[2][6] == ARGV[10] then return {'written'} end
end
if key ~= '' then
  local seen = redis.call('HGET', used, key)
  if seen then
    redis.call('HSET', used, key, seen) -- written again, so that replicas confirm what the answer repeats
    return {'repeated', seen}
  end
end
if length ~= version - 1 then
  return {'behind', redis.call('XRANGE', log, ARGV[1] .. '-0', '+', 'COUNT', ARGV[9])}
end
if last and follows ~= '' and last[2][4] ~= follows then return {'behind', {}} end
redis.call('XADD', log, ARGV[1] .. '-0', 'c', ARGV[2], 'h', ARGV[3], 'a', ARGV[10])
if key ~= '' then redis.call('HSET', used, key, ARGV[1] .. ' ' .. ARGV[5]) end
if wake_at == '' then
  redis.call('ZREM', waking, ARGV[7])
else
  redis.call('ZADD', waking, wake_at, ARGV[7])
end
if ARGV[12] ~= '' then redis.call('HSET', KEYS[4], ARGV[7] .. ' ' .. ARGV[12], ARGV[1] .. ' ' .. ARGV[3]) end
redis.call('PUBLISH', ARGV[8], ARGV[1] .. ' ' .. ARGV[3] .. ' ' .. ARGV[2])
return {'written'}
