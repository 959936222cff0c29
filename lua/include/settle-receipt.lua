--[[
  settle-receipt: stores the receipt, which is the first write. A full memory refuses that, but no write after one that frees some.

  Reads  call keys keep_us kept_us until_us turn_us holds made_keys made_arguments now_us has_now format
  Sets   key value ttl_ms refusal
]]
local key = keys[#keys]
local value = cmsgpack.pack(until_us, kept_us, keep_us > 0 and 0 or 1, turn_us, holds, made_keys, made_arguments)
local ttl_ms = format("%d", (until_us - now_us + 999) / 1000 + $kept_ms + has_now * $padding_ms)
local refusal = redis.pcall("SET", key, value, "PX", ttl_ms).err
if refusal then
  if string.find(refusal, "OOM", 1, true) then
    call("DEL", key)
  end
  call("SET", key, value, "PX", ttl_ms)
end
