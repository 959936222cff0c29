--[[
  held-over: computes when a tier is unused, if all held units expire at their times.

  Reads  advance charge quotient_up
  Sets   over_at
]]
function over_at(tier, state, place, time_us)
  if tier.full then
    -- Equivalent to advance and charge, without a call for each sum.
    local used, units, period_us, most = tier.used, tier.units, tier.period_us, tier.most
    for next = place, #state, 2 do
      local drained = (state[next] - time_us) * units
      used = (used > drained and used - drained or 0) + state[next + 1] * period_us
      used, time_us = used < most and used or most, state[next]
    end
    return time_us + quotient_up(used, units)
  elseif tier.window_us == 0 then
    return place < #state and state[#state - 1] or time_us
  end
  for next = place, #state, 2 do
    advance(tier, time_us, state[next])
    charge(tier, state[next + 1], state[next])
    time_us = state[next]
  end
  return tier.end_us > time_us and tier.end_us + (tier.slides and tier.used > 0 and tier.window_us or 0) or time_us
end
