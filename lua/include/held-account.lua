--[[
  held-account: reads the state of an `r` key: three times, the used units of each tier, then the held sums by expiry time.

  Reads  now_us
  Sets   read_account
]]
-- Any value that reserve does not store raises an error, or gives false: none of its numbers may reach a written value.
function read_account(stored, limits, at)
  local rest, state = -1, {now_us, now_us, now_us}
  if stored then
    rest, state = cmsgpack.unpack_one(stored)
  end
  local first_us, last_us, latest_us = state[1], state[2], state[3]
  local is_right = rest == -1 and first_us >= $earliest_now_us and first_us <= latest_us and last_us >= $earliest_now_us
    and last_us <= latest_us and latest_us < $now_below_us
  local place, held, before_us, fields, fraction = 4, 0, latest_us, 0, 0
  for number = 1, #limits do
    --- @include "held-level"
  end
  for next = place, #state, 2 do
    is_right = is_right and state[next] > before_us and state[next] < $held_below and state[next + 1] >= 1
    before_us, held = state[next], held + state[next + 1]
  end
  -- A nil would hide the values after it.
  for _, number in pairs(state) do
    fields, fraction = fields + 1, fraction + number % 1
  end
  return is_right and fields == #state and fraction == 0 and held < $held_below
    and {state = state, place = place, limits = limits, held = held, latest_us = latest_us, at = at}
end
