--[[
  made-before: determines whether an earlier call with this id was the same, and ends the script if it was different.

  Reads  call keys arguments now_us error_prefix
  Sets   receipt made_until_us made_keep_us closed turn_us holds made_keys made_arguments repeats turn_at_us
]]
--- @include "receipt" problem="id must be new, or that of the same call"
if made_until_us then
  local is_same = #keys == #made_keys and #arguments == #made_arguments
  for at = 1, #keys do
    is_same = is_same and keys[at] == made_keys[at]
  end
  -- The holding time and the current time may differ.
  for at = 3, #arguments do
    is_same = is_same and arguments[at] == made_arguments[at]
  end
  if not is_same then
    return redis.error_reply(error_prefix .. "id must be new, or that of the same call")
  end
  --- @include "receipt-run-out"
  if made_until_us and closed == 1 then
    return redis.error_reply(error_prefix .. "id must be that of a call that is not closed")
  end
  repeats, turn_at_us = made_until_us and 1 or 0, turn_us
end
