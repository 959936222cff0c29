--[[
  set-state: stores the state for as long as it is needed, which is $lasts_us from now.

  Takes  lasts_us
  Reads  call key next_state format has_now
]]
-- `%d` drops the fraction.
call("SET", key, next_state, "PX", format("%d", ($lasts_us + 999) / 1000 + has_now * $padding_ms))
