--[[
  bucket-full: computes the content of the full bucket, in units of 1/period, exactly.

  Reads  capacity units period_us error_prefix
  Sets   full units period_us
]]
local full = capacity * period_us
-- A bucket that fills within 100 years at one unit a period fills in time at any rate, and its product is exact.
if full > $most_refill_us then
  if full >= $exact_below then
    local divisor, rest = period_us, units
    while rest > 0 do
      divisor, rest = rest, divisor % rest
    end
    units, period_us = units / divisor, period_us / divisor
    full = capacity * period_us
    if full >= $exact_below then
      return redis.error_reply(
        error_prefix .. "capacity must be small enough that its product with the reduced period stays below 2^53")
    end
  end
  if full > units * $most_refill_us then
    return redis.error_reply(error_prefix .. "capacity must refill or drain within 100 years")
  end
end
