--[[
  window-store-tiers: writes the state of several tiers, if the call changed it. A denied call reaches this without its cost.

  Reads  wait_us cost ttl_us opens clock_stepped_back state next_state call key format has_now
]]
if wait_us == 0 and cost ~= 0 or wait_us > 0 and cost == 0 then
  if ttl_us == 0 then
    if state then
      call("DEL", key)
    end
  else
    --- @include "window-write" lasts_us=ttl_us
  end
end
