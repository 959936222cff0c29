--[[
  fixed-window: counts `cost` units in a window that opens with the first charge after the last one ended.

  Algorithm   fixed window counter
  Source      docs/protocol.md, "Fixed windows"
  KEYS[1]     key               one policy of one subject under one setting
  ARGV[1]     cost              units, integer; 0 looks, negative refunds
  ARGV[2..3]  limit window_us   one tier, repeated up to 16 times
  ARGV[n]     now_us            optional: the caller's time instead of the server's
  Reply[1]    allowed           1 or 0; a look and a refund are always 1
  Reply[2]    limit             units, limit of the deciding tier
  Reply[3]    remaining         units of the deciding tier still free after this call
  Reply[4]    wait_us           denied: until the same call would be allowed, -1 never; allowed: 0
  Reply[5]    reset_us          until the deciding tier is entirely unused
  Reply[6]    tier              the deciding tier, from 1
  Complexity  O(tiers): one read, one write
]]
local fault = "ERR penstock fixed-window: "
local one_tier = 3
--- @include "call"
--- @include "clock"

local state = call("GET", key)
local never_us = 9007199254740992
local limit, remaining, wait_us, reset_us, tier, cut, opens
while true do
  local next_state, ttl_us, state_at
  for first = 2, last, 2 do
    local tier_limit = tonumber(arguments[first])
    if not tier_limit or tier_limit < 1 or tier_limit > 1000000000000 or tier_limit % 1 ~= 0 then
      return redis.error_reply(fault .. "limit must be an integer from 1 to 1000000000000")
    end
    local window_us = tonumber(arguments[first + 1])
    if not window_us or window_us < 1 or window_us > 31622400000000 or window_us % 1 ~= 0 then
      return redis.error_reply(fault .. "window_us must be an integer from 1 to 31622400000000")
    end
    --- @include "field"
    --- @include "window-state"
    --- @include "window-charge"
    if last == one_tier then
      --- @include "window-store"
      if wait == 0 then
        return {1, tier_limit, left, 0, ahead_us, 1}
      end
      return {0, tier_limit, left, wait == never_us and -1 or wait, ahead_us, 1}
    end
    --- @include "window-tiers"
  end
  --- @include "window-store-tiers"
  if wait_us == 0 or cost == 0 or not cut then
    break
  end
  -- Denied, but the clock stepped back: once more without the cost, to store what was cut.
  cost = 0
end
if wait_us == 0 then
  return {1, limit, remaining, 0, reset_us, tier}
end
return {0, limit, remaining, wait_us == never_us and -1 or wait_us, reset_us, tier}
