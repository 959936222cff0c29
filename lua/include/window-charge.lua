-- Decides for one tier. A changed limit can be below what is used already.
local wait = 0
if cost > tier_limit then
  wait = never_us
elseif cost > 0 and used + cost > tier_limit then
  wait = ahead_us
end
if wait == 0 and (wait_us == 0 or cost == 0) then
  local text = "0:0"
  used = used + cost
  if used > 0 then
    if ahead_us == 0 then
      ahead_us, ttl_changes = window_us, true
    end
    text = format("%d:%d", now_us + ahead_us, used)
  else
    used, ahead_us = 0, 0
  end
  next_state = next_state and next_state .. " " .. text or text
  if ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
local left = tier_limit - used
if left < 0 then
  left = 0
end
if wait > wait_us or wait_us == 0 and left < remaining then
  limit = tier_limit
  remaining = left
  wait_us = wait
  reset_us = ahead_us
  tier = first / 2
end
