--[[
  pair-store: stores an amount and the time when it was right, in $digits.

  Takes  amount_key time_key amount time digits
  Reads  call format ttl_s
  Sets   ttl_s
]]
ttl_s = format("%d", ttl_s)
call("SETEX", $amount_key, ttl_s, format("$digits", $amount))
call("SETEX", $time_key, ttl_s, format("$digits", $time))
