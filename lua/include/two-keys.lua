--[[
  two-keys: ends the script with an error unless it has two keys that differ.

  Reads  keys error_prefix
]]
if #keys ~= 2 or keys[1] == keys[2] then
  return redis.error_reply(error_prefix .. "key must be exactly two different ones")
end
