--[[
  interval-store: writes the state of the only tier, if the call changed it.

  Reads  cost tier_wait_us clock_stepped_back missing now_us due_us ahead_us state next_state call key format has_now
  Sets   next_state
]]
if cost ~= 0 and (tier_wait_us == 0 or clock_stepped_back) then
  if missing > 0 then
    next_state = format("%d:%d", now_us + due_us, missing)
    --- @include "set-state" lasts_us=ahead_us
  elseif state then
    call("DEL", key)
  end
end
