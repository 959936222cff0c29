--[[
  charge-entry: decides for an entry that charges, like its own script, and keeps its reply and its state.

  Reads  arguments at last script cost tiers width state now_us has_now never_us error_prefix format backlog_us entry denies reply again
         next_states lives stepped wait_us
  Sets   backlog_us stepped wait_us
]]
do
  local limit, remaining, reset_us, tier, next_state, opens, clock_stepped_back, state_at, each, granted
  local ttl_us, arguments_of_one_tier = 0, width + 1
  if script == "token-bucket" then
    --- @include "charge-bucket" units_name=refill_tokens period_name=refill_period_us
  elseif script == "leaky-bucket" then
    --- @include "charge-bucket" units_name=leak_units period_name=leak_period_us
  elseif script == "interval-bucket" then
    --- @include "charge-interval"
  elseif script == "fixed-window" then
    --- @include "charge-window"
  else
    --- @include "charge-sliding"
  end
  if not (again and denies[entry]) then
    local place = 5 * entry - 1
    reply[place + 1], reply[place + 2], reply[place + 3], reply[place + 4], reply[place + 5] = limit, remaining, 0, reset_us, tier
  end
  stepped = stepped or clock_stepped_back
  next_states[entry] = wait_us == 0 and (cost > 0 or again and clock_stepped_back) and next_state
  -- Unless a window opens, the key keeps its time to live.
  lives[entry] = (width == 3 or opens or clock_stepped_back or has_now == 1) and ttl_us
end
