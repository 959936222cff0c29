--[[
  held-tiers: reads the numbers of the tiers of an entry that can be held, initially unused.

  Reads  arguments at last width script error_prefix
  Sets   limits
]]
local limits = {}
for first = at + 4, last, width do
  if width == 3 then
    --- @include "bucket-numbers" units=refill_tokens period=refill_period_us
    --- @include "bucket-full"
    local most = units * $most_refill_us
    most = most < $exact_below and most or $most_exact
    limits[#limits + 1] = {limit = capacity, full = full, units = units, period_us = period_us, used = 0, most = most}
  else
    local limit, window_us = tonumber(arguments[first]), 0
    --- @include "check-integer" value=limit name=limit least=1 most=$most_units
    -- Charges of concurrency end at once: a window without a length.
    if width == 2 then
      window_us = tonumber(arguments[first + 1])
      --- @include "check-integer" value=window_us name=window_us least=1 most=$most_period_us
    end
    limits[#limits + 1] = {
      limit = limit, window_us = window_us, slides = script == "sliding-window", used = 0, older = 0, end_us = 0, most = $most_units
    }
  end
end
