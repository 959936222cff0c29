--[[
  clock-seconds: takes the server's time, or the caller's, in seconds with their fraction.

  Takes  has_now
  Reads  call arguments error_prefix
  Sets   now
]]
local now
if $has_now then
  now = tonumber(arguments[#arguments])
  if not now or not (now >= $earliest_now_s and now <= $latest_now_s) then
    return redis.error_reply(error_prefix .. "now must be a number from $earliest_now_s to $latest_now_s")
  end
else
  local time = call("TIME")
  now = time[1] + time[2] / $second_us
end
