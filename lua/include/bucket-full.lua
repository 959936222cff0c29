-- What the full bucket holds in units of 1/period, exact below 2^53. Up to 100 years at one unit a period it needs no closer look.
local full = capacity * period_us
if full > 3155760000000000 then
  if full >= 9007199254740992 then
    local divisor, rest = period_us, units
    while rest > 0 do
      divisor, rest = rest, divisor % rest
    end
    units, period_us = units / divisor, period_us / divisor
    full = capacity * period_us
    if full >= 9007199254740992 then
      return redis.error_reply(fault .. "capacity must be small enough that its product with the reduced period stays below 2^53")
    end
  end
  if full > units * 3155760000000000 then
    return redis.error_reply(fault .. "capacity must refill or drain within 100 years")
  end
end
