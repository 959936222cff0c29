--[[
  clock: takes the server's time, or the caller's, in microseconds.

  Takes  now
  Reads  call has_now error_prefix
  Sets   now_us
]]
local now_us
if has_now == 0 then
  local time = call("TIME")
  now_us = time[1] * $second_us + time[2]
else
  now_us = tonumber($now)
  -- A number that is not whole is refused below, together with one that is too early.
  if not now_us or now_us >= $now_below_us or now_us % 1 ~= 0 then
    now_us = 0
  end
end
if now_us < $earliest_now_us then
  return redis.error_reply(error_prefix .. "now_us must be an integer from $earliest_now_us to $latest_now_us")
end
