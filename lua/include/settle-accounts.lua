--[[
  settle-accounts: reads the accounts of a reservation, and forgets the reservation if it has expired or was lost.

  Reads  entries keys call made_arguments holds closed now_us from_us accounts read_account run_out left_of error_prefix made_until_us
  Sets   over_us read_entry from_us made_until_us
]]
local over_us = made_until_us
local function read_entry(stored, arguments, at)
  --- @include "settle-numbers"
  local account = read_account(stored, limits, at)
  account.cost = cost
  return cost >= 1 and cost <= $most_units and cost % 1 == 0 and account
end
for entry = 1, entries do
  local stored, charged = call("GET", keys[entry]), holds[4 * entry]
  local is_read, account = pcall(read_entry, stored, made_arguments, holds[4 * entry - 2])
  if not (is_read and account) or account.err then
    --- @include "refuse-state"
  end
  run_out(account)
  accounts[entry], account.exists = account, stored
  account.rest = account.cost > charged and account.cost - charged or 0
  account.holds = stored and account.state[1] == holds[4 * entry - 1]
  -- A key that was lost holds the units again, if they fit.
  for number = 1, (account.holds or closed == 1) and 0 or #account.limits do
    if account.rest > 0 and account.held + account.rest > left_of(account.limits[number], now_us) then
      made_until_us = nil
    end
  end
  if account.latest_us >= over_us then
    made_until_us = nil
  end
  from_us = account.latest_us > from_us and account.latest_us or from_us
end
