--[[
  sliding-charge: decides for one tier: the wait, or the units used after the call.

  Reads  used older cost tier_limit window_us sight_us never_us
  Sets   tier_wait_us used sight_us opens left ahead_us
]]
--- @include "sliding-left"
local tier_wait_us = 0
if cost > tier_limit then
  tier_wait_us = never_us
elseif cost > 0 and cost > left then
  local free, counted, later_us = tier_limit - used - cost, older, 0
  if free < 0 then
    -- Not before the open window is the older one.
    free, counted, later_us = tier_limit - cost, used, window_us
  end
  --- @include "exact-quotient" factor=free other=window_us divisor=counted
  tier_wait_us = sight_us + later_us - quotient
elseif cost > 0 then
  if used == 0 then
    opens = true
    if older == 0 then
      sight_us = window_us
    end
  end
  used, left = used + cost, left - cost
end
if left < 0 then
  -- The limit was lowered below the units used already.
  left = 0
end
local ahead_us = used > 0 and sight_us + window_us or sight_us
