--[[
  counter: counts calls in a window that opens with the first of them, including those beyond the limit.

  Algorithm   fixed window counter
  Source      docs/drop-ins.md, "counter"
  KEYS[1]     key       the count; it expires when the window ends
  ARGV[1]     limit     count that a window allows, from 1
  ARGV[2]     seconds   seconds that a window lasts, from 1
  Reply       count     count of calls in this window, or -1 beyond the limit
  Complexity  O(1): one write; with the first call of a window another
  Mended      a count that lost its expiry gets one with the next call beyond the limit; a value that is no count is an error
]]
local error_prefix = "ERR penstock counter: "
local call, key, arguments = redis.call, KEYS[1], ARGV
if #KEYS ~= 1 then
  return redis.error_reply(error_prefix .. "key must be exactly one")
end
if #arguments ~= 2 then
  return redis.error_reply(error_prefix .. "arguments must be limit and seconds")
end
local limit = tonumber(arguments[1])
--- @include "check-integer" value=limit name=limit least=1 most=$most_units
local seconds = tonumber(arguments[2])
--- @include "check-integer" value=seconds name=seconds least=1 most=$most_ttl_s

local count = redis.pcall("INCR", key)
if type(count) ~= "number" then
  -- INCR's error texts for text other than an integer, and for an integer out of range.
  if string.find(count.err, "integer", 1, true) or string.find(count.err, "overflow", 1, true) then
    --- @include "refuse-state"
  end
  return count
end
if count > limit then
  if call("TTL", key) == -1 then
    call("EXPIRE", key, seconds)
  end
  return -1
end
if count == 1 then
  call("EXPIRE", key, seconds)
elseif count < 1 then
  call("DECR", key)
  --- @include "refuse-state"
end
return count
