--[[
  charge-bucket: decides for the tiers of a token or a leaky bucket as their own scripts do.

  Takes  units_name period_name
  Reads  arguments at last state state_at tiers arguments_of_one_tier cost now_us never_us each granted error_prefix format tier wait_us
         remaining next_state ttl_us backlog_us script
  Sets   state_at limit remaining wait_us reset_us tier granted next_state ttl_us clock_stepped_back backlog_us
]]
for first = at + 4, last, 3 do
  --- @include "bucket-numbers" units=$units_name period=$period_name
  --- @include "bucket-full"
  --- @include "tier-state" several="tiers > 1"
  --- @include "bucket-state"
  if script == "leaky-bucket" then
    --- @include "bucket-backlog"
  end
  --- @include "bucket-charge"
  --- @include "bucket-left"
  --- @include "charge-tier" tier_limit=capacity tier_field="after == 0 and '0' or r > 0 and format('%d+%d', q, r) or format('%d', q)"
end
