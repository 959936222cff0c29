-- Reads what every script takes: one key, a cost, whole tiers and perhaps the caller's time.
local call, format = redis.call, string.format
local keys, arguments = KEYS, ARGV
local key = keys[1]
if #keys ~= 1 then
  return redis.error_reply(fault .. "key must be exactly one")
end
local last, surplus = #arguments, 0
if last ~= one_tier then
  surplus = (last - 1) % (one_tier - 1)
  last = last - surplus
  if surplus > 1 or last < one_tier or last > 16 * (one_tier - 1) + 1 then
    return redis.error_reply(fault .. "tier must be given 1 to 16 times, complete with " .. one_tier - 1 .. " arguments")
  end
end
-- Nearly every call costs 1, and comparing is cheaper than reading a number.
local cost = 1
if arguments[1] ~= "1" then
  cost = tonumber(arguments[1])
  if not cost or cost < -1000000000000 or cost > 1000000000000 or cost % 1 ~= 0 then
    return redis.error_reply(fault .. "cost must be an integer from -1000000000000 to 1000000000000")
  end
end
