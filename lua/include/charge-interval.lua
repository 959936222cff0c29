--[[
  charge-interval: decides for the tiers of an interval bucket as its own script does.

  Reads  arguments at last state state_at tiers arguments_of_one_tier cost now_us never_us each granted error_prefix format tier wait_us
         remaining next_state ttl_us
  Sets   state_at limit remaining wait_us reset_us tier granted next_state ttl_us clock_stepped_back
]]
for first = at + 4, last, 3 do
  --- @include "interval-numbers"
  --- @include "interval-full"
  --- @include "tier-state" several="tiers > 1"
  --- @include "interval-state"
  --- @include "interval-charge"
  --- @include "charge-tier" tier_limit=capacity tier_field="format('%d:%d', missing > 0 and now_us + due_us or 0, missing)"
end
