--[[
  interval-charge: decides for one tier: the wait, or the tokens missing after the call.

  Reads  missing due_us cost capacity tokens interval_us never_us
  Sets   tier_wait_us missing due_us left ahead_us
]]
local tier_wait_us = 0
if cost > capacity then
  tier_wait_us = never_us
elseif cost > 0 and cost > capacity - missing then
  local later = missing + cost - capacity - 1
  tier_wait_us = due_us + (later - later % tokens) / tokens * interval_us
else
  missing = missing + cost
  if missing <= 0 then
    missing, due_us = 0, 0
  elseif due_us == 0 then
    due_us = interval_us
  end
end
local left, ahead_us = capacity - missing, due_us
if missing > tokens then
  local later = missing - 1
  ahead_us = due_us + (later - later % tokens) / tokens * interval_us
end
