--[[
  held-account: reads what an `r` key holds: three times, what is used of each tier, then the sums that are held, by their end.

  Reads  now_us
  Sets   read_account
]]
-- What is not as it was stored raises an error, or is false.
function read_account(stored, limits, at)
  local state = stored and cmsgpack.unpack(stored) or {now_us, now_us, now_us}
  local place, held, before_us = 4, 0, state[3]
  local is_right = stored ~= "" and state[1] > 0 and state[2] > 0 and before_us >= state[2] and before_us < $exact_below
  for number = 1, #limits do
    local tier = limits[number]
    local size = tier.full and 1 or tier.window_us > 0 and 3 or 0
    for field = place, stored and 0 or place + size - 1 do
      state[field] = 0
    end
    if size > 0 then
      tier.used, tier.end_us, tier.older = state[place], size == 3 and state[place + 1], size == 3 and state[place + 2]
      is_right = is_right and tier.used >= 0 and tier.used <= tier.most and (size == 1 or tier.end_us >= 0 and tier.older >= 0)
    end
    place = place + size
  end
  for next = place, stored and #state or 0, 2 do
    is_right = is_right and state[next] > before_us and state[next] < $exact_below and state[next + 1] >= 1
    before_us, held = state[next], held + state[next + 1]
  end
  return is_right and {state = state, place = place, limits = limits, held = held, latest_us = state[3], at = at}
end
