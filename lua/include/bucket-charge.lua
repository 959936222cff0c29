--[[
  bucket-charge: decides for one tier: the wait, or the units used after the call.

  Reads  used cost capacity units period_us full never_us
  Sets   tier_wait_us after
]]
local tier_wait_us, after = 0, used
-- A refund of the whole capacity, or a cost above it, is decided without a product.
if cost < 0 then
  after = cost > -capacity and used + cost * period_us or 0
  if after < 0 then
    after = 0
  end
elseif cost > capacity then
  tier_wait_us = never_us
else
  after = used + cost * period_us
  if after > full then
    -- That sum may have been rounded.
    local excess = used - (full - cost * period_us)
    tier_wait_us = (excess - excess % units) / units + (excess % units > 0 and 1 or 0)
    after = used
  end
end
