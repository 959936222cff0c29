-- Reads one tier's state `q` or `q+r`: what is used of it now, and how far ahead of now it reaches.
local used, ahead_us = 0, 0
if field and field ~= "0" then
  local digits, r = match(field, #field == 16 and "^[1-9]%d*$" or "^([1-9]%d*)%+([1-9]%d*)$")
  local q = digits and #digits == 16 and digits + 0 or never_us
  r = r and r + 0 or 0
  if q >= never_us or r >= units then
    return redis.error_reply(fault .. "state must be what this script stores")
  end
  ahead_us = q - now_us
  used = ahead_us * units + r
  if used <= 0 then
    used, ahead_us = 0, 0
  else
    -- A product past 2^53 is rounded, but still more than `full`.
    if used > full then
      used, cut, r = full, true, full % units
      ahead_us = (full - r) / units
    end
    if r > 0 then
      ahead_us = ahead_us + 1
    end
  end
end
