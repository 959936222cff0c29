--[[
  window-state: reads a tier's state, `end:used`, as the units used in the open window and the time until it ends.

  Reads  tier_state now_us window_us never_us error_prefix
  Sets   used ahead_us clock_stepped_back
]]
local used, ahead_us = 0, 0
if tier_state and tier_state ~= "0:0" then
  local end_us, count = string.match(tier_state, "^([1-9]%d*):([1-9]%d*)$")
  count = count and #end_us == $time_digits and count + 0 or never_us
  if count > $most_units then
    --- @include "refuse-state"
  end
  ahead_us = end_us - now_us
  if ahead_us > window_us then
    -- More than a whole window ahead: the clock stepped back, or another program wrote this.
    if end_us + 0 >= never_us then
      --- @include "refuse-state"
    end
    ahead_us, clock_stepped_back = window_us, true
  end
  if ahead_us > 0 then
    used = count
  else
    ahead_us = 0
  end
end
