-- One of several tiers: the one with the longest wait answers, or else the one with the fewest units left; all are charged, or none.
if not tier or wait > wait_us or wait_us == 0 and left < remaining then
  limit, remaining, wait_us, reset_us, tier = tier_limit, left, wait, ahead_us, first / 2
end
if wait_us == 0 or cost == 0 then
  local end_us = after > 0 and now_us + ahead_us or 0
  next_state = next_state and format("%s %d:%d", next_state, end_us, after) or format("%d:%d", end_us, after)
  if not ttl_us or ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
