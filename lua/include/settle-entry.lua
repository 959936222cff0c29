--[[
  settle-entry: releases the units of an entry, charges the growth of its total, and holds the rest again.

  Reads  accounts entry holds totals keep_us made_until_us until_us now_us release charge hold
  Sets   account total charged rest
]]
local account, total, charged = accounts[entry], totals[entry], holds[4 * entry]
local rest = keep_us > 0 and math.max(0, account.cost - total) or 0
if account.holds then
  release(account, made_until_us, account.rest)
end
if total > charged then
  for _, tier in ipairs(account.limits) do
    charge(tier, total - charged, now_us)
  end
end
if rest > 0 then
  hold(account, until_us, rest)
end
holds[4 * entry] = total
account.changes = account.exists or total > charged or rest > 0
if account.changes then
  holds[4 * entry - 1] = account.state[1]
end
