-- One of several tiers: the one with the longest wait answers, or else the one with the fewest units left; all are charged, or none.
if not tier or wait > wait_us or wait_us == 0 and left < remaining then
  limit, remaining, wait_us, reset_us, tier = capacity, left, wait, ahead_us, (first + 1) / 3
end
if wait_us == 0 or cost == 0 then
  if after == 0 then
    q = 0
  end
  if r > 0 then
    next_state = next_state and format("%s %d+%d", next_state, q, r) or format("%d+%d", q, r)
  else
    next_state = next_state and format("%s %d", next_state, q) or format("%d", q)
  end
  if not ttl_us or ahead_us > ttl_us then
    ttl_us = ahead_us
  end
end
