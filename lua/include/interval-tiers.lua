--[[
  interval-tiers: joins one of several tiers to those before it. All tiers are charged, or none.

  Reads  capacity tier_wait_us left ahead_us first cost missing now_us due_us format tier wait_us remaining each granted next_state ttl_us
  Sets   limit remaining wait_us reset_us tier granted next_state ttl_us
]]
--- @include "deciding-tier" tier_limit=capacity tier_number="(first + 1) / 3"
if wait_us == 0 or cost == 0 then
  local next_us = missing > 0 and now_us + due_us or 0
  next_state = next_state and format("%s %d:%d", next_state, next_us, missing) or format("%d:%d", next_us, missing)
  if not ttl_us or ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
