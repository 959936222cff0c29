--[[
  charge-sliding: decides for the tiers of a sliding window as its own script does.

  Reads  arguments at last state state_at tiers arguments_of_one_tier cost now_us never_us each granted error_prefix format tier wait_us
         remaining next_state ttl_us
  Sets   state_at limit remaining wait_us reset_us tier granted next_state ttl_us clock_stepped_back opens
]]
for first = at + 4, last, 2 do
  --- @include "window-numbers"
  --- @include "tier-state" several="tiers > 1"
  --- @include "sliding-state"
  --- @include "sliding-charge"
  --- @include "charge-tier" tier_limit=tier_limit tier_field="format('%d:%d:%d', ahead_us > 0 and now_us + sight_us or 0, used, older)"
end
