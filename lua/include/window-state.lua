-- Reads one tier's state `end:used`: what is used in the open window, and how far ahead it ends.
local used, ahead_us = 0, 0
if field and field ~= "0:0" then
  local digits, units = match(field, "^([1-9]%d*):([1-9]%d*)$")
  local end_us = digits and #digits == 16 and digits + 0 or never_us
  if end_us >= never_us or units + 0 > 1000000000000 then
    return redis.error_reply(fault .. "state must be what this script stores")
  end
  ahead_us = end_us - now_us
  if ahead_us > window_us then
    ahead_us, cut = window_us, true
  end
  if ahead_us > 0 then
    used = units + 0
  else
    ahead_us = 0
  end
end
