--[[
  sliding-state: reads a tier's state, `end:used:older`, as the units used in two adjoining windows and the time until the open one ends.

  Reads  tier_state now_us window_us never_us error_prefix
  Sets   used older sight_us clock_stepped_back
]]
local used, older, sight_us = 0, 0, 0
if tier_state and tier_state ~= "0:0:0" then
  local end_us, count, count_before = string.match(tier_state, "^([1-9]%d*):(%d+):(%d+)$")
  --- @include "check-counts"
  used, older, sight_us = count + 0, count_before + 0, end_us - now_us
  if sight_us > window_us then
    -- More than a whole window ahead: the clock stepped back, or another program wrote this.
    if end_us + 0 >= never_us then
      --- @include "refuse-state"
    end
    sight_us, clock_stepped_back = window_us, true
  elseif sight_us <= 0 then
    -- The open window ended. For as long as it lasted it is the older one.
    used, older, sight_us = 0, used, sight_us + window_us
    if older == 0 or sight_us <= 0 then
      older, sight_us = 0, 0
    end
  end
end
