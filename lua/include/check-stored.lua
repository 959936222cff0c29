--[[
  check-stored: ends the script with an error unless a stored value is a number from 0, as the script stores it.

  Takes  value
  Reads  error_prefix
]]
if not $value or not ($value >= 0 and $value <= $most_amount) then
  --- @include "refuse-state"
end
