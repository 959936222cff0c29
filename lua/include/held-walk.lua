--[[
  held-walk: says when a cost fits under a tier if all that is held runs out in its time, and when nothing is used of one any more.

  Reads  advance charge quotient_up room_in
  Sets   fits_at over_at
]]
function fits_at(tier, account, cost, time_us)
  local used, older, end_us = tier.used, tier.older, tier.end_us
  local state, held = account.state, account.held
  local room_us = room_in(tier, held + cost, time_us)
  for next = account.place, #state, 2 do
    if room_us and time_us + room_us <= state[next] then
      break
    end
    advance(tier, time_us, state[next])
    charge(tier, state[next + 1], state[next])
    time_us, held = state[next], held - state[next + 1]
    room_us = room_in(tier, held + cost, time_us)
  end
  tier.used, tier.older, tier.end_us = used, older, end_us
  return time_us + room_us
end
function over_at(tier, time_us)
  if tier.full then
    return time_us + quotient_up(tier.used, tier.units)
  end
  return tier.end_us > time_us and tier.end_us + (tier.slides and tier.used > 0 and tier.window_us or 0) or time_us
end
