-- What scripts with tiers take.
local call = redis.call
local key, cost = KEYS[1], tonumber(ARGV[1])
local count = #ARGV
local surplus = (count - 1) % size
local last = count - surplus
if not cost or cost < 0 then
  return redis.error_reply(fault .. "cost must not be negative")
end
--- @include "now"
