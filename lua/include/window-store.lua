--[[
  window-store: writes the state of the only tier, if the call changed it.

  Reads  cost wait clock_stepped_back opens after now_us ahead_us state next_state call key format has_now
  Sets   next_state
]]
if cost ~= 0 and (wait == 0 or clock_stepped_back) then
  if after > 0 then
    next_state = format("%d:%d", now_us + ahead_us, after)
    -- While no window opens the time to live stays, but a refund can shorten it, and only the server's own clock runs along with it.
    if opens or clock_stepped_back or cost < 0 or has_now == 1 then
      --- @include "set-state" lasts_us=ahead_us
    else
      call("SET", key, next_state, "KEEPTTL")
    end
  elseif state then
    call("DEL", key)
  end
end
