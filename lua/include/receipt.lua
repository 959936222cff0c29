--[[
  receipt: reads what is kept under the id, unless its time is over.

  Takes  problem
  Reads  call keys now_us error_prefix
  Sets   receipt made_until_us made_keep_us closed turn_us holds made_keys made_arguments
]]
local made_until_us, made_keep_us, closed, turn_us, holds, made_keys, made_arguments
local receipt = call("GET", keys[#keys])
if receipt then
  local is_read
  is_read, made_until_us, made_keep_us, closed, turn_us, holds, made_keys, made_arguments = pcall(cmsgpack.unpack, receipt)
  if not is_read or type(made_until_us) ~= "number" or type(turn_us) ~= "number" or type(holds) ~= "table"
    or type(made_keys) ~= "table" or type(made_arguments) ~= "table" then
    return redis.error_reply(error_prefix .. "$problem")
  end
  if now_us >= made_until_us then
    made_until_us = nil
  end
end
