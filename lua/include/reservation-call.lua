--[[
  reservation-call: reads the first arguments of reserve and settle: distinct keys, the holding time, and the current time.

  Reads  keep_us entries keys arguments call error_prefix
  Sets   differ has_now now_us
]]
local differ = entries >= 1 and entries <= $most_entries
for second = 2, differ and #keys or 0 do
  for first = 1, second - 1 do
    differ = differ and keys[first] ~= keys[second]
  end
end
if not differ then
  return redis.error_reply(error_prefix .. "key must be one for each of 1 to $most_entries entries, then the receipt's, all different")
end
if keep_us ~= 0 then
  --- @include "check-integer" value=keep_us name=keep_us least=$least_keep_us most=$most_period_us
end
local has_now = (arguments[2] == "0" or tonumber(arguments[2]) == 0) and 0 or 1
--- @include "clock" now=arguments[2]
