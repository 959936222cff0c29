--[[
  prorate-leaky-bucket: adds to a leaky bucket that never refuses, and returns its level and whether it is full.

  Algorithm   leaky bucket as a meter, in floating point; the contract of the Ruby library Prorate
  Source      docs/drop-ins.md, "prorate-leaky-bucket"
  KEYS[1]     level_key     the level
  KEYS[2]     updated_key   when the level was right, in seconds
  ARGV[1]     leak_rate     units that leak per second, above 0
  ARGV[2]     fill_up       units to add; 0 peeks
  ARGV[3]     capacity      units, above 0; units that do not fit are spilled
  ARGV[n]     now           optional: seconds since 1970, the caller's time instead of the server's
  Reply[1]    level         text, the level after this call with nine decimals; `0.0` if it was empty and is
  Reply[2]    at_capacity   1 or 0; 1 if the bucket is exactly full
  Complexity  O(1): two reads, two writes
  Mended      a clock that steps back gains nothing; half of the two keys is none; one key twice, or a foreign value, is an error;
              `redis.replicate_commands` is not called
]]
local error_prefix = "ERR penstock prorate-leaky-bucket: "
local call, format, keys, arguments = redis.call, string.format, KEYS, ARGV
--- @include "two-keys"
if #arguments ~= 3 and #arguments ~= 4 then
  return redis.error_reply(error_prefix .. "arguments must be leak_rate, fill_up, capacity and perhaps now")
end
local leak_rate = tonumber(arguments[1])
--- @include "check-positive" value=leak_rate name=leak_rate
local fill_up = tonumber(arguments[2])
--- @include "check-amount" value=fill_up name=fill_up
local capacity = tonumber(arguments[3])
--- @include "check-positive" value=capacity name=capacity
local ttl_s = math.ceil(capacity / leak_rate + 1)
--- @include "check-ttl" ttl_s=ttl_s name=capacity
--- @include "clock-seconds" has_now="#arguments == 4"

--- @include "pair-state" amount_key=keys[1] time_key=keys[2]
if not amount then
  amount, since = 0, now
end
--- @include "later-time" whole_s="capacity / leak_rate"
-- As in the original, an added amount also leaks for the time before it was added.
local level = amount - leak_rate * elapsed + fill_up
if level > capacity then
  level = capacity
elseif level <= 0 then
  level = 0
  if amount == 0 then
    return {"0.0", 0}
  end
end
--- @include "pair-store" amount_key=keys[1] time_key=keys[2] amount=level time=now digits=%.17g
return {format("%.9f", level), level == capacity and 1 or 0}
