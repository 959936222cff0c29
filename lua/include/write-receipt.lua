--[[
  write-receipt: stores the receipt of the id, for 1 s longer than it is needed.

  Reads  call keys keep_us backlog_us new_holds arguments until_us now_us has_now format
]]
call("SET", keys[#keys],
  cmsgpack.pack(until_us, keep_us, 0, backlog_us > 0 and now_us + backlog_us or 0, new_holds, keys, arguments),
  "PX", format("%d", (until_us - now_us + 999) / 1000 + $kept_ms + has_now * $padding_ms))
