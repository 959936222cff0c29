-- Reads one tier's state `end:used`: what is used in the open window, and how far ahead it ends.
local used, ahead_us = 0, 0
if field and field ~= "0:0" then
  local end_us, count = string.match(field, "^([1-9]%d*):([1-9]%d*)$")
  count = count and #end_us == 16 and count + 0 or never_us
  if count > 1000000000000 then
    return redis.error_reply(fault .. "state must be what this script stores")
  end
  ahead_us = end_us - now_us
  if ahead_us > window_us then
    -- Past a whole window: the clock stepped back, or this is not ours.
    if end_us + 0 >= never_us then
      return redis.error_reply(fault .. "state must be what this script stores")
    end
    ahead_us, cut = window_us, true
  end
  if ahead_us > 0 then
    used = count
  else
    ahead_us = 0
  end
end
