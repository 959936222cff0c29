--[[
  bucket-state: reads a tier's state, `q` or `q+r`, as the part of the full bucket that is used now.

  Reads  tier_state now_us units full never_us error_prefix
  Sets   used tier_state clock_stepped_back
]]
local used = 0
if tier_state then
  -- Arithmetic turns the digits into a number, and the pattern's `()` captures a position: both save time.
  if #tier_state == $time_digits and string.match(tier_state, "^()[1-9]%d*$") then
    used = (tier_state - now_us) * units
  elseif tier_state ~= "0" then
    local q, r = string.match(tier_state, "^([1-9]%d*)%+([1-9]%d*)$")
    r = q and #q == $time_digits and r + 0 or units
    tier_state = r < units and q or never_us
    used = (tier_state - now_us) * units + r
  end
  if used <= 0 then
    used = 0
  elseif used > full then
    -- The clock stepped back, or another program wrote this. A product above 2^53 is rounded, but still more than `full`.
    if tier_state + 0 >= never_us then
      --- @include "refuse-state"
    end
    used, clock_stepped_back = full, true
  end
end
