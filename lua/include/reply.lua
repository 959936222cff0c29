--[[
  reply: answers for the deciding tier. A denied call waits to be allowed, an allowed one for its turn.

  Takes  limit remaining wait_us turn_us reset_us tier
  Reads  granted never_us
]]
if $wait_us == 0 then
  return {granted, $limit, $remaining, $turn_us, $reset_us, $tier}
end
return {0, $limit, $remaining, $wait_us == never_us and -1 or $wait_us, $reset_us, $tier}
