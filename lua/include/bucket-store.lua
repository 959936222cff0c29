--[[
  bucket-store: writes the state of the only tier, if the call changed it.

  Reads  cost tier_wait_us clock_stepped_back after q r ahead_us state next_state call key format has_now
  Sets   next_state
]]
if cost ~= 0 and (tier_wait_us == 0 or clock_stepped_back) then
  if after > 0 then
    next_state = r > 0 and format("%d+%d", q, r) or format("%d", q)
    --- @include "set-state" lasts_us=ahead_us
  elseif state then
    call("DEL", key)
  end
end
