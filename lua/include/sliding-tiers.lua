--[[
  sliding-tiers: joins one of several tiers to those before it. All tiers are charged, or none.

  Reads  tier_limit tier_wait_us left ahead_us first cost used older now_us sight_us format tier wait_us remaining each granted
         next_state ttl_us
  Sets   limit remaining wait_us reset_us tier granted next_state ttl_us
]]
--- @include "deciding-tier" tier_limit=tier_limit tier_number="first / 2"
if wait_us == 0 or cost == 0 then
  local end_us = ahead_us > 0 and now_us + sight_us or 0
  local next_tier_state = format("%d:%d:%d", end_us, used, older)
  next_state = next_state and next_state .. " " .. next_tier_state or next_tier_state
  if not ttl_us or ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
