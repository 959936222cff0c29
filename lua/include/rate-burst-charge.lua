--[[
  rate-burst-charge: takes the tokens if there are enough, and stores the remaining ones in either case.

  Reads  error_prefix
  Sets   call format keys arguments rate capacity ttl_s now requested amount since stored_time elapsed allowed left
]]
local call, format, keys, arguments = redis.call, string.format, KEYS, ARGV
--- @include "two-keys"
if #arguments ~= 4 then
  return redis.error_reply(error_prefix .. "arguments must be rate, capacity, now and requested")
end
local rate = tonumber(arguments[1])
--- @include "check-positive" value=rate name=rate
local capacity = tonumber(arguments[2])
--- @include "check-positive" value=capacity name=capacity
local ttl_s = math.ceil(2 * capacity / rate)
--- @include "check-ttl" ttl_s=ttl_s name=capacity
-- Whole seconds of the server's clock: other callers that share these keys use no finer time.
local now = tonumber(arguments[3] ~= "" and arguments[3] or call("TIME")[1])
--- @include "check-amount" value=now name=now
local requested = tonumber(arguments[4])
--- @include "check-amount" value=requested name=requested

--- @include "pair-state" amount_key=keys[1] time_key=keys[2]
if not amount then
  amount, since = capacity, 0
end
--- @include "later-time" whole_s="capacity / rate"
local left = amount + elapsed * rate
if left > capacity then
  left = capacity
end
local allowed = left >= requested
if allowed then
  left = left - requested
end
--- @include "pair-store" amount_key=keys[1] time_key=keys[2] amount=left time=now digits=%.17g
