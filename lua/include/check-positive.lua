--[[
  check-positive: ends the script with an error unless $name is a number above 0.

  Takes  value name
  Reads  error_prefix
]]
if not $value or not ($value > 0 and $value <= $most_amount) then
  return redis.error_reply(error_prefix .. "$name must be a number above 0, at most $most_amount")
end
