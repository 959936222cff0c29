-- The old behaviour, written from its contract for the tests.
local capacity, batch = tonumber(ARGV[1]), tonumber(ARGV[2])
local interval, now = tonumber(ARGV[3]), tonumber(ARGV[4])
local companion = KEYS[2] or KEYS[1] .. "_time"
local tokens = tonumber(redis.call("GET", KEYS[1]))
local last = tonumber(redis.call("GET", companion))
if tokens == nil or last == nil then
  tokens, last = capacity, now
end
local batches = math.floor((now - last) / interval)
if batches > 0 then
  tokens = math.min(capacity, tokens + batches * batch)
  last = last + batches * interval
end
if tokens <= 0 then
  return -1
end
redis.call("SET", KEYS[1], tokens - 1)
redis.call("SET", companion, last)
return tokens - 1
