--[[
  deciding-tier: finds the tier that decides: the one with the longest wait, or else the one with the fewest units left.

  Takes  tier_limit tier_number
  Reads  tier tier_wait_us wait_us left remaining ahead_us each granted
  Sets   limit remaining wait_us reset_us tier granted
]]
if not tier or tier_wait_us > wait_us or wait_us == 0 and left < remaining then
  limit, remaining, wait_us, reset_us, tier = $tier_limit, left, tier_wait_us, ahead_us, $tier_number
end
if each and tier_wait_us > 0 and left < each * granted then
  -- Of several calls at most this many fit.
  granted = (left - left % each) / each
end
