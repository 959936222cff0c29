--[[
  window-charge: decides for one tier: the wait, or the units used after the call.

  Reads  used cost tier_limit window_us ahead_us never_us
  Sets   tier_wait_us after ahead_us opens left
]]
local tier_wait_us, after = 0, used + cost
if cost > tier_limit then
  tier_wait_us = never_us
elseif cost > 0 and after > tier_limit then
  tier_wait_us = ahead_us
elseif after <= 0 then
  after, ahead_us = 0, 0
elseif ahead_us == 0 then
  ahead_us, opens = window_us, true
end
if tier_wait_us > 0 then
  after = used
end
local left = tier_limit - after
if left < 0 then
  -- The limit was lowered below the units used already.
  left = 0
end
