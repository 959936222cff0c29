-- The server's clock, or the caller's, in microseconds.
local now_us
if surplus == 0 then
  local time = call("TIME")
  now_us = time[1] * 1000000 + time[2]
else
  now_us = tonumber(arguments[#arguments])
  if not now_us or now_us >= 4503599627370496 or now_us % 1 ~= 0 then
    now_us = 0
  end
end
if now_us < 1000000000000000 then
  return redis.error_reply(fault .. "now_us must be an integer from 1000000000000000 to 4503599627370495")
end
