-- Decides for one tier. A cost past the capacity, and a refund of all of it, are decided before anything is multiplied.
local need, wait = -used, 0
if cost > capacity then
  wait = never_us
elseif cost > -capacity then
  need = cost * period_us
  local excess = used - (full - need)
  if excess > 0 then
    wait = (excess - excess % units) / units + (excess % units > 0 and 1 or 0)
  end
end
if wait == 0 and (wait_us == 0 or cost == 0) then
  used = used + need
  if used < 0 then
    used = 0
  end
  local r = used % units
  local text = "0"
  ahead_us = (used - r) / units
  if r > 0 then
    text = format("%d+%d", now_us + ahead_us, r)
    ahead_us = ahead_us + 1
  elseif used > 0 then
    text = format("%d", now_us + ahead_us)
  end
  next_state = next_state and next_state .. " " .. text or text
  if ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
local free = full - used
local left = (free - free % period_us) / period_us
if wait > wait_us or wait_us == 0 and left < remaining then
  limit = capacity
  remaining = left
  wait_us = wait
  reset_us = ahead_us
  tier = (first + 1) / 3
end
