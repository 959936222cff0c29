-- The only write: what the call leaves, until that stops mattering (`%d` drops the fraction). A caller's time is padded.
if wait_us == 0 and cost ~= 0 or wait_us > 0 and cost == 0 then
  if ttl_us > 0 then
    call("SET", key, next_state, "PX", format("%d", (ttl_us + 999) / 1000 + surplus * 60000))
  elseif state then
    call("DEL", key)
  end
end
