--[[
  read-call: reads the arguments of every script: one key, a cost, whole tiers and optionally the caller's time.

  Reads  error_prefix arguments_of_one_tier
  Sets   call format keys arguments key last has_now cost granted each
]]
local call, format = redis.call, string.format
local keys, arguments = KEYS, ARGV
local key = keys[1]
if #keys ~= 1 then
  return redis.error_reply(error_prefix .. "key must be exactly one")
end
local last, has_now = #arguments, 0
if last ~= arguments_of_one_tier then
  has_now = (last - 1) % (arguments_of_one_tier - 1)
  last = last - has_now
  if has_now > 1 or last < arguments_of_one_tier or last > $most_tiers * (arguments_of_one_tier - 1) + 1 then
    return redis.error_reply(
      error_prefix .. "tier must be given 1 to $most_tiers times, complete with " .. arguments_of_one_tier - 1 .. " arguments")
  end
end
-- Nearly every call costs 1, and comparing is cheaper than reading a number.
local cost, granted, each = 1, 1
if arguments[1] ~= "1" then
  cost = tonumber(arguments[1])
  if not cost then
    --- @include "several-calls"
  end
  --- @include "check-integer" value=cost name=cost least=-$most_units most=$most_units
end
