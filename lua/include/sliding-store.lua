--[[
  sliding-store: writes the state of the only tier, if the call changed it.

  Reads  cost tier_wait_us clock_stepped_back opens used older now_us sight_us ahead_us state next_state call key format has_now
  Sets   next_state
]]
if cost ~= 0 and (tier_wait_us == 0 or clock_stepped_back) then
  if ahead_us > 0 then
    next_state = format("%d:%d:%d", now_us + sight_us, used, older)
    --- @include "window-write" lasts_us=ahead_us
  elseif state then
    call("DEL", key)
  end
end
