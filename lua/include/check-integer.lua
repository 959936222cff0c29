--[[
  check-integer: ends the script with an error unless $name is an integer from $least to $most.

  Takes  value name least most
  Reads  error_prefix
]]
if not $value or $value < $least or $value > $most or $value % 1 ~= 0 then
  return redis.error_reply(error_prefix .. "$name must be an integer from $least to $most")
end
