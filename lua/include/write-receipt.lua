--[[
  write-receipt: stores what the server keeps under the id, for 1 s longer than it matters.

  Takes  keep closed turn_us holds keys arguments
  Reads  call keys until_us now_us has_now format
]]
call("SET", keys[#keys], cmsgpack.pack(until_us, $keep, $closed, $turn_us, $holds, $keys, $arguments),
  "PX", format("%d", (until_us - now_us + 999) / 1000 + $kept_ms + has_now * $padding_ms))
