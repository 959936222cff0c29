-- The only write of several tiers. A denial comes here without its cost, to store what was cut.
if wait_us == 0 and cost ~= 0 or wait_us > 0 and cost == 0 then
  if ttl_us > 0 then
    call("SET", key, next_state, "PX", format("%d", (ttl_us + 999) / 1000 + surplus * 60000))
  elseif state then
    call("DEL", key)
  end
end
