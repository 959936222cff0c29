--[[
  interval-full: ends the script with an error unless the empty bucket is full again within 100 years.

  Reads  capacity tokens interval_us error_prefix
]]
if ((capacity - 1 - (capacity - 1) % tokens) / tokens + 1) * interval_us > $most_refill_us then
  return redis.error_reply(error_prefix .. "capacity must refill within 100 years")
end
