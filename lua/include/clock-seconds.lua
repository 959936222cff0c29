--[[
  clock-seconds: takes the server's time, or the caller's, in seconds with their fraction.

  Takes  has_now
  Reads  call arguments error_prefix
  Sets   now
]]
local now
if $has_now then
  now = tonumber(arguments[#arguments])
  --- @include "check-amount" value=now name=now
else
  local time = call("TIME")
  now = time[1] + time[2] / 1000000
end
