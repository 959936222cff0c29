-- Reads what every script takes: one key, a cost, whole tiers and perhaps the caller's time.
local call, format, tonumber = redis.call, string.format, tonumber
local key = KEYS[1]
local cost = ARGV[1]
local count = #ARGV
local surplus = (count - 1) % tier_arguments
local last = count - surplus
if #KEYS ~= 1 then
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
local now_us
if surplus == 0 then
  local time = call("TIME")
  now_us = time[1] * 1000000 + time[2]
else
  now_us = tonumber(ARGV[#ARGV])
  if not now_us or now_us >= 4503599627370496 or now_us % 1 ~= 0 then
    now_us = 0
  end
end
if now_us < 1000000000000000 then
  return redis.error_reply(fault .. "now_us must be an integer from 1000000000000000 to 4503599627370495")
end
local state = call("GET", key)
