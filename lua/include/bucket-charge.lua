-- Decides for one tier and charges it. A cost past the capacity, or a refund of all of it, is decided without a product.
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
  ahead_us = (used - r) / units
  local q = used > 0 and now_us + ahead_us or 0
  if r > 0 then
    ahead_us = ahead_us + 1
    next_state = next_state and format("%s %d+%d", next_state, q, r) or format("%d+%d", q, r)
  else
    next_state = next_state and format("%s %d", next_state, q) or format("%d", q)
  end
  if ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
