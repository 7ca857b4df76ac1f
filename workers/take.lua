-- A worker has taken a job: its games may wait for the next one.
-- KEYS: the games in packed jobs. ARGV: id of the job, then its games.
for number = 2, #ARGV do
  local note = redis.call('HGET', KEYS[1], ARGV[number])
  if note and note:match('^%S+') == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[number]) end
end
