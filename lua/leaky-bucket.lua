--[[
  leaky-bucket: pours `cost` units into a bucket that leaks evenly, and returns the time until their turn.

  Algorithm   leaky bucket as a queue, kept as one time per tier (generic cell rate algorithm) in exact integers
  Source      ITU-T I.371, annex A; docs/protocol.md, "The exact arithmetic"
  KEYS[1]     key               one policy of one subject under one setting
  ARGV[1]     cost              units, integer; 0 peeks, negative refunds; cost*calls: as many calls as fit
  ARGV[2..4]  capacity leak_units leak_period_us   one tier, repeated up to 16 times
  ARGV[n]     now_us            optional: the caller's time instead of the server's
  Bounds      capacity 1..$most_units, leak_units 1..$most_units, leak_period_us 1..$most_period_us
  Marker      b capacity leak_units leak_period_us
  State       q q+r  unused 0
  Refill      evenly
  Queues      yes
  Holds       no
  Reply[1]    allowed           1 or 0, of cost*calls how many; a peek and a refund are always 1
  Reply[2]    limit             units, capacity of the deciding tier
  Reply[3]    remaining         units of the deciding tier still free after this call
  Reply[4]    wait_us           allowed: how long to wait before going ahead; denied: until the same call would be allowed, -1 never
  Reply[5]    reset_us          until the deciding tier is entirely unused
  Reply[6]    tier              the deciding tier, from 1
  Complexity  O(tiers): one read, one write
]]
local error_prefix = "ERR penstock leaky-bucket: "
local arguments_of_one_tier = 4
--- @include "read-call"
--- @include "clock" now="arguments[#arguments]"

local state = call("GET", key)
-- Longer than any wait, and later than any stored time.
local never_us = $exact_below
local limit, remaining, wait_us, reset_us, tier, clock_stepped_back
local backlog_us = 0
repeat
  local next_state, ttl_us, state_at
  for first = 2, last, 3 do
    --- @include "bucket-numbers" units=leak_units period=leak_period_us
    --- @include "bucket-full"
    --- @include "tier-state" several="last ~= arguments_of_one_tier"
    --- @include "bucket-state"
    --- @include "bucket-backlog"
    --- @include "bucket-charge"
    --- @include "bucket-left"
    -- Nearly every call has one tier, and ends here.
    if last == arguments_of_one_tier and not each then
      --- @include "bucket-store"
      --- @include "reply" limit=capacity remaining=left wait_us=tier_wait_us turn_us="cost >= 0 and backlog_us or 0" reset_us=ahead_us tier=1
    end
    --- @include "bucket-tiers"
  end
  --- @include "bucket-store-tiers"
  --- @include "another-pass"
until not again
--- @include "reply" limit=limit remaining=remaining wait_us=wait_us turn_us="cost >= 0 and backlog_us or 0" reset_us=reset_us tier=tier
