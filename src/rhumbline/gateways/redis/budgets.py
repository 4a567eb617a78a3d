"""Call budgets of upstreams in Redis or Valkey, so that several processes share budgets and pauses.

What `gateways/upstreams/guard/budget.py` does for one process, as one atomic script by the clock of the server, in
microseconds.
"""

from collections.abc import Sequence

from rhumbline.gateways.upstreams.guard.budget import FORGOTTEN, MOST_USED, Spared, Spending, Turn

PREFIX = "rhumbline:upstreams"
_MICROSECONDS = 1_000_000
_SPARED = (None, Spared.RESTING, Spared.USED_UP)
# Two hours are longer than any rest, and than a bucket takes to fill at any rate that is worth having.
_SCRIPT = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local said = {}
for i, key in ipairs(KEYS) do
  local first = (i - 1) * 6
  local what, name = ARGV[first + 1], ARGV[first + 2]
  local rate, size, patience = tonumber(ARGV[first + 3]), tonumber(ARGV[first + 4]), tonumber(ARGV[first + 5])
  local requester = ARGV[first + 6]
  local rest = tonumber(redis.call('HGET', key, 'rest') or 0)
  local wait, why = 0, 0
  if what == 'rest' then
    redis.call('HSET', key, 'rest', math.max(rest, now + patience))
  elseif now < rest then
    wait, why = rest - now, 1
  elseif what == 'turn' then
    local turn = math.max(now, tonumber(redis.call('HGET', key, name) or 0))
    wait = turn - now
    if wait > patience then
      why = 2
    else
      redis.call('HSET', key, name, turn + 1000000 / rate)
    end
  elseif rate > 0 then
    local kept, left = redis.call('HMGET', key, 'left', 'at'), size
    if kept[1] then
      left = math.min(size, kept[1] + math.max(0, now - kept[2]) * rate / 1000000)
    end
    local needed, own, used = 1, key .. ':' .. requester, 0
    if requester ~= '' then
      local seen = redis.call('HMGET', own, 'used', 'at')
      if seen[1] then
        used = math.max(0, seen[1] - math.max(0, now - seen[2]) * rate / 1000000 * FORGOTTEN)
      end
      local credit = math.max(2, size)
      needed = 1 - credit + math.min(1, used / size) * (size + credit - 1)
    end
    if left < needed and what ~= 'owed' then
      wait = math.ceil((needed - left) * 1000000 / rate)
    end
    if wait > patience then
      why = 2
    else
      redis.call('HSET', key, 'left', left - 1, 'at', now)
      if requester ~= '' then
        redis.call('HSET', own, 'used', math.min(used + 1, MOST_USED * size), 'at', now)
        redis.call('EXPIRE', own, math.ceil(MOST_USED * size / rate / FORGOTTEN) + 1)
      end
    end
  end
  redis.call('EXPIRE', key, 7200)
  said[i] = {why, wait}
end
return said
"""
SCRIPT = _SCRIPT.replace("FORGOTTEN", repr(FORGOTTEN)).replace("MOST_USED", repr(MOST_USED)).encode()


def arguments_of(spending: Spending) -> Sequence[object]:
    patience = int(spending.seconds * _MICROSECONDS)
    rate, size = repr(spending.rate), repr(spending.size)
    return spending.what, spending.purpose, rate, size, patience, spending.requester


def turn_of(answer: Sequence[int]) -> Turn:
    why, wait = answer
    return Turn(wait / _MICROSECONDS, _SPARED[why])
