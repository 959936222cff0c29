--[[
  token-batches: takes one token from a bucket that starts full and gains whole batches at whole intervals.

  Algorithm   token bucket that refills in steps
  Source      docs/drop-ins.md, "token-batches"
  KEYS[1]     key        the tokens that were left
  KEYS[n]     time_key   optional: when the last batch came, in seconds; without it `<key>_time`
  ARGV[1]     capacity   units, from 1
  ARGV[2]     tokens     units in a batch, from 1
  ARGV[3]     interval   seconds from one batch to the next, from 1
  ARGV[4]     now        seconds, the caller's time
  Reply       left       units, the remaining tokens after this call; -1 if denied
  Complexity  O(1): two reads, two writes
  Mended      keys expire; a clock that steps back gains nothing; half of the two keys is none;
              one key twice, or a foreign value, is an error
]]
local error_prefix = "ERR penstock token-batches: "
local call, format, keys, arguments = redis.call, string.format, KEYS, ARGV
local key, time_key = keys[1], keys[#keys]
if #keys == 1 then
  time_key = key .. "_time"
elseif #keys ~= 2 or key == time_key then
  return redis.error_reply(error_prefix .. "key must be one or two different ones")
end
if #arguments ~= 4 then
  return redis.error_reply(error_prefix .. "arguments must be capacity, tokens, interval and now")
end
local capacity = tonumber(arguments[1])
--- @include "check-integer" value=capacity name=capacity least=1 most=$most_units
local tokens = tonumber(arguments[2])
--- @include "check-integer" value=tokens name=tokens least=1 most=$most_units
local interval = tonumber(arguments[3])
--- @include "check-integer" value=interval name=interval least=1 most=$most_ttl_s
-- From empty to full, plus a minute for clocks that differ.
local ttl_s = math.ceil(capacity / tokens) * interval + 60
--- @include "check-ttl" ttl_s=ttl_s name=capacity
local now = tonumber(arguments[4])
--- @include "check-integer" value=now name=now least=0 most=$most_amount

--- @include "pair-state" amount_key=key time_key=time_key
if not amount then
  amount, since = capacity, now
elseif amount % 1 ~= 0 or since % 1 ~= 0 then
  --- @include "refuse-state"
end
if now - since >= interval then
  local batches = math.floor((now - since) / interval)
  amount, since = amount + batches * tokens, since + batches * interval
end
if amount > capacity then
  amount = capacity
end
-- A time further ahead than a whole bucket takes belongs to a clock that has stepped back since.
local stepped_back = since > now + ttl_s
if stepped_back then
  since = now + ttl_s
end
local left = amount - 1
if left < 0 and not stepped_back then
  return -1
end
--- @include "pair-store" amount_key=key time_key=time_key amount="left < 0 and 0 or left" time=since digits="%d"
return left
