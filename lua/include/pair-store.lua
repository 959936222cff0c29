--[[
  pair-store: stores an amount and its time, in $digits.

  Takes  amount_key time_key amount time digits
  Reads  call format ttl_s stored_time
  Sets   ttl_s
]]
ttl_s = format("%d", ttl_s)
call("SETEX", $amount_key, ttl_s, format("$digits", $amount))
-- A time that is stored already need not be printed again.
if $time == stored_time then
  call("EXPIRE", $time_key, ttl_s)
else
  call("SETEX", $time_key, ttl_s, format("$digits", $time))
end
