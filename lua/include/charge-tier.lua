--[[
  charge-tier: combines a tier with those before it, and adds its state to the key's.

  Takes  tier_limit tier_field
  Reads  tier tier_wait_us wait_us left remaining ahead_us each granted first at arguments_of_one_tier next_state ttl_us
  Sets   limit remaining wait_us reset_us tier granted next_state ttl_us
]]
--- @include "deciding-tier" tier_limit=$tier_limit tier_number="(first - at - 4) / (arguments_of_one_tier - 1) + 1"
if wait_us == 0 then
  local field = $tier_field
  next_state = next_state and next_state .. " " .. field or field
  if ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
