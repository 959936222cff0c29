--[[
  check-counts: ends the script with an error unless a window's end and two counts have the script's form.

  Reads  end_us count count_before error_prefix
]]
-- Text that is less than "1" begins with a zero.
if not count or #end_us ~= $time_digits or count + 0 > $most_units or count_before + 0 > $most_units or count + count_before == 0
  or count < "1" and count ~= "0" or count_before < "1" and count_before ~= "0" then
  --- @include "refuse-state"
end
