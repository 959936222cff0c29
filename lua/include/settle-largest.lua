--[[
  settle-largest: takes the largest total of each entry so far, which stays fixed once the reservation is closed.

  Reads  entries holds totals made_arguments closed error_prefix
]]
for entry = 1, entries do
  local largest = holds[4 * entry]
  -- The use of concurrency is never charged.
  if made_arguments[holds[4 * entry - 2] + 1] == "concurrency" or totals[entry] < largest then
    totals[entry] = largest
  end
  if closed == 1 and totals[entry] > largest then
    return redis.error_reply(error_prefix .. "total must not grow once the reservation is closed")
  end
end
