--[[
  check-ttl: ends the script with an error if a key would live too long because of $name.

  Takes  ttl_s name
  Reads  error_prefix
]]
if $ttl_s > $most_ttl_s then
  return redis.error_reply(error_prefix .. "$name must be so small that its key lives at most $most_ttl_s seconds")
end
