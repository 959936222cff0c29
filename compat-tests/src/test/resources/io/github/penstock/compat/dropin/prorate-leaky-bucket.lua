-- The old behaviour, written from its contract for the tests. What newer servers lack is left out.
local rate, fill_up, capacity = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local seconds = math.ceil((capacity / rate) + 1)
local now
if ARGV[4] then
  now = tonumber(ARGV[4])
else
  local time = redis.call("TIME")
  now = tonumber(time[1]) + (tonumber(time[2]) / 1000000)
end
local before = tonumber(redis.call("GET", KEYS[1])) or 0
local updated = tonumber(redis.call("GET", KEYS[2])) or now
local passed = now - updated
local after = before - (rate * passed) + fill_up
after = math.max(0, math.min(capacity, after))
local full = 0
if after == capacity then
  full = 1
end
if after == 0 and before == 0 then
  return {"0.0", full}
end
redis.call("SETEX", KEYS[1], seconds, after)
redis.call("SETEX", KEYS[2], seconds, now)
return {string.format("%.9f", after), full}
