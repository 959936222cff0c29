-- Decides for one tier, and tells what that leaves. A cost past the capacity, or a refund of all of it, is decided without a product.
local wait, after = 0, used
if cost < 0 then
  after = cost > -capacity and used + cost * period_us or 0
  if after < 0 then
    after = 0
  end
elseif cost > capacity then
  wait = never_us
else
  after = used + cost * period_us
  if after > full then
    -- That sum may have been rounded.
    local excess = used - (full - cost * period_us)
    wait = (excess - excess % units) / units + (excess % units > 0 and 1 or 0)
    after = used
  end
end
local r = after % units
local ahead_us = (after - r) / units
local q = now_us + ahead_us
if r > 0 then
  ahead_us = ahead_us + 1
end
local free = full - after
local left = (free - free % period_us) / period_us
