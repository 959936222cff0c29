--[[
  held-walk: computes when a cost fits under a tier, if all held units expire at their times.

  Reads  advance charge room_in
  Sets   fits_at
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
