-- The old behaviour, written from its contract for the tests. What newer servers lack is left out.
local rate, capacity = tonumber(ARGV[1]), tonumber(ARGV[2])
local now, requested = tonumber(ARGV[3]), tonumber(ARGV[4])
local seconds = math.floor(capacity / rate * 2)
if now == nil then
  now = redis.call("TIME")[1]
end
local tokens = tonumber(redis.call("GET", KEYS[1]))
if tokens == nil then
  tokens = capacity
end
local last = tonumber(redis.call("GET", KEYS[2]))
if last == nil then
  last = 0
end
local passed = math.max(0, now - last)
local filled = math.min(capacity, tokens + (passed * rate))
local allowed = filled >= requested
local left, answer = filled, 0
if allowed then
  left, answer = filled - requested, 1
end
if seconds > 0 then
  redis.call("SETEX", KEYS[1], seconds, left)
  redis.call("SETEX", KEYS[2], seconds, now)
end
return {answer, left}
