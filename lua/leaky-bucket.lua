--[[
  leaky-bucket: pours `cost` units into a bucket that leaks evenly, and tells how far away their turn is.

  Algorithm   leaky bucket as a queue, kept as one time per tier (generic cell rate algorithm) in exact integers
  Source      ITU-T I.371, annex A; docs/protocol.md, "The exact arithmetic"
  KEYS[1]     key               one policy of one subject under one setting
  ARGV[1]     cost              units, integer; 0 looks, negative refunds
  ARGV[2..4]  capacity leak_units leak_period_us   one tier, repeated up to 16 times
  ARGV[n]     now_us            optional: the caller's time instead of the server's
  Reply[1]    allowed           1 or 0; a look and a refund are always 1
  Reply[2]    limit             units, capacity of the deciding tier
  Reply[3]    remaining         units of the deciding tier still free after this call
  Reply[4]    wait_us           allowed: how long to wait before going ahead; denied: until the same call would be allowed, -1 never
  Reply[5]    reset_us          until the deciding tier is entirely unused
  Reply[6]    tier              the deciding tier, from 1
  Complexity  O(tiers): one read, one write
]]
local fault = "ERR penstock leaky-bucket: "
local one_tier = 4
--- @include "call"
--- @include "clock"

local state = call("GET", key)
local never_us = 9007199254740992
local limit, remaining, wait_us, reset_us, tier, cut
local backlog_us = 0
while true do
  local next_state, ttl_us, state_at
  for first = 2, last, 3 do
    local capacity = tonumber(arguments[first])
    if not capacity or capacity < 1 or capacity > 1000000000000 or capacity % 1 ~= 0 then
      return redis.error_reply(fault .. "capacity must be an integer from 1 to 1000000000000")
    end
    local units = tonumber(arguments[first + 1])
    if not units or units < 1 or units > 1000000000000 or units % 1 ~= 0 then
      return redis.error_reply(fault .. "leak_units must be an integer from 1 to 1000000000000")
    end
    local period_us = tonumber(arguments[first + 2])
    if not period_us or period_us < 1 or period_us > 31622400000000 or period_us % 1 ~= 0 then
      return redis.error_reply(fault .. "leak_period_us must be an integer from 1 to 31622400000000")
    end
    --- @include "bucket-full"
    --- @include "field"
    --- @include "bucket-state"
    local part = used % units
    local backlog = (used - part) / units
    if part > 0 then
      backlog = backlog + 1
    end
    if backlog > backlog_us then
      backlog_us = backlog
    end
    --- @include "bucket-charge"
    if last == one_tier then
      --- @include "bucket-store"
      if wait == 0 then
        return {1, capacity, left, cost >= 0 and backlog_us or 0, ahead_us, 1}
      end
      return {0, capacity, left, wait == never_us and -1 or wait, ahead_us, 1}
    end
    --- @include "bucket-tiers"
  end
  --- @include "bucket-store-tiers"
  if wait_us == 0 or cost == 0 or not cut then
    break
  end
  -- Denied, but the clock stepped back: once more without the cost, to store what was cut.
  cost = 0
end
if wait_us == 0 then
  return {1, limit, remaining, cost >= 0 and backlog_us or 0, reset_us, tier}
end
return {0, limit, remaining, wait_us == never_us and -1 or wait_us, reset_us, tier}
