-- Reads what every script takes: one key, a cost, whole tiers and perhaps the caller's time.
local call, format, match, tonumber = redis.call, string.format, string.match, tonumber
local keys, arguments = KEYS, ARGV
local key = keys[1]
local cost = arguments[1]
local count = #arguments
local surplus = (count - 1) % tier_arguments
local last = count - surplus
if #keys ~= 1 then
  return redis.error_reply(fault .. "key must be exactly one")
end
if surplus > 1 or last <= tier_arguments or last > 16 * tier_arguments + 1 then
  return redis.error_reply(fault .. "tier must be given 1 to 16 times, complete with " .. tier_arguments .. " arguments")
end
-- Nearly every call costs 1, and comparing is cheaper than reading a number.
if cost == "1" then
  cost = 1
else
  cost = tonumber(cost)
  if not cost or cost < -1000000000000 or cost > 1000000000000 or cost % 1 ~= 0 then
    return redis.error_reply(fault .. "cost must be an integer from -1000000000000 to 1000000000000")
  end
end
