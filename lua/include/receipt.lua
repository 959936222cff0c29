--[[
  receipt: reads the receipt of the id, unless it has expired.

  Takes  problem
  Reads  call keys now_us error_prefix
  Sets   receipt made_until_us made_keep_us closed turn_us holds made_keys made_arguments
]]
local made_until_us, made_keep_us, closed, turn_us, holds, made_keys, made_arguments
local receipt = call("GET", keys[#keys])
if receipt then
  local is_read, rest, is_right
  is_read, rest, made_until_us, made_keep_us, closed, turn_us, holds, made_keys, made_arguments =
    pcall(cmsgpack.unpack_limit, receipt, $receipt_values)
  if is_read and rest == -1 then
    --- @include "receipt-check"
  end
  if not (is_read and is_right) then
    return redis.error_reply(error_prefix .. "$problem")
  end
  if now_us >= made_until_us then
    made_until_us = nil
  end
end
