--[[
  window-tiers: joins one of several tiers to those before it. All tiers are charged, or none.

  Reads  tier_limit tier_wait_us left ahead_us first cost after now_us format tier wait_us remaining each granted next_state ttl_us
  Sets   limit remaining wait_us reset_us tier granted next_state ttl_us
]]
--- @include "deciding-tier" tier_limit=tier_limit tier_number="first / 2"
if wait_us == 0 or cost == 0 then
  local end_us = after > 0 and now_us + ahead_us or 0
  next_state = next_state and format("%s %d:%d", next_state, end_us, after) or format("%d:%d", end_us, after)
  if not ttl_us or ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
