--[[
  check-amount: ends the script with an error unless $name is a number from 0.

  Takes  value name
  Reads  error_prefix
]]
if not $value or not ($value >= 0 and $value <= $most_amount) then
  return redis.error_reply(error_prefix .. "$name must be a number from 0 to $most_amount")
end
