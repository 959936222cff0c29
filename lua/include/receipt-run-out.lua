--[[
  receipt-run-out: forgets the receipt if one of the keys that hold for it was written after its expiry.

  Reads  call holds made_keys made_until_us
  Sets   made_until_us
]]
for hold = 1, #holds, 4 do
  local is_read, state = pcall(cmsgpack.unpack, call("GET", made_keys[holds[hold]]) or "")
  local latest_us = is_read and type(state) == "table" and tonumber(state[3])
  if latest_us and made_until_us and latest_us >= made_until_us then
    made_until_us = nil
  end
end
