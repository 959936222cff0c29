--[[
  held-entry: decides for an entry on an `r` key: whether its cost fits in addition to the used and held units.

  Reads  arguments at last width script mode cost state now_us never_us error_prefix from_us entry accounts read_account run_out left_of
         fits_at wait_us
  Sets   limits is_read account from_us wait_us
]]
--- @include "held-tiers"
local is_read, account = pcall(read_account, state, limits, at)
if not (is_read and account) then
  --- @include "refuse-state"
end
run_out(account)
if mode == "reserve" and account.latest_us > from_us then
  from_us = account.latest_us
end
for number = 1, #limits do
  local tier, tier_wait_us = limits[number], 0
  if cost > tier.limit then
    tier_wait_us = never_us
  elseif cost > 0 and account.held + cost > left_of(tier, now_us) then
    tier_wait_us = fits_at(tier, account, cost, now_us) - now_us
  end
  if tier_wait_us > wait_us then
    wait_us, account.denying = tier_wait_us, number
  end
end
accounts[entry] = account
