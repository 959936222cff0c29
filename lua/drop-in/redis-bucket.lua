--[[
  redis-bucket: takes `cost` from each of several leaking buckets if it fits into all of them.

  Algorithm   leaky buckets as meters, in floating point; the contract of redis-bucket
  Source      docs/drop-ins.md, "redis-bucket"
  KEYS[1]     key          one string of three MessagePack items: time, denied, levels
  ARGV[1]     cost         units to take, from 0
  ARGV[2..3]  flow burst   one bucket: units that leak per second, units that it holds; repeated
  ARGV[n]     now          optional: seconds since 1970, the caller's time instead of the server's
  Reply[1]    allowed      1 or 0
  Reply[2]    value        text: allowed, the least room that is left; denied, the cost denied since the last allowed call
  Reply[3]    index        the bucket with the least room, from 1
  Complexity  O(buckets): one read, one write
  Mended      a clock that steps back gains nothing; a foreign value is an error; `redis.replicate_commands` is not called
]]
local error_prefix = "ERR penstock redis-bucket: "
local call, type, keys, arguments = redis.call, type, KEYS, ARGV
local key, last = keys[1], #arguments
if #keys ~= 1 then
  return redis.error_reply(error_prefix .. "key must be exactly one")
end
if last < 3 then
  return redis.error_reply(error_prefix .. "arguments must be cost, then flow and burst of each bucket, and perhaps now")
end
local cost = tonumber(arguments[1])
--- @include "check-amount" value=cost name=cost
--- @include "clock-seconds" has_now="last % 2 == 0"

local state = call("GET", key)
local since, denied, levels = now, 0, {}
if state then
  local is_read, surplus
  is_read, since, denied, levels, surplus = pcall(cmsgpack.unpack, state)
  -- Infinity or NaN minus itself is not 0. No value may follow the last level.
  if not is_read or surplus ~= nil or type(levels) ~= "table" or #levels == 0 or next(levels, #levels) ~= nil
    or type(since) ~= "number" or since - since ~= 0 or type(denied) ~= "number" or denied - denied ~= 0 then
    --- @include "refuse-state"
  end
end
local elapsed = now > since and now - since or 0
local charged, bucket, least, index, ttl_s = {}, 0, math.huge, 1, 0
for first = 2, last - 1, 2 do
  local flow = tonumber(arguments[first])
  --- @include "check-positive" value=flow name=flow
  local burst = tonumber(arguments[first + 1])
  --- @include "check-positive" value=burst name=burst
  --- @include "check-ttl" ttl_s="burst / flow" name=burst
  bucket = bucket + 1
  local level = levels[bucket] or 0
  if type(level) ~= "number" or level - level ~= 0 then
    --- @include "refuse-state"
  end
  level = level - elapsed * flow
  if level <= 0 then
    level = 0
  end
  local filled = level + cost
  levels[bucket], charged[bucket] = level, filled
  if burst - filled < least then
    least, index = burst - filled, bucket
  end
  local empty_s = (filled > burst and filled or burst) / flow
  --- @include "check-ttl" ttl_s=empty_s name=cost
  if empty_s > ttl_s then
    ttl_s = empty_s
  end
end
ttl_s = math.ceil(ttl_s)
if now < since then
  -- The clock stepped back: the later time is kept, but at most as far ahead as these buckets take to drain.
  now = math.min(since, now + ttl_s)
end
if least >= 0 then
  call("SETEX", key, string.format("%d", ttl_s), cmsgpack.pack(now, 0, charged))
  return {1, tostring(least), index}
end
denied = denied + cost
call("SETEX", key, string.format("%d", ttl_s), cmsgpack.pack(now, denied, levels))
return {0, tostring(denied), index}
