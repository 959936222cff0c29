--[[
  check-counts: ends the script with an error unless a window's end and two counts are what the script stores.

  Reads  end_us count before error_prefix
]]
-- Text that is less than "1" begins with a zero.
if not count or #end_us ~= $time_digits or count + 0 > $most_units or before + 0 > $most_units or count + before == 0
  or count < "1" and count ~= "0" or before < "1" and before ~= "0" then
  return redis.error_reply(error_prefix .. "state must be what this script stores")
end
