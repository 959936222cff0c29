--[[
  held-run-out: charges expired sums, each at its own time, and moves an account to now; `moved` if that changes its state.

  Reads  advance charge now_us
  Sets   run_out
]]
function run_out(account)
  local state, limits, place = account.state, account.limits, account.place
  local from_us = state[2]
  while state[place] and state[place] <= now_us do
    local until_us, amount = table.remove(state, place), table.remove(state, place)
    for number = 1, #limits do
      advance(limits[number], from_us, until_us)
      charge(limits[number], amount, until_us)
    end
    account.held, account.moved, from_us = account.held - amount, true, until_us
  end
  for number = 1, #limits do
    local tier = limits[number]
    if tier.full and tier.used > 0 and from_us > now_us or not tier.full and tier.end_us > now_us + tier.window_us then
      account.moved = true
    end
    advance(tier, from_us, now_us)
  end
end
