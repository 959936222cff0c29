-- The only write of one tier: what the call leaves, until that stops mattering (`%d` drops the fraction). A caller's time is padded.
if cost ~= 0 and (wait == 0 or cut) then
  if after > 0 then
    next_state = r > 0 and format("%d+%d", q, r) or format("%d", q)
    call("SET", key, next_state, "PX", format("%d", (ahead_us + 999) / 1000 + surplus * 60000))
  elseif state then
    call("DEL", key)
  end
end
