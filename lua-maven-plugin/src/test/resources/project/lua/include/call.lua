--[[
  call: reads what every script with tiers takes.

  Takes  size
  Reads  error_prefix
  Sets   call key cost count has_now last now_us
]]
local call = redis.call
local key, cost = KEYS[1], tonumber(ARGV[1])
local count = #ARGV
local has_now = (count - 1) % $size
local last = count - has_now
if not cost or cost < 0 then
  return redis.error_reply(error_prefix .. "cost must not be negative")
end
--- @include "now"
