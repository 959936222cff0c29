--[[
  settle-totals: reads the use of each entry so far.

  Reads  arguments entries error_prefix
  Sets   totals
]]
local totals = {}
if #arguments ~= entries + 2 then
  return redis.error_reply(error_prefix .. "total must be given once for each key that holds")
end
for entry = 1, entries do
  local total = tonumber(arguments[entry + 2])
  --- @include "check-integer" value=total name=total least=0 most=$most_units
  totals[entry] = total
end
