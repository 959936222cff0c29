--[[
  refuse-state: ends the script, because the key holds a value that the script does not store.

  Reads  error_prefix
]]
return redis.error_reply(error_prefix .. "state must be what this script stores")
