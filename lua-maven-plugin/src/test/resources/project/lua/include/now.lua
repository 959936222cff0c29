local now_us
if surplus == 1 then
  now_us = tonumber(ARGV[#ARGV])
else
  local time = call("TIME")
  now_us = time[1] * 1000000 + time[2]
end
