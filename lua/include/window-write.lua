--[[
  window-write: stores the state for $lasts_us. Unless a window opens, the key keeps its time to live.

  Takes  lasts_us
  Reads  opens clock_stepped_back cost has_now call key next_state format
]]
-- A refund can shorten the time to live, which follows only the server's own clock.
if opens or clock_stepped_back or cost < 0 or has_now == 1 then
  --- @include "set-state" lasts_us=$lasts_us
else
  call("SET", key, next_state, "KEEPTTL")
end
