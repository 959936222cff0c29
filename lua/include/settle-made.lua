--[[
  settle-made: compares the keys of the call with those of its reservation.

  Reads  made_until_us holds entries keys made_keys error_prefix
]]
if made_until_us then
  local is_same = #holds == 4 * entries
  for entry = 1, entries do
    is_same = is_same and keys[entry] == made_keys[holds[4 * entry - 3]]
  end
  if not is_same then
    return redis.error_reply(error_prefix .. "key must be those of the entries that reserve, in their order")
  end
end
