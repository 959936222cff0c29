--[[
  pair-state: reads an amount and its time, in seconds; false if one of them is lost.

  Takes  amount_key time_key
  Reads  call error_prefix
  Sets   amount since stored_time
]]
local amount, since = call("GET", $amount_key), call("GET", $time_key)
if amount then
  amount = tonumber(amount)
  --- @include "check-stored" value=amount
end
if since then
  since = tonumber(since)
  --- @include "check-stored" value=since
else
  amount = false
end
local stored_time = since
