--[[
  bucket-tiers: joins one of several tiers to those before it. All tiers are charged, or none.

  Reads  capacity tier_wait_us left ahead_us first cost after q r format tier wait_us remaining each granted next_state ttl_us
  Sets   limit remaining wait_us reset_us tier granted q next_state ttl_us
]]
--- @include "deciding-tier" tier_limit=capacity tier_number="(first + 1) / 3"
if wait_us == 0 or cost == 0 then
  if after == 0 then
    q = 0
  end
  if r > 0 then
    next_state = next_state and format("%s %d+%d", next_state, q, r) or format("%d+%d", q, r)
  else
    next_state = next_state and format("%s %d", next_state, q) or format("%d", q)
  end
  if not ttl_us or ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
