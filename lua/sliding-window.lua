--[[
  sliding-window: counts `cost` units in a window that slides along with the time, kept as two counts.

  Algorithm   sliding window counter over two adjoining windows, the older one with its part that is still in sight, in exact integers
  Source      docs/protocol.md, "Sliding windows"
  KEYS[1]     key               one policy of one subject under one setting
  ARGV[1]     cost              units, integer; 0 peeks, negative refunds; cost*calls: as many calls as fit
  ARGV[2..3]  limit window_us   one tier, repeated up to 16 times
  ARGV[n]     now_us            optional: the caller's time instead of the server's
  Bounds      limit 1..$most_units, window_us 1..$most_period_us
  Marker      s window_us
  State       end:used:older  unused 0:0:0
  Refill      fading
  Queues      no
  Holds       yes
  Reply[1]    allowed           1 or 0, of cost*calls how many; a peek and a refund are always 1
  Reply[2]    limit             units, limit of the deciding tier
  Reply[3]    remaining         units of the deciding tier still free after this call
  Reply[4]    wait_us           denied: until the same call would be allowed, -1 never; allowed: 0
  Reply[5]    reset_us          until the deciding tier is entirely unused
  Reply[6]    tier              the deciding tier, from 1
  Complexity  O(tiers): one read, one write
]]
local error_prefix = "ERR penstock sliding-window: "
local arguments_of_one_tier = 3
--- @include "read-call"
--- @include "clock" now="arguments[#arguments]"

local state = call("GET", key)
-- Longer than any wait, and later than any stored time.
local never_us = $exact_below
local limit, remaining, wait_us, reset_us, tier, clock_stepped_back, opens
repeat
  local next_state, ttl_us, state_at
  for first = 2, last, 2 do
    local tier_limit = tonumber(arguments[first])
    --- @include "check-integer" value=tier_limit name=limit least=1 most=$most_units
    local window_us = tonumber(arguments[first + 1])
    --- @include "check-integer" value=window_us name=window_us least=1 most=$most_period_us
    --- @include "tier-state" several="last ~= arguments_of_one_tier"
    --- @include "sliding-state"
    --- @include "sliding-refund"
    --- @include "sliding-charge"
    -- Nearly every call has one tier, and ends here.
    if last == arguments_of_one_tier and not each then
      --- @include "sliding-store"
      --- @include "reply" limit=tier_limit remaining=left wait_us=tier_wait_us turn_us=0 reset_us=ahead_us tier=1
    end
    --- @include "sliding-tiers"
  end
  --- @include "window-store-tiers"
  --- @include "another-pass"
until not again
--- @include "reply" limit=limit remaining=remaining wait_us=wait_us turn_us=0 reset_us=reset_us tier=tier
