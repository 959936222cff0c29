-- Decides for one tier and charges it. A changed limit can be below what is used already.
local wait = 0
if cost > tier_limit then
  wait = never_us
elseif cost > 0 and used + cost > tier_limit then
  wait = ahead_us
end
if wait == 0 and (wait_us == 0 or cost == 0) then
  used = used + cost
  if used <= 0 then
    used, ahead_us = 0, 0
  elseif ahead_us == 0 then
    ahead_us, ttl_changes = window_us, true
  end
  local end_us = used > 0 and now_us + ahead_us or 0
  next_state = next_state and format("%s %d:%d", next_state, end_us, used) or format("%d:%d", end_us, used)
  if ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
