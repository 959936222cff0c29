-- What every script takes: one key, a cost, tiers of `tier_arguments` numbers each, perhaps the caller's time.
local call, format = redis.call, string.format
local key = KEYS[1]
local cost = tonumber(ARGV[1])
local arguments = #ARGV
local surplus = (arguments - 1) % tier_arguments
local last = arguments - surplus
if #KEYS ~= 1 then
  return redis.error_reply(fault .. "key must be exactly one")
end
if not cost or cost < -1000000000000 or cost > 1000000000000 or cost % 1 ~= 0 then
  return redis.error_reply(fault .. "cost must be an integer from -1000000000000 to 1000000000000")
end
if surplus > 1 or last < 2 or last > 1 + 16 * tier_arguments then
  return redis.error_reply(fault .. "tier must be given 1 to 16 times, each as " .. tier_names)
end
local now_us
if surplus == 1 then
  now_us = tonumber(ARGV[#ARGV])
else
  local time = call("TIME")
  now_us = time[1] * 1000000 + time[2]
end
if not now_us or now_us < 1000000000000000 or now_us >= 4503599627370496 or now_us % 1 ~= 0 then
  return redis.error_reply(fault .. "now_us must be an integer from 1000000000000000 to below 4503599627370496")
end
