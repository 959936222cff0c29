--[[
  check-tier: refuses $name below $least.

  Takes  value name least
  Reads  error_prefix
]]
if not $value or $value < $least then
  return redis.error_reply(error_prefix .. "$name must be at least $least")
end
