--[[
  interval-state: reads a tier's state, `next:missing`, as the tokens that are missing now and the time until the next batch.

  Reads  tier_state now_us capacity tokens interval_us never_us error_prefix
  Sets   missing due_us clock_stepped_back
]]
local missing, due_us = 0, 0
if tier_state and tier_state ~= "0:0" then
  local next_us, count = string.match(tier_state, "^([1-9]%d*):([1-9]%d*)$")
  missing = count and #next_us == $time_digits and next_us + 0 < never_us and count + 0 or never_us
  if missing > capacity then
    --- @include "refuse-state"
  end
  due_us = next_us - now_us
  if due_us > interval_us then
    due_us, clock_stepped_back = interval_us, true
  elseif due_us <= 0 then
    -- The number of batches since the state was stored.
    local batches = 1 - (due_us + -due_us % interval_us) / interval_us
    missing, due_us = missing - batches * tokens, due_us + batches * interval_us
    if missing <= 0 then
      missing, due_us = 0, 0
    end
  end
end
