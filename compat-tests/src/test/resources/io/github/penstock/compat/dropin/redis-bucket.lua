-- The old behaviour, written from its contract for the tests. What newer servers lack is left out.
local cost = tonumber(ARGV[1])
local now
if #ARGV % 2 == 0 then
  now = tonumber(ARGV[#ARGV])
else
  local clock = redis.call("TIME")
  now = tonumber(clock[1]) + tonumber(clock[2]) / 1e6
end
local known, since, denied, levels = pcall(cmsgpack.unpack, redis.pcall("GET", KEYS[1]))
if not known then
  since, denied, levels = now, 0, {}
end
local passed = now - since
local candidates, seconds, room, place = {}, 0, math.huge, nil
for n = 1, math.floor((#ARGV - 1) / 2) do
  local flow, burst = tonumber(ARGV[2 * n]), tonumber(ARGV[2 * n + 1])
  levels[n] = math.max(0, (levels[n] or 0) - passed * flow)
  candidates[n] = levels[n] + cost
  local free = burst - candidates[n]
  if free < room then
    room, place = free, n
  end
  seconds = math.max(seconds, math.ceil(math.max(burst, candidates[n]) / flow))
end
if room >= 0 then
  redis.call("SETEX", KEYS[1], seconds, cmsgpack.pack(now, 0, candidates))
  return {1, tostring(room), place}
end
denied = denied + cost
redis.call("SETEX", KEYS[1], seconds, cmsgpack.pack(now, denied, levels))
return {0, tostring(denied), place}
