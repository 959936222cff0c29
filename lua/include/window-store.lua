-- The only write of one tier. The TTL stays as it is while no window opens; a refund can shorten it, and only the server's own clock runs
-- along with it. `%d` drops the fraction.
if cost ~= 0 and (wait == 0 or cut) then
  if after > 0 then
    next_state = format("%d:%d", now_us + ahead_us, after)
    if opens or cut or cost < 0 or surplus == 1 then
      call("SET", key, next_state, "PX", format("%d", (ahead_us + 999) / 1000 + surplus * 60000))
    else
      call("SET", key, next_state, "KEEPTTL")
    end
  elseif state then
    call("DEL", key)
  end
end
