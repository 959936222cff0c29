--[[
  settle-made: compares the call with its reservation: the same keys, and no larger totals once it is closed.

  Reads  made_until_us holds entries keys made_keys made_arguments closed totals call error_prefix
  Sets   made_until_us
]]
if made_until_us then
  local is_same = #holds == 4 * entries
  for entry = 1, entries do
    is_same = is_same and keys[entry] == made_keys[holds[4 * entry - 3]]
  end
  if not is_same then
    return redis.error_reply(error_prefix .. "key must be those of the entries that reserve, in their order")
  end
  --- @include "receipt-run-out"
  for entry = 1, made_until_us and entries or 0 do
    local largest = holds[4 * entry]
    -- What concurrency has used is never charged.
    if made_arguments[holds[4 * entry - 2] + 1] == "concurrency" or totals[entry] < largest then
      totals[entry] = largest
    end
    if closed == 1 and totals[entry] > largest then
      return redis.error_reply(error_prefix .. "total must not grow once the reservation is closed")
    end
  end
end
