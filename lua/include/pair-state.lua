--[[
  pair-state: reads an amount and the time when it was right, in seconds; false where one of them is lost.

  Takes  amount_key time_key
  Reads  call error_prefix
  Sets   amount last stored_time
]]
local amount, last = call("GET", $amount_key), call("GET", $time_key)
if amount then
  amount = tonumber(amount)
  --- @include "check-stored" value=amount
end
if last then
  last = tonumber(last)
  --- @include "check-stored" value=last
else
  amount = false
end
local stored_time = last
