--[[
  now: takes the caller's time or the server's.

  Reads  has_now call
  Sets   now_us
]]
local now_us
if has_now == 1 then
  now_us = tonumber(ARGV[#ARGV])
else
  local time = call("TIME")
  now_us = time[1] * 1000000 + time[2]
end
