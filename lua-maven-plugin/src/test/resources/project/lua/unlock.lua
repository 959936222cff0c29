--[[
  unlock: deletes a lock if it is still the caller's.

  Source    redis.io, "Distributed locks"
  KEYS[1]   lock      the lock
  ARGV[1]   token     text, what the caller stored
  Reply     released  1 or 0
  Needs     Redis 6.2
]]
if redis.call("GET", KEYS[1]) == ARGV[1] then
  return redis.call("DEL", KEYS[1])
end
return 0
