--[[
  interval-bucket: takes `cost` units from a bucket that starts full and refills in whole batches.

  Algorithm   token bucket whose tokens come at whole intervals, kept as the next batch's time and what is missing
  Source      docs/protocol.md, "Interval buckets"
  KEYS[1]     key               one policy of one subject under one setting
  ARGV[1]     cost              units, integer; 0 peeks, negative refunds; cost*calls: as many calls as fit
  ARGV[2..4]  capacity tokens interval_us   one tier, repeated up to 16 times
  ARGV[n]     now_us            optional: the caller's time instead of the server's
  Bounds      capacity 1..$most_units, tokens 1..$most_units, interval_us 1..$most_period_us
  Marker      i capacity tokens interval_us
  State       next:missing  unused 0:0
  Refill      in_batches
  Queues      no
  Holds       no
  Reply[1]    allowed           1 or 0, of cost*calls how many; a peek and a refund are always 1
  Reply[2]    limit             units, capacity of the deciding tier
  Reply[3]    remaining         units of the deciding tier still free after this call
  Reply[4]    wait_us           denied: until the same call would be allowed, -1 never; allowed: 0
  Reply[5]    reset_us          until the deciding tier is entirely unused
  Reply[6]    tier              the deciding tier, from 1
  Complexity  O(tiers): one read, one write
]]
local error_prefix = "ERR penstock interval-bucket: "
local arguments_of_one_tier = 4
--- @include "read-call"
--- @include "clock" now="arguments[#arguments]"

local state = call("GET", key)
-- Longer than any wait, and later than any stored time.
local never_us = $exact_below
local limit, remaining, wait_us, reset_us, tier, clock_stepped_back
repeat
  local next_state, ttl_us, state_at
  for first = 2, last, 3 do
    local capacity = tonumber(arguments[first])
    --- @include "check-integer" value=capacity name=capacity least=1 most=$most_units
    local tokens = tonumber(arguments[first + 1])
    --- @include "check-integer" value=tokens name=tokens least=1 most=$most_units
    local interval_us = tonumber(arguments[first + 2])
    --- @include "check-integer" value=interval_us name=interval_us least=1 most=$most_period_us
    --- @include "interval-full"
    --- @include "tier-state" several="last ~= arguments_of_one_tier"
    --- @include "interval-state"
    --- @include "interval-charge"
    -- Nearly every call has one tier, and ends here.
    if last == arguments_of_one_tier and not each then
      --- @include "interval-store"
      --- @include "reply" limit=capacity remaining=left wait_us=tier_wait_us turn_us=0 reset_us=ahead_us tier=1
    end
    --- @include "interval-tiers"
  end
  --- @include "bucket-store-tiers"
  --- @include "another-pass"
until not again
--- @include "reply" limit=limit remaining=remaining wait_us=wait_us turn_us=0 reset_us=reset_us tier=tier
