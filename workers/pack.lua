-- Let games wait for a kind of work, and pack those whose turn it is into a job if the queue has none.
-- KEYS: the games that wait (turns), each player's last turn, the games in packed jobs, the list of RQ's jobs.
-- ARGV: id of the job, most games in it, milliseconds that queueing a job may take, then player and game of each.
-- Returns how many games did not wait before, then the games of the job.
local waiting, turns, packed, queue = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function is_packed(game)
  local note = redis.call('HGET', packed, game)
  if not note then return false end
  local job, at = note:match('^(%S+) (%S+)$')
  if not tonumber(at) then return false end
  return now - tonumber(at) < tonumber(ARGV[3]) or redis.call('LPOS', queue, job) ~= false
end

-- A player's games have one turn each, after the turn that is served now: so players are served in turn, not games.
local function turn_of(field) return tonumber(redis.call('HGET', turns, field) or 0) or 0 end
local served = turn_of('served')
local new = 0
for number = 4, #ARGV, 2 do
  local player, game = ARGV[number], ARGV[number + 1]
  if not redis.call('ZSCORE', waiting, game) and not is_packed(game) then
    local turn = math.max(served, turn_of(player)) + 1
    redis.call('ZADD', waiting, turn, game)
    redis.call('HSET', turns, player, turn)
    new = new + 1
  end
end

local answer = {new}
if redis.call('LLEN', queue) == 0 then
  local taken = redis.call('ZPOPMIN', waiting, ARGV[2])
  for number = 1, #taken, 2 do
    redis.call('HSET', packed, taken[number], ARGV[1] .. ' ' .. string.format('%.0f', now))
    redis.call('HSET', turns, 'served', taken[number + 1])
    answer[#answer + 1] = taken[number]
  end
  if redis.call('EXISTS', waiting) == 0 then redis.call('DEL', turns) end
end
return answer
